// SPDX-License-Identifier: Apache-2.0

// Import and export of plain arrays (docs/arrays.md); to a device: exported_arrays.cpp. An array
// is borrowed if a container can hold it without conversion, otherwise converted into a new one,
// which counts against the context's memory limit. Each function takes its arrays by value: if it
// throws, they are released.

#include <tropic/detail/arrays.hpp>

#include <algorithm>
#include <cstring>

#include "containers/integers.hpp"
#include "operations/array_checks.hpp"

namespace tropic::detail {

namespace {

buffer_pointer borrowed(const context_pointer& context, given_array a) {
  const std::size_t bytes = a.size * a.bytes;
  if (bytes == 0) return make_buffer(context, 0);
  if (a.data == nullptr)
    throw usage_error("an array of " + std::to_string(a.size) + " elements at a null pointer");
  if (a.copied) {
    buffer_pointer result = make_buffer(context, bytes);
    std::memcpy(result->host_write(), a.data, bytes);
    return result;
  }
  if (a.owner == nullptr) a.owner = std::make_shared<int>();
  if (!a.on_device) return std::make_shared<buffer>(context, a.data, bytes, std::move(a.owner));
  require_device(*context);
  context->device_memory->require_own(a.data, bytes, a.alignment);
  return std::make_shared<buffer>(context, device_handle{const_cast<void*>(a.data)}, bytes,
                                  std::move(a.owner));
}

// Indices below `limit` in the 32 bits that containers use. Borrowed indices are checked later,
// together with their order.
buffer_pointer indices_of(const context_pointer& context, given_array a, index_t limit,
                          const csr_words& words, const given_array& offsets) {
  if (a.bytes == 4) return borrowed(context, std::move(a));
  if (a.on_device) {
    require_device(*context);
    const std::size_t count = a.size;
    const std::string what = std::string(words.of) + ": " + words.column;
    return context->executor->narrowed(context, borrowed(context, std::move(a)), count, limit,
                                       what.c_str());
  }
  if (const std::size_t bad = first_outside(*context, a, limit); bad < a.size)
    throw usage_error(words.outside(row_of_entry(offsets, bad), index_text(a, bad), bad, limit));
  return a.bytes == 2 ? widened(context, a) : narrowed(context, a.data, a.bytes, a.size);
}

// The given structure and values, checked. `kind` is the caller's word for rows.
matrix_base compressed(const context_pointer& context, const type_description& type, index_t rows,
                       index_t columns, given_array offsets, given_array indices,
                       given_array values, import_options options, csr_words words) {
  check_dimensions(rows, columns);
  if (offsets.size != as_size(rows) + 1)
    throw usage_error("matrix: " + std::to_string(rows) + " " + words.row + "s need " +
                      std::to_string(rows + 1) + " offsets, found " + std::to_string(offsets.size));
  const std::size_t nnz = indices.size;
  matrix_base result;
  result.context = context;
  result.type = &type;
  result.rows = rows;
  result.columns = columns;
  result.iso = values.size == 1 && nnz != 1;
  if (!result.iso && values.size != nnz)
    throw usage_error("matrix: " + std::to_string(nnz) + " " + words.column + "s, " +
                      std::to_string(values.size) + " values");
  if (offsets.bytes == 4 && offsets.is_signed && nnz > largest_int32)
    throw usage_error("matrix: " + std::to_string(nnz) +
                      " entries, more than offsets of int32 can count");
  result.nnz = static_cast<index_t>(nnz);
  result.wide = offsets.bytes == 8;
  const bool on_device = offsets.on_device;
  words.is_signed = indices.is_signed && indices.bytes == 4;
  const given_array given_offsets = offsets;
  result.offsets =
      offsets.bytes == 2 ? widened(context, offsets) : borrowed(context, std::move(offsets));
  result.column_indices = indices_of(context, std::move(indices), columns, words, given_offsets);
  result.values = borrowed(context, std::move(values));
  if (on_device)
    context->executor->examine(result, words, options.trusted);
  else
    inspect_csr(result, options, words);
  return result;
}

// One value per entry, from a single value.
buffer_pointer all_values(const matrix_base& m) {
  const std::size_t size = m.type->size;
  if (!m.iso || m.nnz == 0) return m.values;
  buffer_pointer result = make_buffer(m.context, as_size(m.nnz) * size);
  auto* to = static_cast<std::byte*>(result->host_write());
  const auto* value = static_cast<const std::byte*>(m.values->host());
#pragma omp parallel for num_threads(m.context->threads()) if (m.nnz > 1 << 16)
  for (index_t e = 0; e < m.nnz; ++e) std::memcpy(to + as_size(e) * size, value, size);
  return result;
}

template <class Offset, class Row>
void fill_rows(int threads, const Offset* offsets, index_t rows, Row* to) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) if (rows > 1 << 12)
  for (index_t row = 0; row < rows; ++row)
    std::fill(to + offsets[row], to + offsets[row + 1], static_cast<Row>(row));
}

}  // namespace

matrix_base matrix_from_csr(const context_pointer& context, const type_description& type,
                            index_t rows, index_t columns, given_array offsets, given_array indices,
                            given_array values, import_options options) try {
  return compressed(context, type, rows, columns, std::move(offsets), std::move(indices),
                    std::move(values), options, {});
} catch (const out_of_memory& cause) {
  throw out_of_memory("from_csr", cause);
}

matrix_base matrix_from_csc(const context_pointer& context, const type_description& type,
                            index_t rows, index_t columns, given_array offsets, given_array indices,
                            given_array values, import_options options) try {
  const matrix_base by_column =
      compressed(context, type, columns, rows, std::move(offsets), std::move(indices),
                 std::move(values), options, {.row = "column", .column = "row"});
  matrix_base result = empty_matrix(context, type, rows, columns);
  transpose(result, by_column, {});
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("from_csc", cause);
}

matrix_base matrix_from_entries(const context_pointer& context, const type_description& type,
                                index_t rows, index_t columns, given_array row, given_array column,
                                const void* values, value_layout layout, duplicates rule) try {
  check_dimensions(rows, columns);
  // Signed and 64-bit indices are checked before they are converted.
  const auto as_words = [&](const given_array& a, index_t limit, const char* what,
                            buffer_pointer& held) -> std::span<const std::uint32_t> {
    if (a.is_signed || a.bytes != 4) check_indices(*context, a, limit, what);
    const void* words = a.data;
    if (a.bytes != 4 && a.size > 0) {
      held = a.bytes == 2 ? widened(context, a) : narrowed(context, a.data, a.bytes, a.size);
      words = held->host();
    }
    return {static_cast<const std::uint32_t*>(words), a.size};
  };
  buffer_pointer held_rows, held_columns;
  const auto row_words = as_words(row, rows, "matrix: row index", held_rows);
  const auto column_words = as_words(column, columns, "matrix: column index", held_columns);
  return build_matrix(context, type, rows, columns, row_words, column_words, values, layout, rule);
} catch (const out_of_memory& cause) {
  throw out_of_memory("from_entries", cause);
}

vector_base vector_from_array(const context_pointer& context, const type_description& type,
                              given_array values) {
  const std::size_t size = values.size;
  if (size > as_size(largest_dimension))
    throw usage_error("vector: " + std::to_string(size) + " values, allowed are 0 to 4294967296");
  vector_base result;
  result.context = context;
  result.type = &type;
  result.size = result.nvals = static_cast<index_t>(size);
  result.storage = vector_storage::full;
  result.values = borrowed(context, std::move(values));
  return result;
}

vector_base vector_from_sparse(const context_pointer& context, const type_description& type,
                               index_t size, given_array indices, given_array values,
                               import_options options) try {
  check_dimensions(size, 0);
  if (indices.size != values.size)
    throw usage_error("vector: " + std::to_string(indices.size) + " indices, " +
                      std::to_string(values.size) + " values");
  // The indices of a vector are checked like those of a matrix with one row.
  const bool on_device = indices.on_device;
  std::uint64_t ends[] = {0, indices.size};
  matrix_base row;
  row.context = context;
  row.type = &type;
  row.rows = 1;
  row.columns = size;
  row.nnz = static_cast<index_t>(indices.size);
  row.wide = true;
  row.iso = true;
  row.offsets = make_buffer(context, sizeof(ends));
  std::memcpy(row.offsets->host_write(), ends, sizeof(ends));
  const csr_words words{.row = nullptr,
                        .column = "index",
                        .of = "vector",
                        .is_signed = indices.is_signed && indices.bytes == 4};
  row.column_indices = indices_of(context, std::move(indices), size, words, {});
  row.values = make_buffer(context, 0);
  vector_base result;
  result.context = context;
  result.type = &type;
  result.size = size;
  result.nvals = row.nnz;
  result.indices = row.column_indices;
  result.values = borrowed(context, std::move(values));
  if (options.trusted) return result;
  if (on_device)
    context->executor->examine(row, words, false);
  else
    inspect_csr(row, {}, words);
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("from_sparse", cause);
}

vector_base vector_from_entries(const context_pointer& context, const type_description& type,
                                index_t size, given_array indices, const void* values,
                                duplicates rule) {
  check_dimensions(size, 0);
  check_indices(*context, indices, size, "vector: index");
  std::vector<index_t> as_given(indices.size);
  const auto fill = [&](const auto* from) { std::copy_n(from, indices.size, as_given.begin()); };
  if (indices.bytes == 8)
    fill(static_cast<const std::int64_t*>(indices.data));
  else if (indices.bytes == 2)
    fill(static_cast<const std::uint16_t*>(indices.data));
  else
    fill(static_cast<const std::uint32_t*>(indices.data));
  return build_vector(context, type, size, as_given, values, rule);
}

compressed_buffers to_csr(const matrix_base& m, index_type offset, index_type index) try {
  check_fits(offset, m.nnz, "offsets");
  check_fits(index, m.columns - 1, "columns");
  return {
      with_width(m.context, m.offsets, as_size(m.rows) + 1, m.wide ? 8 : 4, offset.bytes),
      with_width(m.context, m.column_indices, as_size(m.nnz), sizeof(std::uint32_t), index.bytes),
      all_values(m)};
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_csr", cause);
}

compressed_buffers to_csc(const matrix_base& m, index_type offset, index_type index) try {
  matrix_base by_column = empty_matrix(m.context, *m.type, m.columns, m.rows);
  transpose(by_column, m, {});
  return to_csr(by_column, offset, index);
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_csc", cause);
}

coordinate_buffers to_coo(const matrix_base& m, index_type row, index_type column) try {
  check_fits(row, m.rows - 1, "rows");
  check_fits(column, m.columns - 1, "columns");
  const auto count = as_size(m.nnz);
  coordinate_buffers result{
      make_buffer(m.context, count * row.bytes),
      with_width(m.context, m.column_indices, count, sizeof(std::uint32_t), column.bytes),
      all_values(m)};
  if (count == 0) return result;
  void* to = result.rows->host_write();
  const auto fill = [&](const auto* offsets) {
    if (row.bytes == 8)
      fill_rows(m.context->threads(), offsets, m.rows, static_cast<std::uint64_t*>(to));
    else
      fill_rows(m.context->threads(), offsets, m.rows, static_cast<std::uint32_t*>(to));
  };
  if (m.wide)
    fill(static_cast<const std::uint64_t*>(m.offsets->host()));
  else
    fill(static_cast<const std::uint32_t*>(m.offsets->host()));
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("to_coo", cause);
}

}  // namespace tropic::detail
