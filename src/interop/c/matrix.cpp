// SPDX-License-Identifier: Apache-2.0

// Matrices of the C ABI: reading, changing and exporting them.

#include "interop/c/matrix.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/values.hpp"
#include "interop/c/arrays.hpp"

namespace tropic::c_abi {

const detail::matrix_base& pattern_of(const tropic_matrix& m) {
  const std::lock_guard lock(m.mutex);
  if (!m.pattern) m.pattern = algorithms::pattern_of(m.base());
  return *m.pattern;
}

namespace {

template <class To>
void export_offsets(const call& c, const detail::matrix_base& m, To* to) {
  if (static_cast<std::uint64_t>(m.nnz) >
      static_cast<std::uint64_t>(std::numeric_limits<To>::max()))
    c.refuse("offset_type cannot hold " + std::to_string(m.nnz) + " entries");
  const std::size_t count = static_cast<std::size_t>(m.rows) + 1;
  const auto write = [&](const auto* from) {
    std::transform(from, from + count, to, [](auto offset) { return static_cast<To>(offset); });
  };
  if (m.wide)
    write(static_cast<const std::uint64_t*>(m.offsets->host()));
  else
    write(static_cast<const std::uint32_t*>(m.offsets->host()));
}

template <class To>
void export_columns(const call& c, const detail::matrix_base& m, To* to) {
  if (m.columns > 0 && static_cast<std::uint64_t>(m.columns - 1) >
                           static_cast<std::uint64_t>(std::numeric_limits<To>::max()))
    c.refuse("column_type cannot hold " + std::to_string(m.columns) + " columns");
  if (m.nnz == 0) return;
  const auto* from = static_cast<const std::uint32_t*>(m.column_indices->host());
  std::transform(from, from + m.nnz, to,
                 [](std::uint32_t column) { return static_cast<To>(column); });
}

void export_values(const detail::matrix_base& m, void* to) {
  if (m.nnz == 0) return;
  const auto count = static_cast<std::size_t>(m.nnz), bytes = m.type->size;
  const void* from = m.values->host();
  if (!m.iso) {
    std::memcpy(to, from, count * bytes);
    return;
  }
  for (std::size_t e = 0; e < count; ++e)
    std::memcpy(static_cast<std::byte*>(to) + e * bytes, from, bytes);
}

// The caller's arrays are only written after with_indices has checked them.
template <class T>
T* writable(const T* array) {
  return const_cast<T*>(array);
}

}  // namespace
}  // namespace tropic::c_abi

using namespace tropic::c_abi;

void tropic_matrix_free(tropic_matrix* matrix) {
  delete matrix;
}

tropic_status tropic_matrix_shape(const tropic_matrix* matrix, int64_t* rows, int64_t* columns,
                                  int64_t* nnz) {
  return guarded(context_of(matrix), "tropic_matrix_shape", [&](const call& c) {
    c.need(matrix, "matrix");
    c.distinct("rows, columns, nnz", rows, columns, nnz);
    if (rows != nullptr) *rows = matrix->base().rows;
    if (columns != nullptr) *columns = matrix->base().columns;
    if (nnz != nullptr) *nnz = matrix->base().nnz;
  });
}

tropic_status tropic_matrix_type(const tropic_matrix* matrix, tropic_type* type) {
  return guarded(context_of(matrix), "tropic_matrix_type", [&](const call& c) {
    c.need(matrix, "matrix");
    c.need(type, "type") = static_cast<tropic_type>(static_cast<int>(matrix->changes.type().code));
  });
}

tropic_status tropic_matrix_get(const tropic_matrix* matrix, int64_t i, int64_t j, tropic_type type,
                                void* value, int* present) {
  return guarded(context_of(matrix), "tropic_matrix_get", [&](const call& c) {
    c.need(matrix, "matrix");
    c.need_array(value, 1, "value");
    c.need(present, "present");
    c.distinct("value, present", value, present);
    c.same_type("matrix", matrix->changes.type(), type);
    *present = matrix->changes.element(i, j, value) ? 1 : 0;
  });
}

tropic_status tropic_matrix_set(tropic_matrix* matrix, int64_t i, int64_t j, tropic_type type,
                                const void* value) {
  return guarded(context_of(matrix), "tropic_matrix_set", [&](const call& c) {
    c.need(matrix, "matrix");
    c.need_array(value, 1, "value");
    c.same_type("matrix", matrix->changes.type(), type);
    matrix->changes.set(i, j, scalar(value, matrix->changes.type()).data());
    matrix->pattern.reset();
  });
}

tropic_status tropic_matrix_remove(tropic_matrix* matrix, int64_t i, int64_t j) {
  return guarded(context_of(matrix), "tropic_matrix_remove", [&](const call& c) {
    c.need(matrix, "matrix").changes.remove(i, j);
    matrix->pattern.reset();
  });
}

tropic_status tropic_matrix_export_csr(const tropic_matrix* matrix, tropic_type offset_type,
                                       void* offsets, tropic_type column_type, void* column_indices,
                                       tropic_type type, void* values) {
  return guarded(context_of(matrix), "tropic_matrix_export_csr", [&](const call& c) {
    c.need(matrix, "matrix");
    const tropic::detail::matrix_base& m = matrix->base();
    if (m.nnz > 0)  // else offsets alone are written
      c.distinct("offsets, column_indices, values", offsets, column_indices, values);
    if (values != nullptr) c.same_type("matrix", *m.type, type);
    // All that can be refused is, before anything is written.
    if (offsets != nullptr)
      with_indices(c, offset_type, offsets, 1, "offsets", [&](auto* to) {
        if (column_indices != nullptr)
          with_indices(c, column_type, column_indices, 1, "column_indices",
                       [&](auto* columns) { export_columns(c, m, writable(columns)); });
        export_offsets(c, m, writable(to));
      });
    else if (column_indices != nullptr)
      with_indices(c, column_type, column_indices, 1, "column_indices",
                   [&](auto* columns) { export_columns(c, m, writable(columns)); });
    if (values != nullptr) export_values(m, values);
  });
}
