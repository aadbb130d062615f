// SPDX-License-Identifier: Apache-2.0
#pragma once

// One case of a product with a full result: a level for each factor, a shape, a seed. Built
// identically in the context under test and in the reference, run in both, and compared exactly,
// pattern included. Sums have one order, so that rounded ones are equal as well.

#include <string>
#include <vector>

#include <tropic/detail/full.hpp>

#include "backends/semirings.hpp"
#include "support/compare.hpp"

namespace tropic::testing {

/// The factors of a case, in the order of its levels.
struct spmm_factor {
  enum : std::size_t {
    semiring,     // all_semirings(), or adversarial_semirings()
    mask,         // none, valued, structural, and the complements of both
    accumulator,  // none, compiled, text
    replace,      // no, yes
    side,         // sparse x full, full x sparse, full x full
    transposed,   // the sparse matrix
    storage,      // of the full operand: sparse, bitmap, full, full with gaps between rows
    wide,         // 32-bit offsets, 64-bit
    iso,          // the sparse matrix has a value per entry, or one for all
    output,       // C before the call: sparse, bitmap, full
    mask_form,    // a sparse matrix, a bitmap, full
    mask_type,    // bool, int8, fp64, a record (structural masks)
    alias,        // none, C is the full operand, C is the mask, the mask is the full operand
    values,       // those of the semiring, or arbitrary ones
    count
  };
};
std::vector<int> spmm_factor_sizes(int semirings);

/// C is rows x columns. The sparse matrix has an entry with probability `density`.
struct spmm_shape {
  index_t rows, inner, columns;
  double density;
  bool has_long_row = false;
};
/// Empty ones, one entry, numbers of columns around the widths of blocks, dense rows.
const std::vector<spmm_shape>& spmm_shapes();

struct spmm_case {
  levels at;
  spmm_shape of;
  std::uint64_t seed = 0;
};

/// Runs the case. Returns an empty text if the results agree.
std::string spmm_difference(const context& where, const context& reference,
                            const std::vector<test_semiring>& semirings, const spmm_case& one);

/// The same matrix as full cells. 3: full with gaps between rows; full, or with gaps, only if no
/// entry is missing, else a bitmap.
detail::full_base make_full(const context& where, const host_matrix& from, int storage);
host_matrix read_full(const detail::full_base& from);

}  // namespace tropic::testing
