// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices to measure a device with: rows of similar or varying lengths; entries near the diagonal,
// on a few diagonals, everywhere, or mostly in a few columns; small, medium and large.

#include <vector>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

struct synthetic_matrix {
  enum class lengths { alike, mixed, unlike, one_long, many_empty };
  enum class places { near, diagonals, anywhere, few_columns, blocks };
  double rows, columns, mean;  // mean: entries per row
  lengths of_rows = lengths::alike;
  places of_entries = places::anywhere;
  double width = 1000;  // of the band or block that a row's entries lie in (near, blocks), or of a
                        // grid, whose point (x, y) is the row y width + x (diagonals)
};

/// `scale`: the size of the large matrices relative to what occupies a few cores.
std::vector<synthetic_matrix> calibration_matrices(double scale);
/// Equal arguments give equal matrices. fp32, all values 1, stored individually.
matrix_base make(const context_pointer&, const synthetic_matrix&);
/// The same matrix in fp64.
matrix_base widened(const matrix_base&);
/// The same pattern with the single value true.
matrix_base pattern_of(const matrix_base&);
/// 1 in fp32, fp64 or bool.
const void* one_of(type_code);

}  // namespace tropic::detail
