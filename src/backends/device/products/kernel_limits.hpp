// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers that the texts of kernels and their launches depend on. Each is a constant of the program
// (kernel_table.cpp), so that it is written once.

#include <cstdint>

namespace tropic::detail {

/// coo, csr_segmented: work-items that run at once on a processor, five groups of 256. So many that
/// others have work while some wait for memory; with more of them, fewer than 48 registers each are
/// left, and sums are slower (docs/notes/segmented-sum.md). T_RESIDENT_BY_TILES.
inline constexpr std::uint32_t resident_by_tiles = 1280;

/// csr_listed: the same, with 64 registers each, as entries of several rows are under way. With
/// fewer registers values are spilled (docs/notes/wanted-rows.md). T_RESIDENT_BY_LISTS.
inline constexpr std::uint32_t resident_by_lists = 1024;
/// Rows that a work-item looks at together when it lists them: T_PER_ITEM.
inline constexpr std::uint32_t rows_listed_together = 8;

/// csr_vector, where rows are listed: of a block, at most so many are a work-item's. T_MOST_ROWS.
inline constexpr std::uint32_t most_wanted_rows = 8;

/// csr_bits: the columns between two bits that are always 0, so that a distance of 16 bits leads
/// from one of these to the next, and that they are in different banks of local memory:
/// T_BETWEEN_ZEROS. Column c has bit c + c / T_BETWEEN_ZEROS + 1.
inline constexpr std::uint32_t columns_between_zeros = 2047 * 32 - 1;
/// Of n columns, and the zero behind the last of them.
inline constexpr std::uint64_t bits_of_columns(std::uint64_t n) {
  constexpr std::uint64_t period = columns_between_zeros + 1;
  return (n + columns_between_zeros - 1) / columns_between_zeros * period + 1;
}
/// Words of bits that a subgroup makes of u together: T_WORDS.
inline constexpr std::uint32_t words_packed_together = 4;
/// Bytes of local memory beside the bits, for a counter: T_COUNTER_BYTES.
inline constexpr std::uint32_t bytes_beside_bits = 16;

/// push: entries of the longest row that a work-item takes alone, and of a piece of a longer one.
/// T_SHORT, T_PIECE.
inline constexpr std::uint32_t short_row_of_push = 16, piece_of_push = 512;

}  // namespace tropic::detail
