// SPDX-License-Identifier: Apache-2.0
#pragma once

// The standard's import and export (GraphBLAS C API 2.0, 4.2.5), which copy. In COO, Ap has the row
// indices and Ai the column indices, whatever headers and manuals before 10.2 say.

#include <optional>

#include <tropic/interop/graphblas/write.hpp>

namespace tropic::graphblas::internal {

inline GrB_Info export_arrays(type_code code, GrB_Index* p, GrB_Index* i, void* x,
                              GrB_Index lengths[3], GrB_Format format, GrB_Matrix a) {
#define TROPIC_GRAPHBLAS_EXPORT(T, NAME)                                                \
  if (code == builtin_code<T>())                                                        \
    return GrB_Matrix_export_##NAME(p, i, static_cast<T*>(x), &lengths[0], &lengths[1], \
                                    &lengths[2], format, a);
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_EXPORT)
#undef TROPIC_GRAPHBLAS_EXPORT
  return GrB_DOMAIN_MISMATCH;
}
inline GrB_Info import_arrays(GrB_Matrix* a, const type_description& type, shape size,
                              const GrB_Index* p, const GrB_Index* i, const void* x,
                              const GrB_Index lengths[3], GrB_Format format) {
#define TROPIC_GRAPHBLAS_IMPORT(T, NAME)                                                          \
  if (type.code == builtin_code<T>())                                                             \
    return GrB_Matrix_import_##NAME(a, GrB_##NAME, size.rows, size.columns, p, i,                 \
                                    static_cast<const T*>(x), lengths[0], lengths[1], lengths[2], \
                                    format);
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_IMPORT)
#undef TROPIC_GRAPHBLAS_IMPORT
  return GrB_DOMAIN_MISMATCH;
}
/// `i` null: the values alone.
inline GrB_Info extract_tuples(type_code code, GrB_Index* i, void* x, GrB_Index* count,
                               GrB_Vector v) {
#define TROPIC_GRAPHBLAS_EXTRACT(T, NAME) \
  if (code == builtin_code<T>())          \
    return GrB_Vector_extractTuples_##NAME(i, static_cast<T*>(x), count, v);
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_EXTRACT)
#undef TROPIC_GRAPHBLAS_EXTRACT
  return GrB_DOMAIN_MISMATCH;
}
inline GrB_Info build(GrB_Vector v, type_code code, const GrB_Index* i, const void* x,
                      GrB_Index count) {
#define TROPIC_GRAPHBLAS_BUILD(T, NAME) \
  if (code == builtin_code<T>())        \
    return GrB_Vector_build_##NAME(v, i, static_cast<const T*>(x), count, nullptr);
  TROPIC_GRAPHBLAS_TYPES(TROPIC_GRAPHBLAS_BUILD)
#undef TROPIC_GRAPHBLAS_BUILD
  return GrB_DOMAIN_MISMATCH;
}

inline buffer_pointer narrowed(const context_pointer& context, const buffer_pointer& wide) {
  array from;
  const std::size_t count = wide->bytes() / 8;
  from.data = const_cast<void*>(wide->host());  // it is only read
  return indices_of(context, from, count);
}
inline void* writable(const buffer_pointer& array) {
  return array->host_write();
}

/// The format that GraphBLAS exports at the least cost: COO where it is hypersparse.
inline int hint_of(GrB_Matrix a) {
  // From version 10 on formats are plain ints in GraphBLAS.h.
  constexpr bool plain = std::is_invocable_v<decltype(&GrB_Matrix_exportHint), int*, GrB_Matrix>;
  std::conditional_t<plain, int, GrB_Format> hint = GrB_COO_FORMAT;
  return GrB_Matrix_exportHint(&hint, a) == GrB_SUCCESS ? static_cast<int>(hint) : GrB_COO_FORMAT;
}

/// Exports by `format`; the default is what GraphBLAS itself hints at.
inline matrix_base export_matrix(const context_pointer& context, GrB_Matrix a,
                                 const type_description& type, std::optional<GrB_Format> format) {
  check_object("copy: the matrix", a, &type);
  const shape size = shape_of(a);
  contents c;
  c.rows = size.rows;
  c.columns = size.columns;
  c.entries = entries_of(a);
  if (c.entries == 0)
    return tropic::detail::empty_matrix(context, type, static_cast<index_t>(size.rows),
                                        static_cast<index_t>(size.columns));
  const int by = format ? static_cast<int>(*format) : hint_of(a);
  if (by != GrB_CSR_FORMAT && by != GrB_CSC_FORMAT && by != GrB_COO_FORMAT)
    throw usage_error("copy: format " + std::to_string(by) + " is none of CSR, CSC and COO");
  GrB_Index lengths[3] = {0, 0, 0};
  check(
      GrB_Matrix_exportSize(&lengths[0], &lengths[1], &lengths[2], static_cast<GrB_Format>(by), a),
      "GrB_Matrix_exportSize", a);
  const buffer_pointer p = make_buffer(context, lengths[0] * 8);
  const buffer_pointer i = make_buffer(context, lengths[1] * 8);
  const buffer_pointer x = make_buffer(context, lengths[2] * type.size);
  check(export_arrays(type.code, static_cast<GrB_Index*>(writable(p)),
                      static_cast<GrB_Index*>(writable(i)), writable(x), lengths,
                      static_cast<GrB_Format>(by), a),
        "GrB_Matrix_export", a);
  const std::uint64_t count = c.entries;
  if (by == GrB_COO_FORMAT) {
    const buffer_pointer row = narrowed(context, p), column = narrowed(context, i);
    return tropic::detail::build_matrix(
        context, type, static_cast<index_t>(size.rows), static_cast<index_t>(size.columns),
        {static_cast<const std::uint32_t*>(row->host()), count},
        {static_cast<const std::uint32_t*>(column->host()), count}, x->host(),
        tropic::detail::value_layout::per_entry, duplicates::error);
  }
  const auto read = [](array& to, const buffer_pointer& from) {
    to.data = const_cast<void*>(from->host());
    to.bytes = from->bytes();
    to.may_be_moved = false;
  };
  read(c.offsets, p);
  read(c.indices, i);
  read(c.values, x);
  c.by_column = by == GrB_CSC_FORMAT;
  // The standard promises no order within a row.
  for (std::uint64_t row = 0; row < c.rows && !c.by_column && !c.jumbled; ++row)
    for (std::uint64_t e = c.offsets.index(row) + 1; e < c.offsets.index(row + 1); ++e)
      c.jumbled = c.jumbled || c.indices.index(e - 1) >= c.indices.index(e);
  matrix_base m;
  if (c.by_column || c.jumbled) {
    m = to_csr(context, type, c);
  } else {
    m.context = context;
    m.type = &type;
    m.rows = static_cast<index_t>(size.rows);
    m.columns = static_cast<index_t>(size.columns);
    m.nnz = static_cast<index_t>(count);
    m.offsets = p;
    m.wide = true;
    m.column_indices = narrowed(context, i);
    m.values = x;
    tropic::detail::inspect_csr(m, {.trusted = true});
  }
  if (m.wide && count <= largest_narrow) {  // half the width will do
    m.offsets = narrowed(context, m.offsets);
    m.wide = false;
  }
  return m;
}

inline vector_base export_vector(const context_pointer& context, GrB_Vector v,
                                 const type_description& type) {
  check_object("copy: the vector", v, &type);
  const GrB_Index size = shape_of(v).rows;
  GrB_Index count = entries_of(v);
  vector_base result = tropic::detail::empty_vector(context, type, static_cast<index_t>(size));
  if (count == 0) return result;
  result.values = make_buffer(context, count * type.size);
  result.nvals = static_cast<index_t>(count);
  if (count == size && format_of(v) == GxB_FULL) {  // a sparse one may be out of order
    result.storage = vector_storage::full;
    result.indices = nullptr;
    check(extract_tuples(type.code, nullptr, writable(result.values), &count, v),
          "GrB_Vector_extractTuples", v);
    return result;
  }
  const buffer_pointer wide = make_buffer(context, count * 8);
  auto* indices = static_cast<GrB_Index*>(writable(wide));
  check(extract_tuples(type.code, indices, writable(result.values), &count, v),
        "GrB_Vector_extractTuples", v);
  if (std::is_sorted(indices, indices + count)) {
    result.indices = narrowed(context, wide);
    return result;
  }
  return tropic::detail::build_vector(
      context, type, static_cast<index_t>(size),
      {reinterpret_cast<const index_t*>(indices), static_cast<std::size_t>(count)},
      result.values->host(), duplicates::error);
}

/// The row of each entry, or with `by_column` the offsets and rows of CSC beside the values.
struct standard_arrays {
  buffer_pointer p, i, x;
};
inline standard_arrays arrays_for_import(const matrix_base& m, GrB_Format by) {
  const auto rows = static_cast<std::size_t>(m.rows), columns = static_cast<std::size_t>(m.columns);
  const auto count = static_cast<std::size_t>(m.nnz);
  const std::size_t size = m.type->size;
  const std::size_t p_length = by == GrB_CSR_FORMAT   ? rows + 1
                               : by == GrB_CSC_FORMAT ? columns + 1
                                                      : count;
  standard_arrays result{make_buffer(m.context, p_length * 8), make_buffer(m.context, count * 8),
                         make_buffer(m.context, count * size)};
  auto* p = static_cast<GrB_Index*>(writable(result.p));
  auto* i = static_cast<GrB_Index*>(writable(result.i));
  auto* x = static_cast<std::byte*>(writable(result.x));
  const auto* column = static_cast<const std::uint32_t*>(m.column_indices->host());
  const auto* value = static_cast<const std::byte*>(m.values->host());
  array offsets;
  offsets.narrow = !m.wide;
  offsets.data = const_cast<void*>(m.offsets->host());
  if (by == GrB_CSC_FORMAT) {
    std::fill(p, p + p_length, GrB_Index{0});
    for (std::size_t e = 0; e < count; ++e) ++p[column[e] + std::size_t{1}];
    for (std::size_t j = 0; j < columns; ++j) p[j + 1] += p[j];
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (by == GrB_CSR_FORMAT) p[row] = offsets.index(row);
    for (std::size_t e = offsets.index(row), end = offsets.index(row + 1); e < end; ++e) {
      std::size_t to = e;
      if (by == GrB_CSC_FORMAT) {
        to = p[column[e]]++;
        i[to] = row;
      } else {
        i[to] = column[e];
        if (by == GrB_COO_FORMAT) p[to] = row;
      }
      std::memcpy(x + to * size, value + (m.iso ? 0 : e) * size, size);
    }
  }
  if (by == GrB_CSR_FORMAT) p[rows] = count;
  if (by == GrB_CSC_FORMAT) {  // each offset has moved to where its column ends
    for (std::size_t j = columns; j > 0; --j) p[j] = p[j - 1];
    p[0] = 0;
  }
  return result;
}

inline owned_matrix import_matrix(const matrix_base& m, GrB_Format by) {
  if (type_of(m.type->code) == nullptr)
    throw usage_error("copy: GraphBLAS has no type like " + std::string(m.type->name));
  if (by != GrB_CSR_FORMAT && by != GrB_CSC_FORMAT && by != GrB_COO_FORMAT)
    throw usage_error("copy: format " + std::to_string(by) + " is none of CSR, CSC and COO");
  if (m.nnz == 0) return new_matrix(*m.type, m.rows, m.columns);
  const standard_arrays from = arrays_for_import(m, by);
  const GrB_Index lengths[3] = {from.p->bytes() / 8, from.i->bytes() / 8,
                                static_cast<GrB_Index>(m.nnz)};
  GrB_Matrix created = nullptr;
  const GrB_Info info = import_arrays(
      &created, *m.type, {static_cast<GrB_Index>(m.rows), static_cast<GrB_Index>(m.columns)},
      static_cast<const GrB_Index*>(from.p->host()), static_cast<const GrB_Index*>(from.i->host()),
      from.x->host(), lengths, by);
  owned_matrix result(created);
  check(info, "GrB_Matrix_import", created);
  return result;
}

inline owned_vector import_vector(const vector_base& v) {
  if (type_of(v.type->code) == nullptr)
    throw usage_error("copy: GraphBLAS has no type like " + std::string(v.type->name));
  owned_vector result = new_vector(*v.type, v.size);
  const auto count = static_cast<std::size_t>(index_t{v.nvals});
  if (count == 0) return result;
  vector_base sparse = v;
  tropic::detail::convert(sparse, vector_storage::sparse);
  const buffer_pointer wide = make_buffer(v.context, count * 8);
  auto* indices = static_cast<GrB_Index*>(writable(wide));
  const auto* narrow = static_cast<const std::uint32_t*>(sparse.indices->host());
  std::copy(narrow, narrow + count, indices);
  check(build(result, v.type->code, indices, sparse.values->host(), count), "GrB_Vector_build",
        result.get());
  return result;
}

}  // namespace tropic::graphblas::internal
