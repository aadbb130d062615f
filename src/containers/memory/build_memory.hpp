// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memory that building a matrix from entries takes (build_matrix.cpp).

#include <cstddef>

namespace tropic::detail {

/// The maximum bytes that build_matrix holds beside the given entries. `value_size`: 0 if all
/// entries have one value. For each row 8 bytes of offsets twice, before and after merging, and 4
/// or 8 of the result; for each entry a column and its origin, and the column and value of the
/// result, before which 2 bytes and the buckets of the threads are in their place. Entries that
/// ascend need less.
constexpr std::size_t bytes_to_build(std::size_t rows, std::size_t entries,
                                     std::size_t value_size) {
  const std::size_t source = entries > 0xffffffffU ? 8 : 4;
  return 24 * (rows + 1) + entries * (8 + source + value_size);
}

}  // namespace tropic::detail
