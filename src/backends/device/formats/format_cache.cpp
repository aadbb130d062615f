// SPDX-License-Identifier: Apache-2.0

// Matrices in other formats than CSR, made when a kernel first asks for one, kept with the matrix,
// counted against the memory limit, evicted when memory runs short.

#include <chrono>

#include "backends/device/backend.hpp"

namespace tropic::detail {

std::shared_ptr<const converted_copy> device_backend::format(const matrix_base& m,
                                                             std::string_view name,
                                                             const program_request& request,
                                                             const maker& make) {
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
  const compiled_program* program = runtime_->program(request);
  const auto start = std::chrono::steady_clock::now();
  make(*made, program);
  runtime_->finish();
  made->seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  m.derived->formats.emplace(name, made);
  remember_derived(context_, m.derived);
  return made;
}

std::shared_ptr<const converted_copy> device_backend::row_indices(const matrix_base& m) {
  return format(m, "row_indices", {.kernel = "row_indices"},
                [&](converted_copy& made, auto* program) {
                  const auto nnz = static_cast<std::uint64_t>(m.nnz),
                             rows = static_cast<std::uint64_t>(m.rows);
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
  return format(m, "tile_rows:" + std::to_string(tile), {.kernel = "row_indices"},
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
  return format(m, "row_pattern", {.kernel = "row_pattern"},
                [&](converted_copy& made, auto* program) {
                  const auto rows = static_cast<std::uint64_t>(m.rows);
                  made.parts.push_back(allocate(rows));
                  const void* offsets = read_device(m.offsets);
                  void* to = write_device(made.parts[0]);
                  const std::uint32_t wide = m.wide;
                  const kernel_argument list[] = {rows, offsets, wide, to};
                  launch_over(rows, "pattern of rows", *program, "t_row_pattern", list);
                });
}

void device_backend::scan(std::uint64_t n, const buffer_pointer& sums,
                          const buffer_pointer& total) {
  void *each = write_device(sums, access::modify), *all = write_device(total);
  const kernel_argument list[] = {n, each, all};
  runtime_->launch("scan", *runtime_->program({.kernel = "scan"}), "t_scan", list, 1,
                   group_of(256));
}

// A work-item each of n, some rounds of them where they are very many.
void device_backend::launch_over(std::uint64_t n, std::string_view operation,
                                 const compiled_program& program, const char* kernel,
                                 std::span<const kernel_argument> list) {
  if (n == 0) return;
  const std::size_t group = std::min<std::size_t>(128, runtime_->traits().group_limit);
  const std::size_t groups = static_cast<std::size_t>((n + group - 1) / group);
  runtime_->launch(operation, program, kernel, list,
                   std::min(groups, 64 * runtime_->traits().processors), group);
}

}  // namespace tropic::detail
