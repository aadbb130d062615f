// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of a step_list (include/tropic/steps.hpp), in which position i of a result depends on
// position i of the operands alone, but for the u of a product.

#include <string>
#include <variant>

#include <tropic/detail/containers.hpp>
#include <tropic/plan.hpp>
#include <tropic/semirings/monoid.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

/// w = op(u, v) where both have an entry.
struct ewise_step {
  vector_base& w;
  operator_description op;
  const vector_base& u;
  const vector_base& v;
};
/// w = op(u).
struct apply_step {
  vector_base& w;
  unary_description op;
  const vector_base& u;
};
/// w accum= A u or u' A, by the kernel of that name.
struct product_step {
  vector_base& w;
  semiring_description semiring;
  const matrix_base& matrix;
  bool transposed, vector_first;
  const vector_base& u;
  bool accumulates;
  operator_description accumulator;
  const tropic::plan* plan;
  std::string kernel{};
};
/// The sum of u where `mask`, if there is one, has an entry; or of op(u, v) if there is a v.
/// *result keeps its value if there is nothing to sum.
struct sum_step {
  void* result;
  monoid_description monoid;
  const vector_base& u;
  operator_description op{};
  const vector_base* v = nullptr;
  const vector_base* mask = nullptr;
};

using vector_step = std::variant<ewise_step, apply_step, product_step, sum_step>;

}  // namespace tropic::detail
