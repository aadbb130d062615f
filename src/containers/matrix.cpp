// SPDX-License-Identifier: Apache-2.0
// CSR matrices on the host: building from entries, checking, reading.
//
// build_matrix sorts by counting, rows first (parallel over blocks of entries, stable), then each
// row by column; O(nnz log(longest row)) work, one copy of the entries besides the result. The
// cancel token ends it between blocks of entries and between rows.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

#include <tropic/detail/containers.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/duplicates.hpp"

namespace tropic::detail {

namespace {

std::size_t as_size(index_t n) {
  return static_cast<std::size_t>(n);
}

template <class F>
decltype(auto) with_offsets(const matrix_base& m, F&& f) {
  if (m.wide) return f(static_cast<const std::uint64_t*>(m.offsets->host()));
  return f(static_cast<const std::uint32_t*>(m.offsets->host()));
}

}  // namespace

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

matrix_base::matrix_base(matrix_base&& from) noexcept : matrix_fields(std::move(from)) {
  from.context = context;
  from.become_empty();
}
matrix_base& matrix_base::operator=(matrix_base&& from) noexcept {
  if (this == &from) return *this;
  matrix_fields::operator=(std::move(from));
  from.context = context;
  from.become_empty();
  return *this;
}
void matrix_base::become_empty() noexcept {
  rows = columns = nnz = longest_row = empty_rows = 0;
  wide = iso = symmetric = false;
  offsets = column_indices = values = nullptr;
  derived = nullptr;
}

std::size_t matrix_base::bytes() const {
  return (offsets ? offsets->bytes() : 0) + (column_indices ? column_indices->bytes() : 0) +
         (values ? values->bytes() : 0);
}

matrix_base empty_matrix(const context_pointer& context, const type_description& type, index_t rows,
                         index_t columns) try {
  check_dimensions(rows, columns);
  matrix_base made;
  made.context = context;
  made.type = &type;
  made.rows = rows;
  made.columns = columns;
  made.empty_rows = rows;
  made.offsets = make_buffer(context, (as_size(rows) + 1) * sizeof(std::uint32_t));
  std::memset(made.offsets->host_write(), 0, made.offsets->bytes());
  made.column_indices = make_buffer(context, 0);
  made.values = make_buffer(context, 0);
  made.structure_version = next_version();
  made.value_version = next_version();
  return made;
} catch (const out_of_memory& cause) {
  throw out_of_memory("offsets of a matrix", cause);
}

index_t csr_words::limit(index_t columns) const {
  return is_signed ? std::min(columns, index_t{1} << 31) : columns;
}

std::string csr_words::place(index_t row_number) const {
  std::string text = std::string(of) + ": ";
  if (row != nullptr && row_number >= 0)
    text += std::string(row) + " " + std::to_string(row_number) + " has ";
  return text;
}

std::string csr_words::outside(index_t row_number, const std::string& found, std::size_t entry,
                               index_t columns) const {
  const std::string expected = columns > 0 ? "0 to " + std::to_string(columns - 1) : "none";
  return place(row_number) + column + " " + found + " at entry " + std::to_string(entry) +
         ", expected " + expected;
}

// What is wrong with the columns of a row, which do not ascend strictly below the limit.
[[noreturn]] static void refuse_row(const matrix_base& m, const csr_words& words, index_t row,
                                    const std::uint32_t* columns, std::size_t begin) {
  const auto limit = static_cast<std::uint64_t>(words.limit(m.columns));
  const auto number = [&](std::size_t e) {
    return words.is_signed ? std::to_string(static_cast<std::int32_t>(columns[e]))
                           : std::to_string(columns[e]);
  };
  std::size_t e = begin;
  while (columns[e] < limit && (e == begin || columns[e - 1] < columns[e])) ++e;
  if (columns[e] >= limit) throw usage_error(words.outside(row, number(e), e, m.columns));
  const std::string found = words.place(row) + words.column + " " + number(e);
  if (columns[e] == columns[e - 1])
    throw usage_error(found + " twice, at entries " + std::to_string(e - 1) + " and " +
                      std::to_string(e) + ", expected each once");
  throw usage_error(found + " at entry " + std::to_string(e) + " after " + number(e - 1) +
                    ", expected ascending order");
}

void inspect_csr(matrix_base& m, import_options options, const csr_words& words) {
  m.structure_version = next_version();
  m.value_version = next_version();
  m.derived = make_derived_copies();
  const auto* columns =
      m.nnz ? static_cast<const std::uint32_t*>(m.column_indices->host()) : nullptr;
  with_offsets(m, [&](const auto* offsets) {
    const auto nnz = static_cast<std::uint64_t>(m.nnz);
    if (!options.trusted) {
      if (offsets[0] != 0 || offsets[m.rows] != nnz)
        throw usage_error("matrix: offsets run from " + std::to_string(offsets[0]) + " to " +
                          std::to_string(offsets[m.rows]) + ", needed 0 to " + std::to_string(nnz));
      for (index_t row = 0; row < m.rows; ++row)
        if (offsets[row + 1] > nnz)
          throw usage_error("matrix: the offset behind row " + std::to_string(row) +
                            " is negative, or past the " + std::to_string(nnz) + " entries");
        else if (offsets[row] > offsets[row + 1])
          throw usage_error("matrix: offsets fall after row " + std::to_string(row));
    }
    index_t longest = 0, empty = 0, bad = m.rows;
    const bool check = !options.trusted;
    const auto limit = static_cast<std::uint64_t>(words.limit(m.columns));
#pragma omp parallel for num_threads(m.context->threads()) if (m.nnz > 1 << 16) \
    reduction(max : longest) reduction(+ : empty) reduction(min : bad)
    for (index_t row = 0; row < m.rows; ++row) {
      const std::size_t begin = offsets[row], end = offsets[row + 1];
      longest = std::max(longest, static_cast<index_t>(end - begin));
      empty += begin == end;
      if (check)
        for (std::size_t e = begin; e < end; ++e)
          if (columns[e] >= limit || (e > begin && columns[e] <= columns[e - 1]))
            bad = std::min(bad, row);
    }
    if (bad < m.rows) refuse_row(m, words, bad, columns, offsets[bad]);
    m.longest_row = longest;
    m.empty_rows = empty;
  });
}

index_t offset_at(const matrix_base& m, index_t row) {
  if (row < 0 || row > m.rows)
    throw usage_error("matrix: row " + std::to_string(row) + ", the matrix has " +
                      std::to_string(m.rows) + " rows");
  return with_offsets(m, [&](const auto* offsets) { return static_cast<index_t>(offsets[row]); });
}

void check_position(const matrix_base& m, index_t i, index_t j) {
  if (i < 0 || i >= m.rows || j < 0 || j >= m.columns)
    throw usage_error("matrix: position (" + std::to_string(i) + ", " + std::to_string(j) +
                      "), the matrix is " + std::to_string(m.rows) + "x" +
                      std::to_string(m.columns));
}

bool element(const matrix_base& m, index_t i, index_t j, void* value) {
  check_position(m, i, j);
  if (m.nnz == 0) return false;
  const index_t begin = offset_at(m, i), end = offset_at(m, i + 1);
  const auto* columns = static_cast<const std::uint32_t*>(m.column_indices->host());
  const auto* found =
      std::lower_bound(columns + begin, columns + end, static_cast<std::uint32_t>(j));
  if (found == columns + end || *found != j) return false;
  const std::size_t at = m.iso ? 0 : static_cast<std::size_t>(found - columns);
  std::memcpy(value, static_cast<const std::byte*>(m.values->host()) + at * m.type->size,
              m.type->size);
  return true;
}

matrix_base copy_to(const context_pointer& context, const matrix_base& from) try {
  matrix_base made = from;
  made.context = context;
  made.derived = make_derived_copies();
  for (buffer_pointer* part : {&made.offsets, &made.column_indices, &made.values}) {
    buffer_pointer copy = make_buffer(context, (*part)->bytes());
    if (copy->bytes() > 0) std::memcpy(copy->host_write(), (*part)->host(), copy->bytes());
    *part = copy;
  }
  return made;
} catch (const out_of_memory& cause) {
  throw out_of_memory("copy of a matrix", cause);
}

namespace {

// Groups the entries by row, in the order they were given; `source` says where each came from.
template <class Source>
void scatter(cancel_watch& watch, std::span<const std::uint32_t> row,
             std::span<const std::uint32_t> column, std::vector<std::uint64_t>& next,
             std::vector<std::uint32_t>& to, std::vector<Source>& source) {
  watch.in_blocks(row.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const std::uint64_t at = next[row[e]]++;
      to[at] = column[e];
      source[at] = static_cast<Source>(e);
    }
  });
}

// Sorts each row by column and merges repeated columns. Rows are rewritten in place, their new
// lengths returned in `length`.
template <class Source>
class row_sorter {
 public:
  row_sorter(const std::vector<std::uint64_t>& offsets, std::vector<std::uint32_t>& column,
             std::vector<Source>& source)
      : offsets_(offsets), column_(column), source_(source) {}

  /// Returns whether the row has a repeated column.
  bool sort(std::size_t row, std::vector<std::pair<std::uint32_t, Source>>& scratch) {
    const std::size_t begin = offsets_[row], end = offsets_[row + 1];
    bool ascending = true, repeated = false;
    for (std::size_t e = begin + 1; e < end; ++e) {
      ascending = ascending && column_[e - 1] <= column_[e];
      repeated = repeated || column_[e - 1] == column_[e];
    }
    if (ascending) return repeated;
    scratch.clear();
    for (std::size_t e = begin; e < end; ++e) scratch.emplace_back(column_[e], source_[e]);
    std::sort(scratch.begin(), scratch.end());  // by source within a column: stable
    repeated = false;
    for (std::size_t e = begin; e < end; ++e) {
      column_[e] = scratch[e - begin].first;
      source_[e] = scratch[e - begin].second;
      repeated = repeated || (e > begin && column_[e - 1] == column_[e]);
    }
    return repeated;
  }

 private:
  const std::vector<std::uint64_t>& offsets_;
  std::vector<std::uint32_t>& column_;
  std::vector<Source>& source_;
};

template <class Source>
matrix_base build(cancel_watch& watch, matrix_base made, std::span<const std::uint32_t> row,
                  std::span<const std::uint32_t> column, const void* values, duplicates rule) {
  const context_pointer& context = made.context;
  const int threads = context->threads();
  const std::size_t rows = as_size(made.rows), nnz = row.size(), bytes = made.type->size;
  std::vector<std::uint64_t> offsets(rows + 1, 0);
  watch.in_blocks(nnz, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) ++offsets[row[e] + 1];
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::uint32_t> sorted(nnz);
  std::vector<Source> source(nnz);
  {
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    scatter(watch, row, column, next, sorted, source);
  }
  std::size_t repeated_row = rows;
  std::atomic<bool> no_room{false};  // nothing may be thrown out of a parallel region
#pragma omp parallel num_threads(threads) if (nnz > 1 << 15)
  {
    row_sorter<Source> sorter(offsets, sorted, source);
    std::vector<std::pair<std::uint32_t, Source>> scratch;
#pragma omp for schedule(dynamic, 256) reduction(min : repeated_row)
    for (std::size_t r = 0; r < rows; ++r) try {
        if (!no_room && !watch.is_cancelled() && sorter.sort(r, scratch))
          repeated_row = std::min(repeated_row, r);
      } catch (const std::bad_alloc&) {
        no_room = true;
      }
  }
  if (no_room) throw std::bad_alloc();
  watch.check();
  if (repeated_row < rows && rule == duplicates::error)
    for (std::size_t e = offsets[repeated_row];; ++e)
      if (sorted[e] == sorted[e + 1])
        throw usage_error("matrix: a second entry at (" + std::to_string(repeated_row) + ", " +
                          std::to_string(sorted[e]) + ")");

  // Final offsets: rows without their repetitions.
  std::vector<std::uint64_t> final_offsets;
  const std::vector<std::uint64_t>* result_offsets = &offsets;
  if (repeated_row < rows) {
    final_offsets.assign(rows + 1, 0);
    for (std::size_t r = 0; r < rows; ++r) {
      std::uint64_t distinct = 0;
      for (std::size_t e = offsets[r]; e < offsets[r + 1]; ++e)
        distinct += e == offsets[r] || sorted[e] != sorted[e - 1];
      final_offsets[r + 1] = final_offsets[r] + distinct;
    }
    result_offsets = &final_offsets;
  }
  const std::size_t kept = result_offsets->back();
  made.nnz = static_cast<index_t>(kept);
  made.wide = kept > 0xffffffffu;
  made.offsets = make_buffer(context, (rows + 1) * (made.wide ? 8 : 4));
  if (made.wide) {
    std::copy(result_offsets->begin(), result_offsets->end(),
              static_cast<std::uint64_t*>(made.offsets->host_write()));
  } else {
    std::transform(result_offsets->begin(), result_offsets->end(),
                   static_cast<std::uint32_t*>(made.offsets->host_write()),
                   [](std::uint64_t o) { return static_cast<std::uint32_t>(o); });
  }
  made.column_indices = make_buffer(context, kept * sizeof(std::uint32_t));
  // One value stays one value unless repetitions would change it.
  const bool was_iso = made.iso;
  made.iso = was_iso && (repeated_row == rows || rule != duplicates::sum);
  made.values = make_buffer(context, (made.iso ? std::min<std::size_t>(kept, 1) : kept) * bytes);
  if (kept > 0) {
    const combine_function combine = combiner(*made.type, rule);
    const auto* from = static_cast<const std::byte*>(values);
    auto* to_column = static_cast<std::uint32_t*>(made.column_indices->host_write());
    auto* to = static_cast<std::byte*>(made.values->host_write());
    if (made.iso) std::memcpy(to, from, bytes);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256) if (nnz > 1 << 15)
    for (std::size_t r = 0; r < rows; ++r) {
      if (watch.is_cancelled()) continue;
      std::size_t at = (*result_offsets)[r];
      for (std::size_t e = offsets[r]; e < offsets[r + 1]; ++e) {
        const std::byte* value = from + (was_iso ? 0 : source[e] * bytes);
        if (e > offsets[r] && sorted[e] == sorted[e - 1]) {
          if (!made.iso) combine(to + (at - 1) * bytes, value, bytes);
        } else {
          to_column[at] = sorted[e];
          if (!made.iso) std::memcpy(to + at * bytes, value, bytes);
          ++at;
        }
      }
    }
    watch.check();
  }
  inspect_csr(made, {.trusted = true});
  return made;
}

}  // namespace

matrix_base build_matrix(const context_pointer& context, const type_description& type, index_t rows,
                         index_t columns, std::span<const std::uint32_t> row,
                         std::span<const std::uint32_t> column, const void* values,
                         value_layout layout, duplicates rule) try {
  matrix_base made = empty_matrix(context, type, rows, columns);
  cancel_watch watch(context);
  watch.check();
  watch.in_blocks(row.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e)
      if (row[e] >= static_cast<std::uint64_t>(rows) ||
          column[e] >= static_cast<std::uint64_t>(columns))
        throw usage_error("matrix: entry (" + std::to_string(row[e]) + ", " +
                          std::to_string(column[e]) + ") outside a " + std::to_string(rows) + "x" +
                          std::to_string(columns) + " matrix");
  });
  combiner(type, rule);  // refuses a rule that the type does not have, before any work
  made.iso = layout == value_layout::iso;
  return row.size() > 0xffffffffu
             ? build<std::uint64_t>(watch, std::move(made), row, column, values, rule)
             : build<std::uint32_t>(watch, std::move(made), row, column, values, rule);
} catch (const out_of_memory& cause) {
  throw out_of_memory("matrix", cause);
}

}  // namespace tropic::detail
