// SPDX-License-Identifier: Apache-2.0
#include "backends/device/matrices/sorted_entries.hpp"

#include <algorithm>

#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {

bool are_few_entries(std::initializer_list<const matrix_base*> all) {
  index_t entries = 0;
  for (const matrix_base* m : all) {
    if (m == nullptr) continue;
    if (m->rows >= largest_dimension) return false;
    entries += m->nnz;
  }
  return entries < largest_dimension - 1;
}

void lay_out_sorted(device_context& device, std::string_view operation, matrix_base& result,
                    const sorted_keys& sorted) {
  const auto rows = static_cast<std::uint64_t>(result.rows),
             nnz = static_cast<std::uint64_t>(result.nnz);
  result.offsets = device.allocate((rows + 1) * sizeof(std::uint32_t));
  const void* keys = device.read(sorted.keys);
  void* to = device.write(result.offsets);
  const kernel_argument list[] = {rows, nnz, keys, to};
  device.launch_over(rows + 1, operation, matrices_program(device), "t_offsets_of_sorted", list);
  inspect_rows(device, operation, result);
}

void inspect_rows(device_context& device, std::string_view operation, matrix_base& m) {
  const matrix_arguments c(device, m);
  const buffer_pointer counts = device.allocate(2 * sizeof(std::uint32_t));
  void* to = device.write(counts);
  device.runtime().fill(to, 0, counts->bytes());
  const kernel_argument list[] = {c.rows, c.offsets, c.wide, to};
  const std::size_t group = device.group_size(128);
  if (c.rows > 0)
    device.runtime().launch(operation, matrices_program(device), "t_row_lengths", list,
                            device.groups_over(c.rows, group), group);
  const auto* found = static_cast<const std::uint32_t*>(counts->host());
  m.longest_row = found[0];
  m.empty_rows = found[1];
}

const compiled_program& matrices_program(device_context& device) {
  return *device.runtime().program(
      {.kernel = "matrices",
       .constants = {{"T_GROUP_SIZE", static_cast<long>(device.group_size(128))}}});
}

placed_entries placed(device_context& device, std::string_view operation, const matrix_base& a,
                      const new_places& at, index_t rows, index_t columns) {
  const matrix_arguments from(device, a);
  const auto* program = device.runtime().program({.kernel = "listed"});
  const buffer_pointer row_of = device.allocate(from.nnz * sizeof(std::uint32_t)),
                       column_of = device.allocate(from.nnz * sizeof(std::uint32_t));
  const void *from_columns = device.read(a.column_indices), *row_list = device.read(at.rows),
             *column_list = device.read(at.columns);
  const std::uint32_t some_rows = at.rows != nullptr, some_columns = at.columns != nullptr;
  void *to_rows = device.write(row_of), *to_columns = device.write(column_of);
  const kernel_argument map[] = {from.rows,    from.nnz, from.offsets, from.wide,
                                 from_columns, row_list, some_rows,    column_list,
                                 some_columns, to_rows,  to_columns};
  device.launch_over(from.nnz, operation, *program, "t_map_entries", map);
  // By column, then by row: each sort keeps the order of what is equal.
  const sorted_keys by_column = sort_keys(device, operation, from.nnz, column_of, columns);
  placed_entries result;
  result.by_row = sort_keys(device, operation, from.nnz,
                            gathered(device, operation, row_of, by_column.order, from.nnz), rows);
  const buffer_pointer order =
      gathered(device, operation, by_column.order, result.by_row.order, from.nnz);
  result.columns = gathered(device, operation, column_of, order, from.nnz);
  result.values = a.iso ? a.values : gathered_values(device, operation, a, order);
  return result;
}

buffer_pointer gathered_values(device_context& device, std::string_view operation,
                               const matrix_base& a, const buffer_pointer& order) {
  const matrix_arguments c(device, a);
  buffer_pointer result = device.allocate(c.nnz * c.bytes);
  const void *by = device.read(order), *from = device.read(a.values);
  void* to = device.write(result);
  const kernel_argument list[] = {c.nnz, by, from, to, c.bytes};
  device.launch_over(c.nnz, operation, *device.runtime().program({.kernel = "listed"}),
                     "t_gather_values", list);
  return result;
}

}  // namespace tropic::detail
