// SPDX-License-Identifier: Apache-2.0

// Columns by their number of entries (hot_columns), and vectors in that order. Columns are counted
// and sorted, entries renumbered and sorted by row and column again: O(entries log(rows columns)).

#include <chrono>

#include "backends/device/conversion.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

void device_backend::gather(vector_base& to, const vector_base& u, const buffer_pointer& order) {
  const auto n = static_cast<std::uint64_t>(to.size);
  const auto bytes = static_cast<std::uint32_t>(u.type->size);
  const void *by = read_device(order), *from = read_device(u.values);
  void* values = write_device(to.values);
  const kernel_argument list[] = {n, by, from, values, bytes};
  launch_over(n, "gather", *runtime_->program({.kernel = "listed"}), "t_gather_values", list);
}

std::optional<hot_columns> device_backend::to_hot_columns(const matrix_base& a) {
  if (!are_few_entries({&a}) || a.columns >= largest_dimension || a.nnz == 0) return {};
  constexpr std::string_view operation = "hot columns";
  cancel_watch watch(context_.shared_from_this());
  watch.check();
  // Compiled, and sent to the device, before the clock starts.
  const auto* program = runtime_->program({.kernel = "hot_columns"});
  runtime_->program({.kernel = "listed"});
  compile_sort();
  const conversion c(*this, a);
  const void* columns = read_device(a.column_indices);
  read_device(a.values);
  runtime_->finish();
  const auto start = std::chrono::steady_clock::now();

  hot_columns hot;
  const auto width = static_cast<std::uint64_t>(a.columns);
  const buffer_pointer places = allocate(width * sizeof(std::uint32_t));
  {
    const buffer_pointer keys = allocate(places->bytes());
    void* counts = write_device(keys);
    runtime_->fill(counts, 0xff, keys->bytes());
    const kernel_argument list[] = {c.nnz, columns, counts};
    launch_over(c.nnz, operation, *program, "t_count_down", list);
    hot.order = sort(operation, width, keys, std::min(a.rows, a.nnz) + 1).order;
  }
  const void* order = read_device(hot.order);
  void* to = write_device(places);
  const kernel_argument list[] = {width, order, to};
  launch_over(width, operation, *program, "t_invert_order", list);
  watch.check();

  placed_entries entries = placed(operation, a, {.columns = places}, a.rows, a.columns);
  matrix_base made = a;
  made.derived = make_derived_copies();
  made.structure_version = next_version();
  made.value_version = next_version();
  made.symmetric = false;
  made.column_indices = std::move(entries.columns);
  made.values = std::move(entries.values);
  runtime_->finish();
  watch.check();
  hot.matrix = std::make_shared<const matrix_base>(std::move(made));
  hot.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return hot;
}

}  // namespace tropic::detail
