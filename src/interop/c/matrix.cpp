// SPDX-License-Identifier: Apache-2.0

// Matrices of the C ABI: looking at them, and their entries with other values.

#include "interop/c/matrix.hpp"

#include <algorithm>

#include "interop/c/arrays.hpp"

namespace tropic::c_abi {

namespace {

detail::matrix_base with_values(const detail::matrix_base& m, const type_description& type,
                                buffer_pointer values, bool iso) {
  detail::matrix_base made = m;
  made.type = &type;
  made.iso = iso;
  made.values = std::move(values);
  made.value_version = detail::next_version();
  made.derived = std::make_shared<detail::derived_copies>();
  return made;
}

}  // namespace

const detail::matrix_base& pattern_of(const tropic_matrix& m) {
  const std::lock_guard lock(m.mutex);
  if (!m.pattern) {
    static constexpr bool present = true;
    buffer_pointer one = m.base().nnz == 0
                             ? detail::make_buffer(m.base().context, 0)
                             : copied_values(m.base().context, &present, 1, describe<bool>());
    m.pattern = with_values(m.base(), describe<bool>(), std::move(one), m.base().nnz > 0);
  }
  return *m.pattern;
}

detail::matrix_base converted(const detail::matrix_base& m, type_code to) {
  if (m.type->code == to) return m;
  const std::size_t count = m.iso ? 1 : static_cast<std::size_t>(m.nnz);
  const type_description& type = describe(to);
  buffer_pointer values = detail::make_buffer(m.context, count * type.size);
  if (count > 0) {
    const void* from = m.values->host();
    void* made = values->host_write();
    with_builtin_type(m.type->code, [&]<class From>() {
      const auto* source = static_cast<const From*>(from);
      if constexpr (std::is_same_v<From, std::uint64_t>)
        if (to == type_code::int64)
          for (std::size_t e = 0; e < count; ++e)
            if (source[e] > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
              throw usage_error("sssp: a weight is " + std::to_string(source[e]) +
                                ", distances are int64");
      if (to == type_code::int64)
        std::transform(source, source + count, static_cast<std::int64_t*>(made),
                       [](From v) { return static_cast<std::int64_t>(v); });
      else
        std::transform(source, source + count, static_cast<double*>(made),
                       [](From v) { return static_cast<double>(v); });
    });
  }
  return with_values(m, type, std::move(values), m.iso);
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

// The caller's arrays are only written to where with_indices has looked at them.
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
