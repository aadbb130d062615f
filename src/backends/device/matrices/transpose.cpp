// SPDX-License-Identifier: Apache-2.0

// What the device sorts by column: a transpose, and the entries that a push whose sums depend on
// their order multiplies (matrices.kernel, expand.kernel).

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/kept_transpose.hpp"

namespace tropic::detail {

matrix_base matrix_operations::transposed(const matrix_base& a) {
  if (!are_few_entries({&a}) || a.columns >= largest_dimension || a.nnz == 0)
    return on_cpu::transposed(device_.host_side(), a);
  constexpr std::string_view operation = "transpose";
  const on_cpu::memory_side here = device_.host_side();
  const matrix_arguments c(device_, a);
  matrix_base result = on_cpu::matrix_shell(here, *a.type, a.columns, a.rows);
  result.nnz = a.nnz;
  result.iso = a.iso;
  result.column_indices = device_.allocate(c.nnz * sizeof(std::uint32_t));
  result.values = a.iso ? a.values : device_.allocate(c.nnz * c.bytes);
  const sorted_keys sorted = sort_keys(device_, operation, c.nnz, a.column_indices, a.columns);
  const void *order = device_.read(sorted.order), *from = device_.read(a.values);
  void *columns = device_.write(result.column_indices),
       *to = a.iso ? device_.runtime().nothing() : device_.write(result.values);
  const kernel_argument list[] = {c.rows,  c.nnz, c.offsets, c.wide, order,
                                  columns, from,  to,        c.bytes};
  device_.launch_over(c.nnz, operation, matrices_program(device_), "t_gather_sorted", list);
  lay_out_sorted(device_, operation, result, sorted);
  return result;
}

std::shared_ptr<const matrix_base> matrix_operations::transpose_of(const matrix_base& a) {
  return kept_transpose(device_.state(), a, [this](const matrix_base& m) { return transposed(m); });
}

void matrix_operations::transpose(matrix_base& c, const matrix_base& a, const matrix_rule& rule) {
  write_back(c, new_transpose(a, [this](const matrix_base& m) { return transposed(m); }), rule);
}

matrix_base matrix_operations::pushed_part(std::string_view operation, const matrix_base& m,
                                           const vector_base& u) {
  const matrix_arguments c(device_, m);
  const auto* program = device_.runtime().program({.kernel = "expand"});
  const buffer_pointer lengths = device_.allocate(c.rows * sizeof(std::uint32_t));
  const void* present = device_.read(u.present);
  const std::uint32_t bitmap = u.storage == vector_storage::bitmap;
  void* to_lengths = device_.write(lengths);
  const kernel_argument of_rows[] = {c.rows, present, bitmap, c.offsets, c.wide, to_lengths};
  device_.launch_over(c.rows, operation, *program, "t_edges_of", of_rows);
  const prefix_sums sums = sums_before(device_, c.rows, lengths, sizeof(std::uint32_t));

  const on_cpu::memory_side here = device_.host_side();
  matrix_base result = on_cpu::matrix_shell(here, *m.type, m.columns, m.rows);
  result.nnz = sums.all();
  result.iso = m.iso;
  const auto edges = static_cast<std::uint64_t>(result.nnz);
  const buffer_pointer keys = device_.allocate(edges * sizeof(std::uint32_t));
  result.column_indices = device_.allocate(edges * sizeof(std::uint32_t));
  result.values = m.iso ? m.values : device_.allocate(edges * c.bytes);
  const void *before = device_.read(sums.before), *columns = device_.read(m.column_indices),
             *from = device_.read(m.values);
  void *to_keys = device_.write(keys), *to_columns = device_.write(result.column_indices),
       *to = m.iso ? device_.runtime().nothing() : device_.write(result.values);
  const kernel_argument of_edges[] = {c.rows, edges, before, c.offsets, c.wide, columns, to_keys};
  device_.launch_over(edges, operation, *program, "t_expand", of_edges);
  const sorted_keys sorted = sort_keys(device_, operation, edges, keys, result.rows);
  const void* order = device_.read(sorted.order);
  const kernel_argument list[] = {c.rows, edges,      before, c.offsets, c.wide,
                                  order,  to_columns, from,   to,        c.bytes};
  device_.launch_over(edges, operation, *program, "t_gather_expanded", list);
  lay_out_sorted(device_, operation, result, sorted);
  return result;
}

}  // namespace tropic::detail
