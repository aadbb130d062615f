// SPDX-License-Identifier: Apache-2.0

// Columns and diagonals of a matrix that begin in its first row.

#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"

namespace tropic::detail {

bool matrix_operations::extract(vector_base& w, const matrix_line& line, const vector_rule& rule) {
  const matrix_base& a = line.matrix;
  const bool is_row = line.transposed && line.step == 0;  // the host copies it
  if (!line.rows.all || is_row || w.size == 0 || a.nnz == 0) return false;
  constexpr const char* name = "extract";
  const compiled_program& program = *device_.runtime().program({.kernel = "line"});
  const matrix_arguments m(device_, a);
  const auto n = static_cast<std::uint64_t>(w.size);
  const auto bytes = static_cast<std::uint32_t>(a.type->size);
  vector_base t;
  t.context = device_.context();
  t.type = a.type;
  t.size = w.size;
  t.storage = vector_storage::bitmap;
  t.present = device_.allocate(n);
  t.values = device_.allocate(n * bytes);
  const void *columns = device_.read(a.column_indices), *from = device_.read(a.values);
  void *present = device_.write(t.present), *to = device_.write(t.values);
  const std::uint32_t iso = a.iso, transposed = line.transposed;
  const auto column = static_cast<std::uint64_t>(line.column),
             step = static_cast<std::uint64_t>(line.step);
  const kernel_argument list[] = {n,      m.offsets, m.wide,  columns, iso, transposed,
                                  column, step,      present, from,    to,  bytes};
  device_.launch_over(n, name, program, "t_line", list);
  t.nvals = count_present(device_, name, t.present, t.size);
  vectors_.write_back(name, w, std::move(t), rule);
  return true;
}

}  // namespace tropic::detail
