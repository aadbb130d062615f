// SPDX-License-Identifier: Apache-2.0

// Full matrices: making them from arrays, matrices and vectors, and the ways back. On the host; the
// arrays of a device are copied there.

#include "containers/full.hpp"

#include <cstring>
#include <limits>

#include <tropic/error.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/csr_view.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

// Rows that are `leading` elements apart, one after the other.
vector_base pack(const full_base& m) {
  const strided_cells& from = *m.strided;
  vector_base result = m.cells;
  const std::size_t bytes = m.cells.type->size, row = as_size(m.columns) * bytes,
                    leading = as_size(from.leading) * bytes;
  result.storage = vector_storage::full;
  result.nvals = result.size;
  result.indices = result.present = nullptr;
  result.values = make_buffer(m.cells.context, as_size(m.rows) * row);
  if (result.size == 0) return result;
  const auto* source = static_cast<const std::byte*>(from.values->host());
  auto* to = static_cast<std::byte*>(result.values->host_write());
  cancel_watch watch(m.cells.context);
  for (std::size_t i = 0; i < as_size(m.rows); ++i, watch.step())
    std::memcpy(to + i * row, source + i * leading, row);
  return result;
}

// The indices of a sparse vector with the entries of `a`: they ascend, since columns do in a row.
buffer_pointer flat_indices(const matrix_base& a) {
  const csr_view from(a);
  buffer_pointer result = make_buffer(a.context, as_size(a.nnz) * sizeof(std::uint32_t));
  auto* index = static_cast<std::uint32_t*>(result->host_write());
  cancel_watch watch(a.context);
  const auto columns = static_cast<std::uint64_t>(a.columns);
  for (std::uint64_t row = 0; row < from.rows(); ++row, watch.step())
    for (std::uint64_t e = from.offset(row); e < from.offset(row + 1); ++e)
      index[e] = static_cast<std::uint32_t>(row * columns + from.columns[e]);
  return result;
}

// One value per entry.
buffer_pointer values_of(const matrix_base& a) {
  if (!a.iso) return a.values;
  return filled_vector(a.context, *a.type, a.nnz, a.values->host()).values;
}

// The offsets of a matrix whose row i has length(i) entries.
template <class Length>
void lay_out(matrix_base& m, const Length& length) {
  const std::size_t rows = as_size(m.rows);
  m.wide = m.nnz > std::numeric_limits<std::uint32_t>::max();
  m.offsets = make_buffer(m.context, (rows + 1) * (m.wide ? 8 : 4));
  void* const to = m.offsets->host_write();
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row <= rows; ++row) {
    if (m.wide)
      static_cast<std::uint64_t*>(to)[row] = sum;
    else
      static_cast<std::uint32_t*>(to)[row] = static_cast<std::uint32_t>(sum);
    if (row < rows) sum += length(row);
  }
}

// The entries of a range of cells `step` apart, as a vector.
vector_base slice(const full_base& m, std::size_t first, std::size_t step, index_t count) try {
  const vector_base& cells = m.flat();
  vector_base dense = cells;
  convert(dense,
          cells.storage == vector_storage::full ? vector_storage::full : vector_storage::bitmap);
  vector_base result = empty_vector(cells.context, *cells.type, count);
  const std::size_t bytes = cells.type->size, n = as_size(count);
  result.storage = dense.storage;
  result.indices = nullptr;
  result.values = make_buffer(cells.context, n * bytes);
  if (dense.storage == vector_storage::bitmap) result.present = make_buffer(cells.context, n);
  result.nvals = count;
  if (n == 0) return result;
  const auto* values = static_cast<const std::byte*>(dense.values->host());
  auto* to = static_cast<std::byte*>(result.values->host_write());
  for (std::size_t at = 0; at < n; ++at)
    std::memcpy(to + at * bytes, values + (first + at * step) * bytes, bytes);
  if (dense.storage == vector_storage::full) return result;
  const auto* present = static_cast<const std::uint8_t*>(dense.present->host());
  auto* flags = static_cast<std::uint8_t*>(result.present->host_write());
  index_t found = 0;
  for (std::size_t at = 0; at < n; ++at) found += flags[at] = present[first + at * step];
  result.nvals = found;
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("extract", cause);
}

void check_place(const char* what, index_t found, index_t limit) {
  if (found < 0 || found >= limit)
    throw usage_error("full matrix: " + std::string(what) + " " + std::to_string(found) + " of " +
                      std::to_string(limit));
}

}  // namespace

full_base::full_base(full_base&& from) noexcept
    : rows(std::exchange(from.rows, 0)),
      columns(std::exchange(from.columns, 0)),
      cells(std::move(from.cells)),
      strided(std::move(from.strided)) {}
full_base& full_base::operator=(full_base&& from) noexcept {
  if (this == &from) return *this;
  rows = std::exchange(from.rows, 0);
  columns = std::exchange(from.columns, 0);
  cells = std::move(from.cells);
  strided = std::move(from.strided);
  return *this;
}

const vector_base& full_base::flat() const {
  if (strided == nullptr) return cells;
  const std::lock_guard lock(strided->mutex);
  if (!strided->packed) strided->packed = pack(*this);
  return *strided->packed;
}
vector_base& full_base::flat() {
  if (strided != nullptr) {
    cells = std::as_const(*this).flat();
    strided = nullptr;
  }
  return cells;
}
index_t full_base::nvals() const {
  return strided != nullptr ? rows * columns : index_t{cells.nvals};
}
std::size_t full_base::bytes() const {
  if (strided == nullptr) return cells.bytes();
  const std::lock_guard lock(strided->mutex);
  return strided->values->bytes() + (strided->packed ? strided->packed->bytes() : 0);
}

full_base empty_full(const context_pointer& where, const type_description& type, index_t rows,
                     index_t columns) {
  return full_with(rows, columns, empty_vector(where, type, positions_of(rows, columns)));
}

full_base filled_full(const context_pointer& where, const type_description& type, index_t rows,
                      index_t columns, const void* value) {
  return full_with(rows, columns, filled(where, type, positions_of(rows, columns), value));
}

full_base full_of(const matrix_base& a) try {
  vector_base cells = empty_vector(a.context, *a.type, positions_of(a.rows, a.columns));
  if (a.nnz > 0) {
    cells.nvals = a.nnz;
    cells.values = values_of(a);
    if (cells.nvals == cells.size) {
      cells.storage = vector_storage::full;
      cells.indices = nullptr;
    } else {
      cells.indices = flat_indices(a);
    }
  }
  return full_with(a.rows, a.columns, std::move(cells));
} catch (const out_of_memory& cause) {
  throw out_of_memory("conversion of a matrix", cause);
}

full_base full_of(const vector_base& u, vector_place place) {
  const bool is_row = place == vector_place::row;
  return full_with(is_row ? 1 : u.size, is_row ? u.size : 1, u);
}

matrix_base matrix_of(const full_base& m) try {
  const vector_base& cells = m.flat();
  matrix_base result = empty_matrix(cells.context, *cells.type, m.rows, m.columns);
  result.nnz = cells.nvals;
  if (result.nnz == 0) return result;
  const auto columns = static_cast<std::uint64_t>(m.columns);
  vector_base sparse = cells;
  if (cells.nvals != cells.size) convert(sparse, vector_storage::sparse);
  result.values = sparse.values;
  result.column_indices = make_buffer(cells.context, as_size(result.nnz) * sizeof(std::uint32_t));
  auto* column = static_cast<std::uint32_t*>(result.column_indices->host_write());
  cancel_watch watch(cells.context);
  if (cells.nvals == cells.size) {
    lay_out(result, [&](std::size_t) { return columns; });
    for (std::size_t row = 0; row < as_size(m.rows); ++row, watch.step())
      for (std::size_t j = 0; j < columns; ++j)
        column[row * columns + j] = static_cast<std::uint32_t>(j);
  } else {
    const auto* index = static_cast<const std::uint32_t*>(sparse.indices->host());
    const std::size_t nnz = as_size(result.nnz);
    std::size_t at = 0;
    lay_out(result, [&](std::size_t row) {
      watch.step();
      const std::size_t begin = at;
      for (const std::uint64_t end = (row + 1) * columns; at < nnz && index[at] < end; ++at)
        column[at] = static_cast<std::uint32_t>(index[at] - row * columns);
      return at - begin;
    });
  }
  inspect_csr(result, {.trusted = true});
  result.structure_version = next_version();
  result.value_version = next_version();
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("conversion of a full matrix", cause);
}

vector_base row_of(const full_base& m, index_t i) {
  check_place("row", i, m.rows);
  return slice(m, as_size(i * m.columns), 1, m.columns);
}
vector_base column_of(const full_base& m, index_t j) {
  check_place("column", j, m.columns);
  return slice(m, as_size(j), as_size(m.columns), m.rows);
}

index_t cell_of(const full_base& m, index_t i, index_t j) {
  if (i < 0 || i >= m.rows || j < 0 || j >= m.columns)
    throw usage_error("full matrix: position (" + std::to_string(i) + ", " + std::to_string(j) +
                      "), the matrix is " + shape_of(m.rows, m.columns));
  return i * m.columns + j;
}

full_base copy_to(const context_pointer& where, const full_base& m) {
  return full_with(m.rows, m.columns, copy_to(where, m.flat()));
}

}  // namespace tropic::detail
