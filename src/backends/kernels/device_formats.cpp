// SPDX-License-Identifier: Apache-2.0

// Matrices in other formats than CSR, made when a kernel first asks for one, kept with the matrix,
// counted against the memory limit, evicted when memory runs short.

#include <chrono>
#include <cstring>

#include <tropic/error.hpp>

#include "backends/kernels/device_backend.hpp"

namespace tropic::detail {

template <class Make>
std::shared_ptr<const converted_copy> device_backend::format(const matrix_base& m,
                                                             std::string_view name,
                                                             std::string_view kernel, Make make) {
  const std::lock_guard lock(m.derived->mutex);
  const auto known = m.derived->formats.find(name);
  if (known != m.derived->formats.end()) return known->second;
  m.derived->building = true;
  struct guard {
    derived_copies& copies;
    ~guard() { copies.building = false; }
  } built{*m.derived};
  auto made = std::make_shared<converted_copy>();
  // Compiled before the clock starts.
  const compiled_program* program =
      kernel.empty() ? nullptr : runtime_->program({.kernel = kernel});
  const auto start = std::chrono::steady_clock::now();
  make(*made, program);
  runtime_->finish();
  made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  m.derived->formats.emplace(name, made);
  remember_derived(context_, m.derived);
  return made;
}

std::shared_ptr<const converted_copy> device_backend::row_indices(const matrix_base& m) {
  return format(m, "row_indices", "row_indices", [&](converted_copy& made, auto* program) {
    const auto nnz = static_cast<std::uint64_t>(m.nnz), rows = static_cast<std::uint64_t>(m.rows);
    made.parts.push_back(allocate(nnz * sizeof(std::uint32_t)));
    const void* offsets = read_device(m.offsets);
    void* to = write_device(made.parts[0]);
    const std::uint32_t wide = m.wide;
    const kernel_argument list[] = {rows, nnz, offsets, wide, to};
    launch_over(nnz, "conversion to coo", *program, "t_row_indices", list);
  });
}

// The rows of the first and the last of every `tile` entries.
std::shared_ptr<const converted_copy> device_backend::tile_rows(const matrix_base& m,
                                                                std::uint64_t tile) {
  return format(m, "tile_rows:" + std::to_string(tile), "row_indices",
                [&](converted_copy& made, auto* program) {
                  const auto nnz = static_cast<std::uint64_t>(m.nnz),
                             rows = static_cast<std::uint64_t>(m.rows);
                  const std::uint64_t tiles = (nnz + tile - 1) / tile;
                  made.parts.push_back(allocate(tiles * 2 * sizeof(std::uint32_t)));
                  const void* offsets = read_device(m.offsets);
                  void* to = write_device(made.parts[0]);
                  const std::uint32_t wide = m.wide;
                  const kernel_argument list[] = {rows, nnz, offsets, wide, tile, to};
                  launch_over(tiles, "rows of tiles", *program, "t_tile_rows", list);
                });
}

// A byte a row, set where it has entries.
std::shared_ptr<const converted_copy> device_backend::row_pattern(const matrix_base& m) {
  return format(m, "row_pattern", "row_pattern", [&](converted_copy& made, auto* program) {
    const auto rows = static_cast<std::uint64_t>(m.rows);
    made.parts.push_back(allocate(rows));
    const void* offsets = read_device(m.offsets);
    void* to = write_device(made.parts[0]);
    const std::uint32_t wide = m.wide;
    const kernel_argument list[] = {rows, offsets, wide, to};
    launch_over(rows, "pattern of rows", *program, "t_row_pattern", list);
  });
}

// A work-item each of n, some rounds of them where they are very many.
void device_backend::launch_over(std::uint64_t n, std::string_view operation,
                                 const compiled_program& program, const char* kernel,
                                 std::span<const kernel_argument> list) {
  const std::size_t group = std::min<std::size_t>(128, runtime_->traits().group_limit);
  const std::size_t groups = static_cast<std::size_t>((n + group - 1) / group);
  runtime_->launch(operation, program, kernel, list,
                   std::min(groups, 64 * runtime_->traits().processors), group);
}

// segments (row offsets in units of 16 entries), columns, values (none where iso).
std::shared_ptr<const converted_copy> device_backend::padded(const matrix_base& m) {
  constexpr std::size_t unit = 16;
  constexpr std::uint32_t no_column = ~std::uint32_t{0};
  return format(m, "padded:16", "", [&](converted_copy& made, auto*) {
    const auto rows = static_cast<std::size_t>(m.rows);
    const auto offset = [&](std::size_t row) {
      return static_cast<std::size_t>(offset_at(m, static_cast<index_t>(row)));
    };
    made.parts.push_back(allocate((rows + 1) * sizeof(std::uint32_t)));
    auto* segments = static_cast<std::uint32_t*>(made.parts[0]->host_write());
    std::size_t sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      segments[row] = static_cast<std::uint32_t>(sum);
      sum += (offset(row + 1) - offset(row) + unit - 1) / unit;
      if (sum > ~std::uint32_t{0})
        throw usage_error("csr_padded: the padded matrix has more than 2^36 entries");
    }
    segments[rows] = static_cast<std::uint32_t>(sum);
    const std::size_t bytes = m.type->size;
    made.parts.push_back(allocate(sum * unit * sizeof(std::uint32_t)));
    if (!m.iso) made.parts.push_back(allocate(sum * unit * bytes));
    auto* columns = static_cast<std::uint32_t*>(made.parts[1]->host_write());
    auto* values = m.iso ? nullptr : static_cast<std::byte*>(made.parts[2]->host_write());
    const auto* from = static_cast<const std::uint32_t*>(m.column_indices->host());
    const auto* from_values = m.iso ? nullptr : static_cast<const std::byte*>(m.values->host());
#pragma omp parallel for num_threads(threads()) schedule(static) if (sum > 4096)
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t begin = offset(row), length = offset(row + 1) - begin;
      const std::size_t to = segments[row] * unit, end = segments[row + 1] * unit;
      std::memcpy(columns + to, from + begin, length * sizeof(std::uint32_t));
      std::fill(columns + to + length, columns + end, no_column);
      if (values == nullptr) continue;
      std::memcpy(values + to * bytes, from_values + begin * bytes, length * bytes);
      std::memset(values + (to + length) * bytes, 0, (end - to - length) * bytes);
    }
  });
}

}  // namespace tropic::detail
