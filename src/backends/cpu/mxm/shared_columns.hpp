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

#include <cstddef>
#include <cstdint>

#include <tropic/detail/cpu/mxm_table.hpp>

#include "backends/cpu/counted_memory.hpp"
#include "backends/cpu/mxm/row_bitmaps.hpp"

namespace tropic::detail::on_cpu {

/// Whether every product is 1, and a sum of up to `max_products` of them their number.
bool counts_products(const semiring_description& semiring, std::size_t max_products);

/// What is counted: the operands, and what a thread has for a row of A.
struct shared_rows {
  const mxm_arguments& arguments;
  const row_bitmaps& bitmaps;
  std::uint8_t* marks;
  std::uint64_t* words;
  std::size_t a_entries, b_entries;
  bool b_is_lower;
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
  shared_rows rows_of(const mxm_arguments&) const;

  const row_bitmaps& bitmaps_;
  const std::size_t a_entries_, b_entries_;
  const bool b_is_lower_;
  counted_memory marks_, words_;  // of the row of A: all 0 between calls
};

}  // namespace tropic::detail::on_cpu
