// SPDX-License-Identifier: Apache-2.0
// CSR matrices on the host: checking, reading.

#include <algorithm>
#include <atomic>
#include <cstring>

#include <tropic/detail/containers.hpp>
#include <tropic/error.hpp>

#include "containers/context_state.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

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

matrix_base::matrix_base(const matrix_base&) = default;
matrix_base& matrix_base::operator=(const matrix_base&) = default;
matrix_base::~matrix_base() = default;
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
  matrix_base result;
  result.context = context;
  result.type = &type;
  result.rows = rows;
  result.columns = columns;
  result.empty_rows = rows;
  result.offsets = make_buffer(context, (as_size(rows) + 1) * sizeof(std::uint32_t));
  std::memset(result.offsets->host_write(), 0, result.offsets->bytes());
  result.column_indices = make_buffer(context, 0);
  result.values = make_buffer(context, 0);
  result.structure_version = next_version();
  result.value_version = next_version();
  return result;
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

// Describes the error in the columns of a row, which do not ascend strictly below the limit.
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
          throw usage_error("matrix: the offset after row " + std::to_string(row) +
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
  matrix_base result = from;
  result.context = context;
  result.derived = make_derived_copies();
  for (buffer_pointer* part : {&result.offsets, &result.column_indices, &result.values}) {
    buffer_pointer copy = make_buffer(context, (*part)->bytes());
    if (copy->bytes() > 0) std::memcpy(copy->host_write(), (*part)->host(), copy->bytes());
    *part = copy;
  }
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("copy of a matrix", cause);
}

}  // namespace tropic::detail
