// SPDX-License-Identifier: Apache-2.0
#pragma once

// The number of columns that a row of A, which may be marked, shares with one of B': by words and
// bits of a bitmap, by search, by merge, or all at once where both have at most four
// (shared_columns.hpp says where each is used).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/mxm/row_bitmaps.hpp"

namespace tropic::detail::on_cpu {

inline bool has_bit(const std::uint64_t* words, std::size_t column) {
  return (words[column / 64] >> column % 64 & 1) != 0;
}

struct marked_row {
  std::uint8_t* marks;
  std::uint64_t* words;
  const std::uint32_t *begin, *end;  // its columns
  std::size_t length() const { return static_cast<std::size_t>(end - begin); }
  // Marking a short row would take longer than it saves.
  bool is_marked() const { return length() > 4; }
};

inline std::size_t shared_words(const std::uint64_t* x, const std::uint64_t* y, std::size_t count) {
  std::size_t shared = 0;
  for (std::size_t w = 0; w < count; w += row_bitmaps::group)
    for (std::size_t n = w; n < w + row_bitmaps::group; ++n)
      shared += static_cast<std::size_t>(std::popcount(x[n] & y[n]));
  return shared;
}

// Columns ascend: those before the bitmap are skipped, and the first one behind it ends the search.
inline std::size_t shared_bits(const marked_row& row, const std::uint64_t* words,
                               std::size_t first_word, std::size_t words_count) {
  const std::size_t first = 64 * first_word, count = 64 * words_count;
  std::size_t shared = 0;
  for (const std::uint32_t* at = row.begin; at < row.end; ++at) {
    if (*at >= first + count) break;
    if (*at >= first) shared += has_bit(words, *at - first);
  }
  return shared;
}

inline std::size_t shared_by_search(const marked_row& row, const std::uint32_t* from,
                                    const std::uint32_t* end) {
  std::size_t shared = 0;
  for (const std::uint32_t* at = row.begin; at < row.end; ++at) {
    from = std::lower_bound(from, end, *at);
    if (from == end) break;
    shared += *from == *at;
  }
  return shared;
}

// For two short rows.
inline std::size_t shared_by_merge(const marked_row& row, const std::uint32_t* from,
                                   const std::uint32_t* end) {
  std::size_t shared = 0;
  for (const std::uint32_t* at = row.begin; at < row.end && from < end;) {
    const std::uint32_t x = *at, y = *from;
    shared += x == y;
    at += x <= y;
    from += y <= x;
  }
  return shared;
}

// Up to four columns in one register, the others of which are `other`: a value of no column.
struct few_columns {
  static constexpr std::size_t capacity = 4;
  using lanes = std::uint32_t __attribute__((vector_size(16)));
  lanes column;

  // `from` has four elements, `count` of which are columns.
  few_columns(const std::uint32_t* from, std::size_t count, std::uint32_t other) {
    constexpr lanes number = {0, 1, 2, 3};
    std::memcpy(&column, from, sizeof column);
    column = number < static_cast<std::uint32_t>(count) ? column : lanes{} + other;
  }
  // Each lane's share of the columns that both have.
  lanes shared_with(const few_columns& other) const {
    const lanes x = column, y = other.column;
    return lanes{} - static_cast<lanes>(x == y) -
           static_cast<lanes>(x == __builtin_shufflevector(y, y, 1, 2, 3, 0)) -
           static_cast<lanes>(x == __builtin_shufflevector(y, y, 2, 3, 0, 1)) -
           static_cast<lanes>(x == __builtin_shufflevector(y, y, 3, 0, 1, 2));
  }
};

}  // namespace tropic::detail::on_cpu
