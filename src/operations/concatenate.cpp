// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <numeric>
#include <vector>

#include <tropic/detail/structure.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/integers.hpp"
#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// The number of a tile in messages: "tile (1, 0)".
std::string tile_name(std::size_t n, std::size_t columns) {
  return "tile (" + std::to_string(n / columns) + ", " + std::to_string(n % columns) + ")";
}

void check_tiles(const tile_grid& grid) {
  for (std::size_t n = 0; n < grid.tiles.size(); ++n) {
    const matrix_base& first = grid(0, 0);
    const matrix_base& tile = *grid.tiles[n];
    const matrix_base& beside = grid(n / grid.columns, 0);
    const matrix_base& above = grid(0, n % grid.columns);
    common_backend("concatenate", first, tile);
    check_same_type("concatenate", tile_name(n, grid.columns).c_str(), *tile.type, *first.type);
    if (tile.rows != beside.rows || tile.columns != above.columns)
      throw usage_error("concatenate: " + tile_name(n, grid.columns) + " is " + shape(tile) +
                        ", needs " + std::to_string(beside.rows) + "x" +
                        std::to_string(above.columns));
  }
}

// Where parts begin, the end of the last one included. Throws unless they sum to `size`.
std::vector<index_t> starts_of(const char* what, std::span<const index_t> sizes, index_t size) {
  std::vector<index_t> start{0};
  for (const index_t part : sizes) {
    if (part < 0 || part > size - start.back())
      throw usage_error("split: the " + std::string(what) + " do not sum to " +
                        std::to_string(size));
    start.push_back(start.back() + part);
  }
  if (start.back() != size)
    throw usage_error("split: the " + std::string(what) + " sum to " +
                      std::to_string(start.back()) + ", needed " + std::to_string(size));
  return start;
}

std::vector<index_t> listed(index_t begin, index_t end) {
  std::vector<index_t> list(as_size(end - begin));
  std::iota(list.begin(), list.end(), begin);
  return list;
}

}  // namespace

matrix_base concatenate(std::span<const matrix_base* const> tiles, std::size_t columns) {
  if (tiles.empty() || columns == 0 || tiles.size() % columns != 0)
    throw usage_error("concatenate: " + std::to_string(tiles.size()) + " tiles, " +
                      std::to_string(columns) + " in a row");
  const tile_grid grid{tiles, columns};
  check_tiles(grid);
  index_t height = 0, width = 0;
  // Each sum is checked before the next term, so that none overflows.
  for (std::size_t r = 0; r < grid.rows(); ++r) check_dimensions(height += grid(r, 0).rows, 0);
  for (std::size_t k = 0; k < columns; ++k) check_dimensions(0, width += grid(0, k).columns);
  return in_step("concatenate", [&] {
    const matrix_base& first = grid(0, 0);
    matrix_base c = empty_matrix(first.context, *first.type, height, width);
    first.context->executor->concatenate(c, grid);
    return c;
  });
}

vector_base concatenate(std::span<const vector_base* const> parts) {
  if (parts.empty()) throw usage_error("concatenate: no parts");
  const vector_base& first = *parts.front();
  index_t size = 0;
  for (const vector_base* part : parts) {
    common_backend("concatenate", first, *part);
    check_same_type("concatenate", "a part", *part->type, *first.type);
    check_dimensions(size += part->size, 0);
  }
  return in_step("concatenate", [&] {
    std::vector<vector_base> sparse;
    std::size_t count = 0;
    for (const vector_base* part : parts) {
      sparse.push_back(*part);
      convert(sparse.back(), vector_storage::sparse);
      count += as_size(sparse.back().nvals);
    }
    vector_base result = empty_vector(first.context, *first.type, size);
    if (count == 0) return result;
    const std::size_t bytes = first.type->size;
    result.indices = make_buffer(first.context, count * sizeof(std::uint32_t));
    result.values = make_buffer(first.context, count * bytes);
    auto* index = static_cast<std::uint32_t*>(result.indices->host_write());
    auto* value = static_cast<std::byte*>(result.values->host_write());
    cancel_watch watch(first.context);
    index_t begin = 0;
    for (const vector_base& part : sparse) {
      watch.check();
      const std::size_t here = as_size(part.nvals);
      if (here > 0) {
        const auto* from = static_cast<const std::uint32_t*>(part.indices->host());
        for (std::size_t n = 0; n < here; ++n)
          index[n] = static_cast<std::uint32_t>(begin + from[n]);
        std::memcpy(value, part.values->host(), here * bytes);
      }
      index += here;
      value += here * bytes;
      begin += part.size;
    }
    result.nvals = static_cast<index_t>(count);
    if (result.nvals == result.size) convert(result, vector_storage::full);
    return result;
  });
}

std::vector<matrix_base> split(const matrix_base& a, std::span<const index_t> heights,
                               std::span<const index_t> widths) {
  const std::vector<index_t> top = starts_of("heights", heights, a.rows);
  const std::vector<index_t> left = starts_of("widths", widths, a.columns);
  std::vector<matrix_base> result;
  for (std::size_t r = 0; r < heights.size(); ++r)
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const std::vector<index_t> rows = listed(top[r], top[r + 1]),
                                 columns = listed(left[k], left[k + 1]);
      const std::span<const index_t> in_rows(rows), in_columns(columns);
      result.push_back(empty_matrix(a.context, *a.type, heights[r], widths[k]));
      extract(result.back(), {.matrix = a}, &in_rows, &in_columns, {});
    }
  return result;
}

std::vector<vector_base> split(const vector_base& u, std::span<const index_t> sizes) {
  const std::vector<index_t> start = starts_of("sizes", sizes, u.size);
  std::vector<vector_base> result;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const std::vector<index_t> list = listed(start[n], start[n + 1]);
    const std::span<const index_t> positions(list);
    result.push_back(empty_vector(u.context, *u.type, sizes[n]));
    extract(result.back(), u, &positions, {});
  }
  return result;
}

}  // namespace tropic::detail
