// SPDX-License-Identifier: Apache-2.0

// Conversions are counted against the memory limit, and evicted when memory runs short.

#include "backends/device/formats/format_cache.hpp"

#include <chrono>

namespace tropic::detail {

format_cache::format format_cache::find(const matrix_base& m, std::string_view name) const {
  const std::lock_guard lock(m.derived->mutex);
  const auto known = m.derived->formats.find(name);
  return known != m.derived->formats.end() ? known->second : nullptr;
}

format_cache::format format_cache::find_or_make(const matrix_base& m, std::string_view name,
                                                const program_request& request, const maker& make,
                                                completion end) {
  const std::lock_guard lock(m.derived->mutex);
  const auto known = m.derived->formats.find(name);
  if (known != m.derived->formats.end()) return known->second;
  m.derived->building = true;
  struct guard {
    derived_copies& copies;
    ~guard() { copies.building = false; }
  } built{*m.derived};
  auto result = std::make_shared<converted_copy>();
  // Compiled before the clock starts.
  const compiled_program* program = device_.runtime().program(request);
  const auto start = std::chrono::steady_clock::now();
  make(*result, program);
  if (end == completion::awaited) device_.runtime().finish();
  result->seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  m.derived->formats.emplace(name, result);
  remember_derived(device_.state(), m.derived);
  return result;
}

format_cache::format format_cache::row_indices(const matrix_base& m) {
  return find_or_make(
      m, "row_indices", {.kernel = "row_indices"}, [&](converted_copy& result, auto* program) {
        const auto nnz = static_cast<std::uint64_t>(m.nnz),
                   rows = static_cast<std::uint64_t>(m.rows);
        result.parts.push_back(device_.allocate(nnz * sizeof(std::uint32_t)));
        const void* offsets = device_.read(m.offsets);
        void* to = device_.write(result.parts.front());
        const std::uint32_t wide = m.wide;
        const kernel_argument list[] = {rows, nnz, offsets, wide, to};
        device_.launch_over(nnz, "conversion to coo", *program, "t_row_indices", list);
      });
}

format_cache::format format_cache::tile_rows(const matrix_base& m, std::uint64_t tile) {
  const auto make = [&](converted_copy& result, auto* program) {
    const auto nnz = static_cast<std::uint64_t>(m.nnz), rows = static_cast<std::uint64_t>(m.rows);
    const std::uint64_t tiles = (nnz + tile - 1) / tile;
    result.parts.push_back(device_.allocate(tiles * 2 * sizeof(std::uint32_t)));
    const void* offsets = device_.read(m.offsets);
    void* to = device_.write(result.parts.front());
    const std::uint32_t wide = m.wide;
    const kernel_argument list[] = {rows, nnz, offsets, wide, tile, to};
    device_.launch_over(tiles, "rows of tiles", *program, "t_tile_rows", list);
  };
  return find_or_make(m, "tile_rows:" + std::to_string(tile), {.kernel = "row_indices"}, make,
                      completion::queued);
}

format_cache::format format_cache::row_pattern(const matrix_base& m) {
  return find_or_make(
      m, "row_pattern", {.kernel = "row_pattern"}, [&](converted_copy& result, auto* program) {
        const auto rows = static_cast<std::uint64_t>(m.rows);
        result.parts.push_back(device_.allocate(rows));
        const void* offsets = device_.read(m.offsets);
        void* to = device_.write(result.parts.front());
        const std::uint32_t wide = m.wide;
        const kernel_argument list[] = {rows, offsets, wide, to};
        device_.launch_over(rows, "pattern of rows", *program, "t_row_pattern", list);
      });
}

}  // namespace tropic::detail
