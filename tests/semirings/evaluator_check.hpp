// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares an operator's compiled functor with the evaluator, over all pairs of adversarial values
// and several positions.

#include <gtest/gtest.h>

#include <tropic/semirings/evaluate.hpp>

#include "support/values.hpp"

namespace tropic::testing {

inline constexpr index_t trial_positions[][3] = {
    {0, 0, 0}, {1, 2, 3}, {3, 2, 1}, {4294967295, 5, 4294967295}};

template <class Z, class A, class X, class Op>
void expect_functor_is_evaluator(const Op& op) {
  const operator_description description = describe_operator<Z, A, X>(op);
  const evaluator run(description);
  int failures = 0;
  for (const A x : adversarial_values<A>())
    for (const X y : adversarial_values<X>())
      for (const auto& [i, k, j] : trial_positions) {
        const Z compiled = op.template evaluate<Z>(x, y, i, k, j);
        Z evaluated{}, bulk{};
        run(&evaluated, &x, &y, i, k, j);
        const index_t row = i, inner = k, column = j;
        description(
            {.z = &bulk, .x = &x, .y = &y, .count = 1, .i = &row, .k = &inner, .j = &column});
        if ((!same_bits(compiled, evaluated) || !same_bits(compiled, bulk)) && ++failures < 4)
          ADD_FAILURE() << Op::tropic_name << " of " << +x << " and " << +y << " ("
                        << describe<A>().name << ", " << describe<X>().name << " -> "
                        << describe<Z>().name << "): compiled " << +compiled << ", evaluated "
                        << +evaluated << ", in bulk " << +bulk;
        if (!Op::tropic_syntax.positional()) break;
      }
}

}  // namespace tropic::testing
