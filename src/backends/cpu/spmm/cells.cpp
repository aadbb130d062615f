// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/spmm/cells.hpp"

#include <algorithm>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t tile = 32;     // rows and columns that are transposed together
constexpr std::size_t strip = 4096;  // columns of a band of rows that one thread takes

// Cells of rows [begin, end), a band, in columns [left, right).
template <std::size_t N>
void transpose_strip(std::byte* to, const std::byte* from, const cell_arrays& shape,
                     std::size_t begin, std::size_t end, std::size_t left, std::size_t right,
                     std::size_t bytes) {
  for (std::size_t first = left; first < right; first += tile) {
    const std::size_t last = std::min(right, first + tile);
    for (std::size_t j = first; j < last; ++j)
      for (std::size_t i = begin; i < end; ++i)
        copy_element<N>(to, j * shape.rows + i, from, i * shape.leading + j, bytes);
  }
}

buffer_pointer transposed_array(const memory_side& here, const buffer_pointer& array,
                                const cell_arrays& shape, std::size_t bytes) {
  const buffer_pointer result = here.allocate(shape.rows * shape.columns, bytes);
  const auto* from = here.read_as<std::byte>(array);
  auto* to = here.write_as<std::byte>(result);
  // A batch of few rows is one band: columns are divided as well.
  const std::size_t bands = divide_up(shape.rows, tile), strips = divide_up(shape.columns, strip);
  for_blocks(here.threads(), bands * strips, [&](std::size_t n) {
    const std::size_t begin = n / strips * tile, end = std::min(shape.rows, begin + tile);
    const std::size_t left = n % strips * strip, right = std::min(shape.columns, left + strip);
    with_element_size(bytes, [&]<std::size_t N>() {
      transpose_strip<N>(to, from, shape, begin, end, left, right, bytes);
    });
  });
  return result;
}

}  // namespace

cell_arrays transposed(const memory_side& here, const cell_arrays& from, std::size_t bytes) {
  cell_arrays result{from.columns, from.rows, from.rows,
                     transposed_array(here, from.values, from, bytes), nullptr};
  if (from.present != nullptr) {
    cell_arrays flags = from;
    flags.leading = from.columns;
    result.present = transposed_array(here, from.present, flags, 1);
  }
  return result;
}

buffer_pointer rows_with_entries(const memory_side& here, const cell_arrays& from) {
  const buffer_pointer result = here.allocate(from.rows, 1);
  const auto* present = here.read_as<std::uint8_t>(from.present);
  auto* rows = here.write_as<std::uint8_t>(result);
  for_chunks(here.threads(), from.rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      std::uint8_t any = 0;
      for (std::size_t j = 0; j < from.columns; ++j)
        any = static_cast<std::uint8_t>(any | present[row * from.columns + j]);
      rows[row] = any;
    }
  });
  return result;
}

}  // namespace tropic::detail::on_cpu
