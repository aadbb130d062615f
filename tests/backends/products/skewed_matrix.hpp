// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices for kernels that cut long rows into pieces and order columns by their entries.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <tropic/matrix.hpp>

#include "support/cases.hpp"

namespace tropic::testing {

/// Rows of 0 to 5 entries, one of `columns`, two of some thousands; low columns are frequent.
/// Values are from -100 to 99. At least 72 rows.
inline matrix<std::int64_t> skewed_matrix(const context& where, index_t rows,
                                          std::uint32_t columns) {
  std::vector<std::uint32_t> row_of, column_of;
  std::vector<std::int64_t> values;
  dice random(columns);
  for (index_t row = 0; row < rows; ++row) {
    const bool is_whole = row == 7, is_long = row == 70 || row == rows - 1;
    const std::uint32_t count = is_whole  ? columns
                                : is_long ? columns / 2
                                          : static_cast<std::uint32_t>(random.roll(6));
    std::vector<std::uint32_t> found;
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto first = static_cast<std::uint32_t>(random.roll(static_cast<int>(columns))),
                 second = static_cast<std::uint32_t>(random.roll(static_cast<int>(columns)));
      found.push_back(is_whole ? k : std::min(first, second));
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const std::uint32_t column : found) {
      row_of.push_back(static_cast<std::uint32_t>(row));
      column_of.push_back(column);
      values.push_back(random.roll(200) - 100);
    }
  }
  return matrix<std::int64_t>::from_entries(where, rows, columns, row_of, column_of,
                                            std::span<const std::int64_t>(values));
}

}  // namespace tropic::testing
