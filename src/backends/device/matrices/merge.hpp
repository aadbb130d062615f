// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unions and intersections of the entries of matrices, and the filter that masks are
// (matrices.kernel).

#include <optional>

#include "backends/device/primitives.hpp"
#include "backends/operations.hpp"

namespace tropic::detail {

/// A matrix that takes part in a merge.
struct merge_side {
  const matrix_base& m;
  buffer_pointer keeps;  // a byte an entry, set if it takes part; null: all do
  // Filled by the merge.
  buffer_pointer takes{}, beyond{};
  prefix_sums sums{};

  bool is_empty() const { return m.nnz == 0; }
};

/// A byte an entry of m: whether the mask admits its position.
buffer_pointer passing(device_context&, std::string_view operation, const matrix_base& m,
                       const matrix_rule&);

/// The entries of m that are kept (`keeps` null: all); m itself, its arrays shared, if all are.
matrix_base filtered(device_context&, std::string_view operation, const matrix_base& m,
                     const buffer_pointer& keeps);

/// A union: all entries that take part, op(a, b) where both sides have one; without op no position
/// has two. An intersection: op(a, b) where both have one. Nothing if the device lacks a type.
std::optional<matrix_base> merged(device_context&, std::string_view operation, combination,
                                  const operator_description* op, const type_description& z,
                                  merge_side a, merge_side b);

}  // namespace tropic::detail
