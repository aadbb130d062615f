// SPDX-License-Identifier: Apache-2.0
#pragma once

// One case of mxv or vxm: a level for each factor, a shape, a seed. Built identically in the
// context under test and in the reference, run in both, and compared exactly; `any` by membership.

#include <string>
#include <vector>

#include "backends/semirings.hpp"
#include "support/compare.hpp"

namespace tropic::testing {

/// The factors of a product case, in the order of its levels.
struct product_factor {
  enum : std::size_t {
    semiring,      // all_semirings(), or adversarial_semirings()
    kernel,        // 0: selected by the library; then the backend's kernels in turn
    mask,          // none, valued, structural, and the complements of both
    accumulator,   // none, compiled, text
    replace,       // no, yes
    input,         // sparse, bitmap, full
    wide,          // 32-bit offsets, 64-bit
    orientation,   // A u, A' u, u' A, u' A'
    output,        // storage of w before the call: sparse, bitmap, full
    matrix,        // a value per entry, iso, flagged symmetric (square shapes)
    mask_storage,  // sparse, bitmap, full
    mask_type,     // bool, int8, fp64, a record (structural masks)
    alias,         // none, w is u, w is the mask, u is the mask
    count
  };
};
std::vector<int> product_factor_sizes(int semirings, int kernels);

struct shape {
  enum pattern { random, dense_row, dense_column, skewed, inner, all, gaps };
  index_t rows, columns;
  pattern kind;
};
/// Every case runs all of these: empty ones, one entry, empty first and last rows, a dense row or
/// column, power-law-like lengths, a row over many tiles, long runs of empty rows, sizes around
/// powers of two.
const std::vector<shape>& product_shapes();
host_matrix matrix_of_shape(const shape& s, const type_description& type, flavour kind,
                            dice& random);

struct product_case {
  levels at;
  shape of;
  std::uint64_t seed = 0;
};

/// Runs the case. Returns an empty text if the results agree.
std::string product_difference(const context& where, const context& reference,
                               const std::vector<test_semiring>& semirings,
                               const product_case& one);

}  // namespace tropic::testing
