// SPDX-License-Identifier: Apache-2.0

// Columns by their number of entries. They are counted and sorted; entries are renumbered and
// sorted by row and column again: O(entries log(rows columns)).

#include <chrono>

#include "containers/cancel_watch.hpp"

#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {

std::optional<hot_columns> matrix_operations::to_hot_columns(const matrix_base& a) {
  if (!are_few_entries({&a}) || a.columns >= largest_dimension || a.nnz == 0) return {};
  constexpr std::string_view operation = "hot columns";
  cancel_watch watch(device_.context());
  watch.check();
  // Compiled, and sent to the device, before the clock starts.
  const auto* program = device_.runtime().program({.kernel = "hot_columns"});
  device_.runtime().program({.kernel = "listed"});
  compile_sort(device_);
  const matrix_arguments c(device_, a);
  const void* columns = device_.read(a.column_indices);
  device_.read(a.values);
  device_.runtime().finish();
  const auto start = std::chrono::steady_clock::now();

  hot_columns hot;
  const auto width = static_cast<std::uint64_t>(a.columns);
  const buffer_pointer places = device_.allocate(width * sizeof(std::uint32_t));
  {
    const buffer_pointer keys = device_.allocate(places->bytes());
    void* counts = device_.write(keys);
    device_.runtime().fill(counts, 0xff, keys->bytes());
    const kernel_argument list[] = {c.nnz, columns, counts};
    device_.launch_over(c.nnz, operation, *program, "t_count_down", list);
    hot.order = sort_keys(device_, operation, width, keys, std::min(a.rows, a.nnz) + 1).order;
  }
  const void* order = device_.read(hot.order);
  void* to = device_.write(places);
  const kernel_argument list[] = {width, order, to};
  device_.launch_over(width, operation, *program, "t_invert_order", list);
  watch.check();

  placed_entries entries = placed(device_, operation, a, {.columns = places}, a.rows, a.columns);
  matrix_base result = a;
  result.derived = make_derived_copies();
  result.structure_version = next_version();
  result.value_version = next_version();
  result.symmetric = false;
  result.column_indices = std::move(entries.columns);
  result.values = std::move(entries.values);
  device_.runtime().finish();
  watch.check();
  hot.matrix = std::make_shared<const matrix_base>(std::move(result));
  hot.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return hot;
}

}  // namespace tropic::detail
