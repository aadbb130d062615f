// SPDX-License-Identifier: Apache-2.0

// Full matrices over the caller's arrays.

#include "containers/full.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

full_base full_from_array(const context_pointer& where, const type_description& type, index_t rows,
                          index_t columns, given_array values, index_t leading) {
  const index_t positions = positions_of(rows, columns);
  if (leading == 0) leading = columns;
  if (leading < columns)
    throw usage_error("full matrix: " + shape_of(rows, columns) + " with rows " +
                      std::to_string(leading) + " elements apart, needs at least " +
                      std::to_string(columns));
  if (rows > 1 && leading > (largest_dimension - columns) / (rows - 1))
    throw usage_error("full matrix: " + std::to_string(rows) + " rows that are " +
                      std::to_string(leading) + " elements apart take more than 4294967296");
  const std::size_t needed = positions == 0 ? 0 : as_size((rows - 1) * leading + columns);
  if (values.size < needed)
    throw usage_error("full matrix: " + shape_of(rows, columns) + " in an array of " +
                      std::to_string(values.size) + " elements, needs " + std::to_string(needed));
  values.size = needed;
  vector_base cells = vector_from_array(where, type, std::move(values));
  if (leading == columns || rows <= 1) return full_with(rows, columns, std::move(cells));
  full_base result = full_with(rows, columns, empty_vector(where, type, positions));
  if (positions == 0) return result;
  result.strided = std::make_shared<strided_cells>();
  result.strided->values = std::move(cells.values);
  result.strided->leading = leading;
  return result;
}

full_base full_from_bitmap(const context_pointer& where, const type_description& type, index_t rows,
                           index_t columns, given_array present, given_array values) {
  const std::size_t positions = as_size(positions_of(rows, columns));
  if (present.size != positions || values.size != positions)
    throw usage_error("full matrix: " + shape_of(rows, columns) + " with " +
                      std::to_string(present.size) + " bytes of presence and " +
                      std::to_string(values.size) + " values, needs " + std::to_string(positions) +
                      " of each");
  vector_base cells = vector_from_array(where, type, std::move(values));
  cells.present = vector_from_array(where, describe<std::uint8_t>(), std::move(present)).values;
  cells.storage = vector_storage::bitmap;
  index_t found = 0;
  if (positions > 0) {
    const auto* flags = static_cast<const std::uint8_t*>(cells.present->host());
    for (std::size_t n = 0; n < positions; ++n) {
      if (flags[n] > 1)
        throw usage_error("full matrix: presence of position (" +
                          std::to_string(n / as_size(columns)) + ", " +
                          std::to_string(n % as_size(columns)) + ") is " +
                          std::to_string(flags[n]) + ", expected 0 or 1");
      found += flags[n];
    }
  }
  cells.nvals = found;
  return full_with(rows, columns, std::move(cells));
}

}  // namespace tropic::detail
