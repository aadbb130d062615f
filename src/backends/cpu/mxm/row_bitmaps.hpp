// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bitmaps of the rows of a matrix, for products that count shared columns (shared_columns.hpp).
// Rows of B' have bitmaps where they are dense between their first and last column, as those of
// hubs are after an ordering by degree: half of the positions that count triangles on a Kronecker
// graph select such rows, and three quarters of the work (docs/notes/cpu-triangles.md). A bitmap
// takes at most 16 bytes for each entry of its row.

#include <cstddef>
#include <cstdint>

#include <tropic/detail/cpu/mxm_table.hpp>

#include "backends/cpu/counted_memory.hpp"

namespace tropic::detail::on_cpu {

/// Bitmaps of the rows of a matrix that are dense enough. Empty if none is, or if they do not fit
/// the context's memory.
class row_bitmaps {
 public:
  /// The columns [64 first, 64 (first + count)) of a row; whole groups of words.
  struct bitmap {
    std::uint32_t first, count;
    std::size_t at;
  };
  static constexpr std::size_t group = 8;  // 512 bits
  /// Whether bitmaps may pay for themselves in a matrix whose longest row has so many entries.
  static bool can_gain(std::size_t longest_row) { return longest_row > 2 * group; }

  row_bitmaps() = default;
  row_bitmaps(context_state& context, const csr_arrays& of, std::size_t rows, int threads);

  std::size_t bytes() const { return number_.bytes() + bitmaps_.bytes() + words_.bytes(); }
  /// Null if the row has none.
  const bitmap* of_row(std::size_t row) const {
    const auto* const numbers = number_.as<std::uint32_t>();
    if (numbers == nullptr || numbers[row] == 0) return nullptr;
    return bitmaps_.as<bitmap>() + (numbers[row] - 1);
  }
  /// Words of a bitmap that reaches to column `columns`, whole groups.
  static std::size_t words_of(std::size_t columns) {
    return (columns + 64 * group - 1) / (64 * group) * group;
  }
  bool empty() const { return number_.as<std::uint32_t>() == nullptr; }
  const std::uint64_t* words(const bitmap& b) const { return words_.as<std::uint64_t>() + b.at; }

 private:
  counted_memory number_;  // of a row, plus one
  counted_memory bitmaps_, words_;
};

}  // namespace tropic::detail::on_cpu
