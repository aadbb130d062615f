// SPDX-License-Identifier: Apache-2.0
#pragma once

// One case of any operation except products: element-wise union and intersection, apply, select,
// reduce, assign, transpose, on vectors and on matrices. Built identically in the context under
// test and in the reference, run in both, compared exactly.

#include <string>
#include <vector>

#include "support/compare.hpp"

namespace tropic::testing {

enum class operation {
  // with a vector as output
  union_of,
  intersection,
  intersection_to_bool,
  apply,
  apply_first_bound,
  apply_second_bound,
  apply_position,
  apply_conversion,
  select,
  select_bound,
  assign_value,
  assign_value_list,
  assign,
  assign_list,
  reduce_rows,
  reduce_columns,
  reduce,
  // with a matrix
  matrix_union,
  matrix_intersection,
  matrix_intersection_to_bool,
  matrix_apply,
  matrix_apply_first_bound,
  matrix_apply_second_bound,
  matrix_apply_position,
  matrix_apply_conversion,
  matrix_select,
  matrix_select_bound,
  matrix_assign_value,
  matrix_assign_value_list,
  matrix_assign,
  matrix_assign_list,
  matrix_transpose,
  matrix_reduce,
  count
};

/// The factors of a case, in the order of its levels.
struct elementwise_factor {
  enum : std::size_t {
    operation,
    mask,         // none, valued, structural, and the complements of both
    accumulator,  // none, compiled, text
    replace,      // no, yes
    output,       // storage of w before the call: sparse, bitmap, full (of a matrix: its density)
    type,         // the eleven built-in types, and the record
    first,        // storage of u
    second,       // storage of v
    mask_storage,
    mask_type,  // bool, int8, fp64, a record (structural masks)
    alias,      // none, w is u, w is v, w is the mask, u is the mask
    matrix,     // a value per entry or iso, 32- or 64-bit offsets
    variant,    // of the operator
    count
  };
};
std::vector<int> elementwise_factor_sizes();

struct elementwise_case {
  levels at;
  index_t rows = 0, columns = 0;
  std::uint64_t seed = 0;
  double density = 0.3;  // of matrices; at most this for sparse vectors
};

/// Runs the case. Returns an empty text if the results agree.
std::string elementwise_difference(const context& where, const context& reference,
                                   const elementwise_case& one);

}  // namespace tropic::testing
