// SPDX-License-Identifier: Apache-2.0
#pragma once

// The entries of a matrix while they are placed and sorted (placed_rows.hpp). A bucket is
// 2^shift consecutive rows; its entries are together in the arrays of the result, in the order of
// the list. Sorting them leaves the matrix.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tropic/read_matrix.hpp>

#include "io/entries.hpp"

namespace tropic::io::detail {

struct placed_buckets {
  std::size_t rows = 0, total = 0;       ///< of the matrix; of the list
  std::size_t buckets = 0, largest = 0;  ///< how many; the entries of the largest
  int shift = 0, column_bits = 0;
  bool is_packed = false;            ///< a column's free bits hold the row's number in its bucket
  std::vector<std::uint64_t> begin;  ///< of each bucket, then the total
  std::unique_ptr<std::uint16_t[]> local;  ///< the row's number in its bucket, unless packed
  tropic::detail::matrix_base result{};
  std::size_t value_size = 0;  ///< 0: one value for all entries

  std::uint32_t* columns() {
    return static_cast<std::uint32_t*>(result.column_indices->host_write(access));
  }
  std::byte* values() {
    return value_size == 0 ? nullptr : static_cast<std::byte*>(result.values->host_write(access));
  }
  static constexpr auto access = tropic::detail::access::modify;

  /// Sorts the entries by row and column, merges repeated ones by `rule` and sets the offsets and
  /// the number of entries of the result; its arrays may keep unused room at their ends. False if
  /// the repeated entries are not to be merged here.
  bool sort(tropic::duplicates rule, const job& work);
};

}  // namespace tropic::io::detail
