// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products of matrices over (plus, pair) by rows of A and B': an entry is the number of columns
// that two rows share, and no value is read. For each position (i, j) of the mask, one of these:
//
//   words    the words that bitmaps of both rows have in common; up to 512 columns an instruction
//   bits     each column of row i is looked up in the bitmap of row j
//   marks    each column of row j is looked up in bytes that mark row i
//   merge    both rows are walked; if neither has more than four columns, all are compared at once
//   search   each column of row i is searched in a row j that is much longer
//
// Rows of B' have bitmaps where they are dense between their first and last column, as those of
// hubs are after an ordering by degree: half of the positions that count triangles on a Kronecker
// graph select such rows, and three quarters of the work (docs/notes/cpu-triangles.md). A bitmap
// takes at most 16 bytes for each entry of its row.

#include <cstddef>
#include <cstdint>

#include <tropic/detail/cpu/mxm_table.hpp>

#include "backends/cpu/counted_memory.hpp"

namespace tropic::detail::on_cpu {

/// Whether every product is 1, and a sum of up to `max_products` of them their number.
bool counts_products(const semiring_description& semiring, std::size_t max_products);

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
  bool empty() const { return number_.as<std::uint32_t>() == nullptr; }
  const std::uint64_t* words(const bitmap& b) const { return words_.as<std::uint64_t>() + b.at; }

 private:
  counted_memory number_;  // of a row, plus one
  counted_memory bitmaps_, words_;
};

/// Counts for rows of A. A thread has one of its own.
class shared_columns {
 public:
  /// A matrix of more columns has none that is compared in groups of four.
  static constexpr std::uint32_t most_columns = 0xfffffffe;

  /// `columns`: of A and of B', which have so many entries. `b_is_lower`: all columns of row j of
  /// B' are before j.
  shared_columns(context_state& context, const row_bitmaps& bitmaps, std::size_t columns,
                 std::size_t a_entries, std::size_t b_entries, bool b_is_lower);

  /// At every position (i, j) of the mask in rows [begin, end): the number of columns that row i of
  /// A and row j of B' share, in the type `z`, where there is one, row after row. `lengths`: of
  /// each row, the number of these entries. Returns their number.
  std::size_t count(const mxm_arguments& arguments, std::size_t begin, std::size_t end,
                    const type_description& z, std::uint64_t* lengths, std::uint32_t* columns,
                    std::byte* values);
  /// The sum of these numbers.
  std::uint64_t sum(const mxm_arguments& arguments, std::size_t begin, std::size_t end);

 private:
  const row_bitmaps& bitmaps_;
  const std::size_t a_entries_, b_entries_;
  const bool b_is_lower_;
  counted_memory marks_, words_;  // of the row of A: all 0 between calls
};

}  // namespace tropic::detail::on_cpu
