// SPDX-License-Identifier: Apache-2.0
#pragma once

// From GraphBLAS's arrays to Tropic's containers. An array in a suitable format is borrowed from
// its new owner; the others are converted to new arrays, which count against the context's memory
// limit. The source arrays are not changed.

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include <tropic/detail/arrays.hpp>
#include <tropic/interop/graphblas/contents.hpp>

namespace tropic::graphblas::internal {

using tropic::detail::buffer;
using tropic::detail::buffer_pointer;
using tropic::detail::context_pointer;
using tropic::detail::make_buffer;
using tropic::detail::matrix_base;
using tropic::detail::vector_base;

inline constexpr std::uint64_t largest_narrow = 0xffffffffu;

inline buffer_pointer copied(const context_pointer& context, const void* from, std::size_t bytes) {
  buffer_pointer copy = make_buffer(context, bytes);
  if (bytes > 0) std::memcpy(copy->host_write(), from, bytes);
  return copy;
}
/// The first `bytes` of the array, borrowed if possible.
inline buffer_pointer borrowed(const context_pointer& context, array& from, std::size_t bytes) {
  if (!from.may_be_moved || bytes == 0) return copied(context, from.data, bytes);
  if (from.new_owner == nullptr) from.new_owner = new_foreign_array();
  return std::make_shared<buffer>(context, from.data, bytes, from.new_owner);
}
/// Indices of 32 bits.
inline buffer_pointer indices_of(const context_pointer& context, array& from, std::uint64_t count) {
  if (from.narrow) return borrowed(context, from, count * 4);
  return tropic::detail::narrowed(context, from.data, sizeof(std::uint64_t), count);
}

/// Calls f(offsets) with new offsets, all zero, of the width that `m.nnz` requires.
template <class F>
void with_new_offsets(matrix_base& m, F f) {
  const auto count = static_cast<std::size_t>(m.rows) + 1;
  m.wide = static_cast<std::uint64_t>(m.nnz) > largest_narrow;
  m.offsets = make_buffer(m.context, count * (m.wide ? 8 : 4));
  void* offsets = m.offsets->host_write();
  std::memset(offsets, 0, m.offsets->bytes());
  if (m.wide)
    f(static_cast<std::uint64_t*>(offsets));
  else
    f(static_cast<std::uint32_t*>(offsets));
}

/// The place for an entry's value; null if all entries share one value.
struct value_writer {
  std::byte* to;
  const std::byte* from;
  std::size_t size;
  bool iso;
  void operator()(std::uint64_t at, std::uint64_t source) const {
    if (!iso) std::memcpy(to + at * size, from + source * size, size);
  }
};
inline value_writer new_values(matrix_base& m, const contents& c) {
  const std::size_t size = m.type->size;
  m.values = make_buffer(m.context, (c.iso ? 1 : c.entries) * size);
  auto* to = static_cast<std::byte*>(m.values->host_write());
  const auto* from = static_cast<const std::byte*>(c.values.data);
  if (c.iso) std::memcpy(to, from, size);
  return {to, from, size, c.iso};
}

/// Calls f(row, column, position) for every entry, those of each row by ascending column unless
/// `c` is jumbled and by row.
template <class F>
void for_each_entry(const contents& c, F f) {
  const auto visit = [&](std::uint64_t major, std::uint64_t minor, std::uint64_t at) {
    if (c.by_column)
      f(minor, major, at);
    else
      f(major, minor, at);
  };
  const std::uint64_t majors = c.by_column ? c.columns : c.rows;
  const std::uint64_t minors = c.by_column ? c.rows : c.columns;
  if (c.format == GxB_BITMAP || c.format == GxB_FULL) {
    const auto* present = static_cast<const std::int8_t*>(c.present.data);
    for (std::uint64_t i = 0; i < majors; ++i)
      for (std::uint64_t j = 0; j < minors; ++j)
        if (present == nullptr || present[i * minors + j]) visit(i, j, i * minors + j);
    return;
  }
  const bool hypersparse = c.format == GxB_HYPERSPARSE;
  const std::uint64_t count = hypersparse ? c.listed : majors;
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t major = hypersparse ? c.list.index(n) : n, end = c.offsets.index(n + 1);
    for (std::uint64_t e = c.offsets.index(n); e < end; ++e) visit(major, c.indices.index(e), e);
  }
}

/// Rows counted, then filled: any format.
inline void gather_rows(matrix_base& m, const contents& c) {
  m.column_indices = make_buffer(m.context, c.entries * 4);
  auto* columns = static_cast<std::uint32_t*>(m.column_indices->host_write());
  const value_writer write = new_values(m, c);
  with_new_offsets(m, [&](auto* offsets) {
    for_each_entry(c, [&](std::uint64_t row, std::uint64_t, std::uint64_t) { ++offsets[row + 1]; });
    for (index_t row = 0; row < m.rows; ++row) offsets[row + 1] += offsets[row];
    for_each_entry(c, [&](std::uint64_t row, std::uint64_t column, std::uint64_t at) {
      const std::uint64_t to = offsets[row]++;
      columns[to] = static_cast<std::uint32_t>(column);
      write(to, at);
    });
    // Each offset has moved to where its row ends.
    for (index_t row = m.rows; row > 0; --row) offsets[row] = offsets[row - 1];
    offsets[0] = 0;
  });
}

/// Columns in any order within their rows, put in order.
inline void sort_rows(matrix_base& m, const contents& c) {
  m.column_indices = make_buffer(m.context, c.entries * 4);
  auto* columns = static_cast<std::uint32_t*>(m.column_indices->host_write());
  const value_writer write = new_values(m, c);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> row;
  const std::uint64_t rows = c.format == GxB_HYPERSPARSE ? c.listed : c.rows;
  for (std::uint64_t n = 0; n < rows; ++n) {
    const std::uint64_t begin = c.offsets.index(n), end = c.offsets.index(n + 1);
    row.clear();
    for (std::uint64_t e = begin; e < end; ++e) row.emplace_back(c.indices.index(e), e);
    std::sort(row.begin(), row.end());
    for (std::uint64_t e = begin; e < end; ++e) {
      columns[e] = static_cast<std::uint32_t>(row[e - begin].first);
      write(e, row[e - begin].second);
    }
  }
}

/// CSR by row, of every format. The contents are those of a valid object: they are not checked.
inline matrix_base to_csr(const context_pointer& context, const type_description& type,
                          contents& c) {
  matrix_base m;
  m.context = context;
  m.type = &type;
  m.rows = static_cast<index_t>(c.rows);
  m.columns = static_cast<index_t>(c.columns);
  m.nnz = static_cast<index_t>(c.entries);
  m.iso = c.iso && c.entries > 0;
  if (c.by_column || c.format == GxB_BITMAP) {
    gather_rows(m, c);
  } else {
    if (c.format == GxB_FULL) {
      m.column_indices = make_buffer(context, c.entries * 4);
      auto* columns = static_cast<std::uint32_t*>(m.column_indices->host_write());
      for (std::uint64_t e = 0; e < c.entries; ++e)
        columns[e] = static_cast<std::uint32_t>(e % c.columns);
      with_new_offsets(m, [&](auto* offsets) {
        using offset = std::remove_reference_t<decltype(*offsets)>;
        for (index_t row = 1; row <= m.rows; ++row)
          offsets[row] = static_cast<offset>(static_cast<std::uint64_t>(row) * c.columns);
      });
    } else if (c.format == GxB_HYPERSPARSE) {
      with_new_offsets(m, [&](auto* offsets) {
        using offset = std::remove_reference_t<decltype(*offsets)>;
        for (std::uint64_t n = 0; n < c.listed; ++n)
          offsets[c.list.index(n) + 1] =
              static_cast<offset>(c.offsets.index(n + 1) - c.offsets.index(n));
        for (index_t row = 0; row < m.rows; ++row) offsets[row + 1] += offsets[row];
      });
    } else {
      m.wide = !c.offsets.narrow;
      m.offsets = borrowed(context, c.offsets, (c.rows + 1) * (m.wide ? 8 : 4));
    }
    if (c.jumbled && c.format != GxB_FULL) {
      sort_rows(m, c);
    } else {
      if (c.format != GxB_FULL) m.column_indices = indices_of(context, c.indices, c.entries);
      m.values = borrowed(context, c.values, (m.iso ? 1 : c.entries) * type.size);
    }
  }
  tropic::detail::inspect_csr(m, {.trusted = true});
  return m;
}

/// A vector in its original storage. A single value for all entries is written out.
inline vector_base to_vector(const context_pointer& context, const type_description& type,
                             contents& c) {
  vector_base v;
  v.context = context;
  v.type = &type;
  v.size = static_cast<index_t>(c.rows);
  v.nvals = static_cast<index_t>(c.entries);
  const bool sparse = c.format == GxB_SPARSE || c.format == GxB_HYPERSPARSE;
  const std::uint64_t held = sparse ? c.entries : c.rows;
  v.storage = sparse                   ? vector_storage::sparse
              : c.format == GxB_BITMAP ? vector_storage::bitmap
                                       : vector_storage::full;
  if (sparse) v.indices = indices_of(context, c.indices, c.entries);
  if (c.format == GxB_BITMAP) v.present = borrowed(context, c.present, c.rows);
  const bool in_order = !sparse || !c.jumbled;
  if (!c.iso && in_order) {
    v.values = borrowed(context, c.values, held * type.size);
    return v;
  }
  v.values = make_buffer(context, held * type.size);
  auto* to = static_cast<std::byte*>(v.values->host_write());
  const auto* from = static_cast<const std::byte*>(c.values.data);
  if (in_order) {
    for (std::uint64_t n = 0; n < held; ++n) std::memcpy(to + n * type.size, from, type.size);
    return v;
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (std::uint64_t n = 0; n < held; ++n) order.emplace_back(c.indices.index(n), n);
  std::sort(order.begin(), order.end());
  v.indices = make_buffer(context, held * 4);
  auto* index = static_cast<std::uint32_t*>(v.indices->host_write());
  for (std::uint64_t n = 0; n < held; ++n) {
    index[n] = static_cast<std::uint32_t>(order[n].first);
    std::memcpy(to + n * type.size, from + (c.iso ? 0 : order[n].second) * type.size, type.size);
  }
  return v;
}

}  // namespace tropic::graphblas::internal
