// SPDX-License-Identifier: Apache-2.0

// A matrix with its rows and columns in new orders. The rows are moved (permute.kernel); then their
// entries are sorted by column. A symmetric matrix whose rows and columns have one order equals its
// transpose, which takes one sort instead of two.

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view name_of_permute = "permute";

// Entries in the new order of their rows, within each in the old order of its columns.
struct moved_rows {
  buffer_pointer offsets;
  buffer_pointer rows, columns;  // of each entry; rows on request
  buffer_pointer sources;        // the number that each entry had; null if a is iso
};

moved_rows move_rows(device_context& device, const matrix_base& a, const permutation& rows,
                     const permutation& columns, bool wants_rows) {
  const compiled_program& program = *device.runtime().program({.kernel = "permute"});
  const matrix_arguments c(device, a);
  const buffer_pointer old_rows = uploaded(device, rows.old_positions()),
                       new_columns = columns.is_identity()
                                         ? nullptr
                                         : uploaded(device, columns.new_positions()),
                       lengths = device.allocate(c.rows * sizeof(std::uint32_t));
  const void *old = device.read(old_rows), *from = device.read(a.column_indices),
             *renamed = device.read(new_columns);
  void* to_lengths = device.write(lengths);
  const kernel_argument of_rows[] = {c.rows, c.offsets, c.wide, old, to_lengths};
  device.launch_over(c.rows, name_of_permute, program, "t_permuted_lengths", of_rows);
  const std::size_t bytes = c.nnz * sizeof(std::uint32_t);
  const moved_rows result{
      .offsets = sums_before(device, c.rows, lengths, sizeof(std::uint32_t)).before,
      .rows = wants_rows ? device.allocate(bytes) : nullptr,
      .columns = device.allocate(bytes),
      .sources = a.iso ? nullptr : device.allocate(bytes)};
  const void* before = device.read(result.offsets);
  void *to_rows = device.write(result.rows), *to_columns = device.write(result.columns),
       *sources = device.write(result.sources);
  const std::uint32_t renumbers = new_columns != nullptr, needs_rows = wants_rows,
                      needs_sources = !a.iso;
  const kernel_argument of_entries[] = {c.rows,     c.offsets, c.wide,       from,    old,
                                        renamed,    renumbers, before,       to_rows, needs_rows,
                                        to_columns, sources,   needs_sources};
  constexpr std::uint64_t lanes = 32;  // T_LANES
  device.launch_over(c.rows * lanes, name_of_permute, program, "t_permute_rows", of_entries);
  return result;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> matrix_operations::rows_by_entries(const matrix_base& a) {
  if (!are_few_entries({&a}) || a.rows == 0) return std::nullopt;
  const matrix_arguments c(device_, a);
  const auto longest = static_cast<std::uint32_t>(a.longest_row);
  const buffer_pointer keys = device_.allocate(c.rows * sizeof(std::uint32_t));
  void* to = device_.write(keys);
  const kernel_argument list[] = {c.rows, c.offsets, c.wide, longest, to};
  device_.launch_over(c.rows, name_of_permute, *device_.runtime().program({.kernel = "permute"}),
                      "t_descending_keys", list);
  const buffer_pointer order =
      sort_keys(device_, name_of_permute, c.rows, keys, a.longest_row + 1).order;
  const auto* found = static_cast<const std::uint32_t*>(order->host());
  return std::vector<std::uint32_t>(found, found + c.rows);
}

std::optional<matrix_base> matrix_operations::permute(const matrix_base& a, const permutation& rows,
                                                      const permutation& columns) {
  if (!are_few_entries({&a}) || a.wide || a.columns >= largest_dimension || a.nnz == 0)
    return std::nullopt;
  const auto nnz = static_cast<std::uint64_t>(a.nnz);
  matrix_base result = on_cpu::matrix_shell(device_.host_side(), *a.type, a.rows, a.columns);
  result.nnz = a.nnz;
  result.iso = a.iso;
  result.symmetric = a.symmetric && rows == columns;
  if (!columns.is_identity() && !result.symmetric) {
    const placed_entries sorted = placed(device_, name_of_permute, a,
                                         {.rows = uploaded(device_, rows.new_positions()),
                                          .columns = uploaded(device_, columns.new_positions())},
                                         a.rows, a.columns);
    result.column_indices = sorted.columns;
    result.values = sorted.values;
    lay_out_sorted(device_, name_of_permute, result, sorted.by_row);
    return result;
  }
  const moved_rows moved = move_rows(device_, a, rows, columns, result.symmetric);
  result.offsets = moved.offsets;
  result.longest_row = a.longest_row;
  result.empty_rows = a.empty_rows;
  if (columns.is_identity()) {
    result.column_indices = moved.columns;
    result.values = a.iso ? a.values : gathered_values(device_, name_of_permute, a, moved.sources);
    return result;
  }
  const sorted_keys by_column = sort_keys(device_, name_of_permute, nnz, moved.columns, a.columns);
  result.column_indices = gathered(device_, name_of_permute, moved.rows, by_column.order, nnz);
  result.values = a.iso ? a.values
                        : gathered_values(device_, name_of_permute, a,
                                          gathered(device_, name_of_permute, moved.sources,
                                                   by_column.order, nnz));
  return result;
}

}  // namespace tropic::detail
