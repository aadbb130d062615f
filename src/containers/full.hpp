// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <tropic/detail/full.hpp>
#include <tropic/error.hpp>

namespace tropic::detail {

struct strided_cells {
  buffer_pointer values;  // row i begins at element i * leading
  index_t leading = 0;
  std::mutex mutex;
  std::optional<vector_base> packed;  // under the mutex until it is set
};

/// "5x3".
inline std::string shape_of(index_t rows, index_t columns) {
  return std::to_string(rows) + "x" + std::to_string(columns);
}
/// Their product; throws usage_error if that exceeds 2^32.
inline index_t positions_of(index_t rows, index_t columns) {
  check_dimensions(rows, columns);
  if (rows > 0 && columns > largest_dimension / rows)
    throw usage_error("full matrix: " + shape_of(rows, columns) +
                      " has more than 4294967296 positions");
  return rows * columns;
}
inline full_base full_with(index_t rows, index_t columns, vector_base cells) {
  full_base result;
  result.rows = rows;
  result.columns = columns;
  result.cells = std::move(cells);
  return result;
}

}  // namespace tropic::detail
