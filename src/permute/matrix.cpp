// SPDX-License-Identifier: Apache-2.0

// Permutes the rows and columns of a matrix: CSR to CSR, on the host.
//
// Row lengths are permuted and summed up to offsets. Then every row is copied, its columns are
// renumbered, and it is sorted by them: a short row by comparisons, at most eight per entry; a long
// one by the digits of its columns. If columns keep their numbers, rows need no sorting. Work
// O(rows + entries), in parallel over rows; space: the result, and per thread 16 bytes for each
// entry of the longest row.

#include "permute/matrix.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "containers/cancel_watch.hpp"
#include "containers/csr_view.hpp"

namespace tropic::detail {

namespace {

// An entry: its new column in the upper half, its position in the old row in the lower half.
using keys = std::vector<std::uint64_t>;

void sort_by_digits(keys& entries, keys& scratch, std::uint64_t columns) {
  scratch.resize(entries.size());
  for (int shift = 32; shift < 64 && (columns - 1) >> (shift - 32) != 0; shift += 11) {
    std::array<std::uint64_t, 2049> next{};
    const auto digit = [shift](std::uint64_t key) { return (key >> shift) & 2047; };
    for (const std::uint64_t key : entries) ++next[digit(key) + 1];
    for (std::size_t d = 1; d < next.size(); ++d) next[d] += next[d - 1];
    for (const std::uint64_t key : entries) scratch[next[digit(key)]++] = key;
    entries.swap(scratch);
  }
}

void sort_by_column(keys& entries, keys& scratch, std::uint64_t columns) {
  constexpr std::size_t worth_digits = 256;
  if (entries.size() < worth_digits)
    std::ranges::sort(entries);
  else
    sort_by_digits(entries, scratch, columns);
}

// Builds one row of the result from row `old` of the given matrix.
struct row_copier {
  const csr_view& from;
  const permutation& columns;
  std::uint32_t* to_columns;
  std::byte* to_values;  // null for iso matrices

  void operator()(std::uint64_t old, std::uint64_t to, keys& entries, keys& scratch) const {
    const std::uint64_t begin = from.offset(old), count = from.offset(old + 1) - begin;
    if (columns.is_identity()) {
      std::copy_n(from.columns + begin, count, to_columns + to);
      if (to_values != nullptr)
        std::memcpy(to_values + to * from.bytes, from.values + begin * from.bytes,
                    count * from.bytes);
      return;
    }
    const std::span<const std::uint32_t> renamed = columns.new_positions();
    entries.resize(count);
    for (std::uint64_t e = 0; e < count; ++e)
      entries[e] = std::uint64_t{renamed[from.columns[begin + e]]} << 32 | e;
    sort_by_column(entries, scratch, static_cast<std::uint64_t>(from.m.columns));
    for (std::uint64_t e = 0; e < count; ++e)
      to_columns[to + e] = static_cast<std::uint32_t>(entries[e] >> 32);
    if (to_values == nullptr) return;
    switch (from.bytes) {
      case 1: return copy_values<1>(begin, to, entries);
      case 2: return copy_values<2>(begin, to, entries);
      case 4: return copy_values<4>(begin, to, entries);
      case 8: return copy_values<8>(begin, to, entries);
      case 16: return copy_values<16>(begin, to, entries);
      default: return copy_values<0>(begin, to, entries);
    }
  }

 private:
  // 0: a size known only at run time.
  template <std::size_t Bytes>
  void copy_values(std::uint64_t begin, std::uint64_t to, const keys& entries) const {
    const std::size_t bytes = Bytes == 0 ? from.bytes : Bytes;
    const std::byte* source = from.values + begin * bytes;
    std::byte* target = to_values + to * bytes;
    for (const std::uint64_t entry : entries) {
      std::memcpy(target, source + (entry & 0xffffffffU) * bytes, bytes);
      target += bytes;
    }
  }
};

template <class Offset>
void fill_offsets(const csr_view& from, const permutation& rows, Offset* offsets) {
  const std::span<const std::uint32_t> old = rows.old_positions();
  offsets[0] = 0;
  for (std::size_t row = 0; row < old.size(); ++row)
    offsets[row + 1] = static_cast<Offset>(offsets[row] + from.offset(old[row] + std::uint64_t{1}) -
                                           from.offset(old[row]));
}

void copy_rows(const csr_view& from, matrix_base& result, const permutation& rows,
               const permutation& columns) {
  const row_copier copy{
      from, columns, static_cast<std::uint32_t*>(result.column_indices->host_write()),
      result.iso ? nullptr : static_cast<std::byte*>(result.values->host_write())};
  const csr_view to(result, result.offsets);
  cancel_watch watch(result.context);
  const std::uint64_t count = from.rows();
#pragma omp parallel num_threads(result.context->threads()) if (result.nnz > 1 << 15)
  {
    keys entries, scratch;
#pragma omp for schedule(dynamic, 256)
    for (std::uint64_t row = 0; row < count; ++row)
      if (!watch.is_cancelled()) copy(rows.old_positions()[row], to.offset(row), entries, scratch);
  }
  watch.check();
}

}  // namespace

matrix_base permuted_on_host(const matrix_base& a, const permutation& rows,
                             const permutation& columns) {
  matrix_base result = a;  // type, shape, longest row, width of offsets
  result.derived = make_derived_copies();
  result.structure_version = next_version();
  result.value_version = next_version();
  result.symmetric = a.symmetric && rows == columns;
  result.offsets = make_buffer(a.context, a.offsets->bytes());
  const csr_view from(a);
  if (a.wide)
    fill_offsets(from, rows, static_cast<std::uint64_t*>(result.offsets->host_write()));
  else
    fill_offsets(from, rows, static_cast<std::uint32_t*>(result.offsets->host_write()));
  if (a.nnz == 0) return result;
  result.column_indices = make_buffer(a.context, a.column_indices->bytes());
  if (!a.iso) result.values = make_buffer(a.context, a.values->bytes());
  copy_rows(from, result, rows, columns);
  return result;
}

}  // namespace tropic::detail
