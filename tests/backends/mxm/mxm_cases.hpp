// SPDX-License-Identifier: Apache-2.0
#pragma once

// One case of mxm: a level for each factor, a shape, a seed. Built identically in the context under
// test and in the reference, run in both, and compared exactly, pattern included; so is the sum of
// the same product (reduce_mxm). Sums have one order, so that rounded ones are equal as well.

#include <string>
#include <vector>

#include "backends/semirings.hpp"
#include "support/compare.hpp"

namespace tropic::testing {

/// The factors of a case, in the order of its levels.
struct mxm_factor {
  enum : std::size_t {
    semiring,      // all_semirings(), or adversarial_semirings()
    mask,          // none, valued, structural, and the complements of both
    accumulator,   // none, compiled, text
    replace,       // no, yes
    transposes,    // A B, A' B, A B', A' B'
    wide,          // 32-bit offsets, 64-bit
    first,         // A has a value per entry, or one for all
    second,        // B
    output,        // C has no entry before the call, few, many
    mask_density,  // few entries, many
    mask_type,     // bool, int8, fp64, a record (structural masks)
    alias,         // none, C is A, C is B, C is the mask, the mask is A, B is A
    values,        // those of the semiring, or arbitrary ones
    count
  };
};
std::vector<int> mxm_factor_sizes(int semirings);

/// C is rows x columns. Either operand has `entries` at random positions, and what `kind` adds.
struct mxm_shape {
  enum pattern { random, outer, long_rows, all };
  index_t rows, inner, columns;
  index_t entries;
  /// outer: a dense row and a dense column of A and of B; long_rows: the first row of either is
  /// dense; all: every position.
  pattern kind = random;
};
/// Every case runs all of these: empty ones, one entry, dense rows and columns, more columns than
/// an accumulator has, sizes around words and groups of words.
const std::vector<mxm_shape>& mxm_shapes();

struct mxm_case {
  levels at;
  mxm_shape of;
  std::uint64_t seed = 0;
};

/// Runs the case. Returns an empty text if the results agree.
std::string mxm_difference(const context& where, const context& reference,
                           const std::vector<test_semiring>& semirings, const mxm_case& one);

}  // namespace tropic::testing
