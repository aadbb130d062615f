// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares an operator's compiled functor, and the operator run by blocks, with the evaluator, over
// all pairs of adversarial values and several positions.

#include <string_view>

#include <tropic/semirings/evaluate.hpp>

namespace tropic::testing {

/// An operator's functor as the compiler sees it, called with pointers to its operands.
using compiled_operator = void (*)(const void* op, void* z, const void* x, const void* y,
                                   const index_t (&at)[3]);

/// Compares `compiled`, called with `op`, with the evaluator, and the evaluator with `description`
/// run in bulk and by blocks. Only the functor is a template: a thousand operators are compiled.
void expect_same_results(std::string_view name, const operator_description& description,
                         const void* op, compiled_operator compiled);

template <class Z, class A, class X, class Op>
void run_functor(const void* op, void* z, const void* x, const void* y, const index_t (&at)[3]) {
  *static_cast<Z*>(z) = static_cast<const Op*>(op)->template evaluate<Z>(
      *static_cast<const A*>(x), *static_cast<const X*>(y), at[0], at[1], at[2]);
}

template <class Z, class A, class X, class Op>
void expect_functor_is_evaluator(const Op& op) {
  expect_same_results(Op::tropic_name, describe_operator<Z, A, X>(op), &op,
                      &run_functor<Z, A, X, Op>);
}

}  // namespace tropic::testing
