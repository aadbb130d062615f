// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares an operator's compiled functor, and the operator run by blocks, with the evaluator, over
// all pairs of adversarial values and several positions.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tropic/semirings/evaluate.hpp>

#include "support/values.hpp"

namespace tropic::testing {

inline constexpr index_t trial_positions[][3] = {
    {0, 0, 0}, {1, 2, 3}, {3, 2, 1}, {4294967295, 5, 4294967295}};

/// Entries of an operator, as bytes: operands, positions, and what the evaluator makes of them.
struct evaluated_entries {
  std::vector<std::byte> x, y, z;
  std::vector<index_t> i, k, j;

  template <class Z, class A, class X>
  void add(const A& a, const X& b, const index_t (&at)[3], const Z& result) {
    const auto append = [](std::vector<std::byte>& to, const auto& value) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      to.insert(to.end(), bytes, bytes + sizeof(value));
    };
    append(x, a);
    append(y, b);
    append(z, result);
    i.push_back(at[0]);
    k.push_back(at[1]);
    j.push_back(at[2]);
  }
};

/// How a run by blocks differs from `expected`: for all entries, and for numbers of entries around
/// those of a block and of a vector register. Empty if it does not.
std::string difference_by_blocks(const operator_description& op, const evaluated_entries& expected);

template <class Z, class A, class X, class Op>
void expect_functor_is_evaluator(const Op& op) {
  const operator_description description = describe_operator<Z, A, X>(op);
  const evaluator run(description);
  evaluated_entries entries;
  int failures = 0;
  for (const A x : adversarial_values<A>())
    for (const X y : adversarial_values<X>())
      for (const auto& [i, k, j] : trial_positions) {
        const Z compiled = op.template evaluate<Z>(x, y, i, k, j);
        Z evaluated{}, bulk{};
        run(&evaluated, &x, &y, i, k, j);
        entries.add(x, y, {i, k, j}, evaluated);
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
  EXPECT_EQ(difference_by_blocks(description, entries), "")
      << Op::tropic_name << " (" << describe<A>().name << ", " << describe<X>().name << " -> "
      << describe<Z>().name << ")";
}

}  // namespace tropic::testing
