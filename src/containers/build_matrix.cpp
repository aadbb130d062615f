// SPDX-License-Identifier: Apache-2.0

// CSR matrices from entries in any order: grouped and sorted (grouped_entries.hpp), then merged and
// written by rows. Entries that ascend strictly are copied as they are. One copy of the entries
// besides the result, none if they ascend. The cancel token ends it between blocks of entries and
// between rows.

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <tropic/detail/containers.hpp>
#include <tropic/error.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/duplicates.hpp"
#include "containers/grouped_entries.hpp"
#include "containers/integers.hpp"
#include "containers/memory/build_memory.hpp"
#include "containers/memory/machine_memory.hpp"

namespace tropic::detail {

namespace {

/// What one pass over the given entries finds.
struct entry_order {
  bool rows_ascend = true;
  bool is_strict = true;  ///< the entries ascend by row and column, each position once
};

// Throws usage_error for the first entry outside the matrix.
entry_order check_entries(cancel_watch& watch, int threads, index_t rows, index_t columns,
                          std::span<const std::uint32_t> row,
                          std::span<const std::uint32_t> column) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::size_t count = row.size(), blocks = divide_up(count, block);
  const auto row_limit = static_cast<std::uint64_t>(rows),
             column_limit = static_cast<std::uint64_t>(columns);
  std::size_t outside = count;
  bool rows_ascend = true, is_strict = true;
#pragma omp parallel for num_threads(threads) if (count > parallel_entries) \
    reduction(min : outside) reduction(&& : rows_ascend, is_strict)
  for (std::size_t b = 0; b < blocks; ++b) {
    if (watch.is_cancelled()) continue;
    const std::size_t begin = b * block, end = std::min(count, begin + block);
    bool inside = true, descends = false, repeats = false;  // without branches
    std::uint64_t before = begin == 0 ? 0 : std::uint64_t{row[begin - 1]} << 32 | column[begin - 1];
    for (std::size_t e = begin; e < end; ++e) {
      inside &= row[e] < row_limit && column[e] < column_limit;
      const std::uint64_t position = std::uint64_t{row[e]} << 32 | column[e];
      descends |= row[e] < before >> 32;
      repeats |= position <= before && e > 0;
      before = position;
    }
    rows_ascend = rows_ascend && !descends;
    is_strict = is_strict && !repeats;
    if (inside) continue;
    std::size_t e = begin;
    while (row[e] < row_limit && column[e] < column_limit) ++e;
    outside = std::min(outside, e);
  }
  watch.check();
  if (outside < count)
    throw usage_error("matrix: entry (" + std::to_string(row[outside]) + ", " +
                      std::to_string(column[outside]) + ") outside a " + std::to_string(rows) +
                      "x" + std::to_string(columns) + " matrix");
  return {rows_ascend, is_strict};
}

template <class Source>
[[noreturn]] void refuse_repeated(const grouped_entries<Source>& entries, std::size_t row) {
  const std::size_t begin = entries.offsets[row];
  std::size_t e = begin + 1;
  while (!entries.is_repeated(begin, e)) ++e;
  throw usage_error("matrix: a second entry at (" + std::to_string(row) + ", " +
                    std::to_string(entries.column[e]) + ")");
}

// The row offsets without repeated columns.
template <class Source>
std::vector<std::uint64_t> distinct_offsets(const grouped_entries<Source>& entries, int threads) {
  std::vector<std::uint64_t> result(entries.offsets.size(), 0);
#pragma omp parallel for num_threads(threads) \
    schedule(dynamic, 256) if (entries.count > parallel_entries)
  for (std::size_t r = 0; r < entries.rows(); ++r) {
    const std::size_t begin = entries.offsets[r], end = entries.offsets[r + 1];
    for (std::size_t e = begin; e < end; ++e) result[r + 1] += !entries.is_repeated(begin, e);
  }
  std::partial_sum(result.begin(), result.end(), result.begin());
  return result;
}

// Sets the entries' number and the offsets.
void store_offsets(matrix_base& result, const std::vector<std::uint64_t>& offsets) {
  const std::uint64_t kept = offsets.back();
  result.nnz = static_cast<index_t>(kept);
  result.wide = kept > 0xffffffffu;
  result.offsets = make_buffer(result.context, offsets.size() * (result.wide ? 8 : 4));
  void* const to = result.offsets->host_write();
  if (result.wide)
    std::copy(offsets.begin(), offsets.end(), static_cast<std::uint64_t*>(to));
  else
    std::transform(offsets.begin(), offsets.end(), static_cast<std::uint32_t*>(to),
                   [](std::uint64_t o) { return static_cast<std::uint32_t>(o); });
}

// Writes columns and values, of which there is room in `result`. Repeated entries are merged by
// `rule`. `iso`: the given values are one for all entries.
template <class Source>
void write_entries(cancel_watch& watch, matrix_base& result, const grouped_entries<Source>& entries,
                   const std::vector<std::uint64_t>& offsets, const void* values, bool iso,
                   duplicates rule) {
  const combine_function combine = combiner(*result.type, rule);
  const auto* from = static_cast<const std::byte*>(values);
  auto* to_column = static_cast<std::uint32_t*>(result.column_indices->host_write());
  auto* to = static_cast<std::byte*>(result.values->host_write());
  if (result.iso) std::memcpy(to, from, result.type->size);
  const int threads = result.context->threads();
  with_size(result.type->size, [&](auto bytes) {
#pragma omp parallel for num_threads(threads) \
    schedule(dynamic, 256) if (entries.count > parallel_entries)
    for (std::size_t r = 0; r < entries.rows(); ++r) {
      if (watch.is_cancelled()) continue;
      const std::size_t begin = entries.offsets[r], end = entries.offsets[r + 1];
      std::size_t at = offsets[r];
      for (std::size_t e = begin; e < end; ++e) {
        const std::byte* value = from + (iso ? 0 : entries.source[e] * bytes);
        if (entries.is_repeated(begin, e)) {
          if (!result.iso) combine(to + (at - 1) * bytes, value, bytes);
        } else {
          to_column[at] = entries.column[e];
          if (!result.iso) std::memcpy(to + at * bytes, value, bytes);
          ++at;
        }
      }
    }
  });
  watch.check();
}

// The same for entries that ascend strictly.
void copy_entries(cancel_watch& watch, matrix_base& result, std::span<const std::uint32_t> column,
                  const void* values) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::size_t count = column.size(), bytes = result.type->size;
  const auto* from = static_cast<const std::byte*>(values);
  auto* to_column = static_cast<std::uint32_t*>(result.column_indices->host_write());
  auto* to = static_cast<std::byte*>(result.values->host_write());
  if (result.iso) std::memcpy(to, from, bytes);
  const int threads = result.context->threads();
#pragma omp parallel for num_threads(threads) if (count > parallel_entries)
  for (std::size_t begin = 0; begin < count; begin += block) {
    if (watch.is_cancelled()) continue;
    const std::size_t length = std::min(block, count - begin);
    std::memcpy(to_column + begin, column.data() + begin, length * sizeof(std::uint32_t));
    if (!result.iso) std::memcpy(to + begin * bytes, from + begin * bytes, length * bytes);
  }
  watch.check();
}

// Makes room for the entries that the offsets count.
void make_room(matrix_base& result, const std::vector<std::uint64_t>& offsets) {
  store_offsets(result, offsets);
  const std::size_t kept = as_size(result.nnz);
  result.column_indices = make_buffer(result.context, kept * sizeof(std::uint32_t));
  result.values = make_buffer(
      result.context, (result.iso ? std::min<std::size_t>(kept, 1) : kept) * result.type->size);
}

template <class Source>
void build(cancel_watch& watch, matrix_base& result, std::span<const std::uint32_t> row,
           std::span<const std::uint32_t> column, const void* values, duplicates rule,
           bool rows_ascend) {
  const int threads = result.context->threads();
  const auto entries =
      group_entries<Source>(watch, threads, as_size(result.rows), row, column, rows_ascend);
  if (entries.repeated && rule == duplicates::error) refuse_repeated(entries, *entries.repeated);
  std::vector<std::uint64_t> distinct;
  if (entries.repeated) distinct = distinct_offsets(entries, threads);
  const std::vector<std::uint64_t>& offsets = entries.repeated ? distinct : entries.offsets;
  // An iso matrix stays iso unless repetitions would change the value.
  const bool was_iso = result.iso;
  result.iso = was_iso && (!entries.repeated || rule != duplicates::sum);
  make_room(result, offsets);
  if (result.nnz > 0) write_entries(watch, result, entries, offsets, values, was_iso, rule);
}

}  // namespace

matrix_base build_matrix(const context_pointer& context, const type_description& type, index_t rows,
                         index_t columns, std::span<const std::uint32_t> row,
                         std::span<const std::uint32_t> column, const void* values,
                         value_layout layout, duplicates rule) try {
  matrix_base result = empty_matrix(context, type, rows, columns);
  cancel_watch watch(context);
  watch.check();
  const int threads = context->threads();
  const entry_order order = check_entries(watch, threads, rows, columns, row, column);
  combiner(type, rule);  // refuses a rule that the type does not have, before any work
  result.iso = layout == value_layout::iso;
  if (order.is_strict) {
    make_room(result, offsets_of(threads, as_size(rows), row));
    if (!row.empty()) copy_entries(watch, result, column, values);
  } else if (row.size() > 0xffffffffu) {
    build<std::uint64_t>(watch, result, row, column, values, rule, order.rows_ascend);
  } else {
    build<std::uint32_t>(watch, result, row, column, values, rule, order.rows_ascend);
  }
  inspect_csr(result, {.trusted = true});
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("matrix", cause);
} catch (const std::bad_alloc&) {  // of what is held in between
  throw out_of_memory(
      bytes_to_build(as_size(rows), row.size(), layout == value_layout::iso ? 0 : type.size),
      available_memory(),
      "matrix: " + std::to_string(rows) + "x" + std::to_string(columns) + " with " +
          std::to_string(row.size()) + (row.size() == 1 ? " entry" : " entries"));
}

}  // namespace tropic::detail
