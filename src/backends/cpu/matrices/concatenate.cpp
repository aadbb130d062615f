// SPDX-License-Identifier: Apache-2.0

// Tiles put together: a row of the result is the rows of its tiles, one after the other.

#include <algorithm>
#include <vector>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/laid_out_rows.hpp"

namespace tropic::detail {

using namespace on_cpu;

void cpu_backend::concatenate(matrix_base& c, const tile_grid& grid) {
  const memory_side here(context_, on_host_);
  std::vector<matrix_view> tiles;
  for (const matrix_base* tile : grid.tiles) tiles.emplace_back(here, *tile);
  std::vector<std::size_t> top{0}, left{0};
  for (std::size_t r = 0; r < grid.rows(); ++r)
    top.push_back(top.back() + tiles[r * grid.columns].rows);
  for (std::size_t k = 0; k < grid.columns; ++k) left.push_back(left.back() + tiles[k].columns);
  // The row of tiles that row r is in.
  const auto band = [&](std::size_t r) {
    return static_cast<std::size_t>(std::upper_bound(top.begin(), top.end(), r) - top.begin()) - 1;
  };
  matrix_base t = matrix_shell(here, *c.type, c.rows, c.columns);
  lay_out_rows(here, t, [&](std::size_t r) {
    const std::size_t of = band(r);
    std::uint64_t length = 0;
    for (std::size_t k = 0; k < grid.columns; ++k)
      length += length_of(tiles[of * grid.columns + k], r - top[of]);
    return length;
  });
  auto* column = here.write_as<std::uint32_t>(t.column_indices);
  auto* values = here.write_as<std::byte>(t.values);
  const matrix_view into(here, t);
  const std::size_t bytes = into.bytes;
  for_row_blocks(here, into, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const std::size_t of = band(r);
      std::size_t at = into.offsets[r];
      for (std::size_t k = 0; k < grid.columns; ++k) {
        const matrix_view& tile = tiles[of * grid.columns + k];
        const std::size_t first = tile.offsets[r - top[of]], count = length_of(tile, r - top[of]);
        if (count == 0) continue;
        for (std::size_t e = 0; e < count; ++e)
          column[at + e] = static_cast<std::uint32_t>(left[k] + tile.column[first + e]);
        if (tile.iso)
          fill(values + at * bytes, tile.values, count, bytes);
        else
          std::memcpy(values + at * bytes, tile.values + first * bytes, count * bytes);
        at += count;
      }
    }
  });
  c = std::move(t);
}

}  // namespace tropic::detail
