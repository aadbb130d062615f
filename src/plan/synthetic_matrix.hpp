// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices to measure a device with: rows of like or unlike lengths, entries near the diagonal, all
// over, or mostly in few columns; small ones, large ones, and in between.

#include <vector>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

struct made_matrix {
  enum class lengths { alike, mixed, unlike, one_long, many_empty };
  enum class places { near, anywhere, few_columns, blocks };
  double rows, columns, mean;  // entries a row
  lengths of_rows = lengths::alike;
  places of_entries = places::anywhere;
  double width = 1000;  // columns that a row's entries are near (near, blocks)
};

/// `scale`: how much larger the large ones are than what fills a few cores.
std::vector<made_matrix> calibration_matrices(double scale);
/// The same arguments make the same matrix. fp32, all values 1, which are there one by one.
matrix_base make(const context_pointer&, const made_matrix&);
/// The same matrix in fp64.
matrix_base widened(const matrix_base&);
/// The same pattern, true everywhere, which one value says.
matrix_base pattern_of(const matrix_base&);
/// 1 in fp32, fp64 or bool.
const void* one_of(type_code);

}  // namespace tropic::detail
