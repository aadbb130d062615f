// SPDX-License-Identifier: Apache-2.0

// The transpose by counting: the number of entries of each range of rows in each column, then the
// offset of each range's part of each column, then the entries in order. Within a column ranges
// follow one another, so the rows of a column ascend for any number of ranges. O(nnz + rows +
// columns) work; one counter per column and range, with the number of ranges limited so that
// counters take O(nnz + columns).

#include <algorithm>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/kept_transpose.hpp"
#include "containers/cancel_watch.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace on_cpu {

namespace {

// A look at the cancel token follows so many entries, or rows.
constexpr std::size_t polled_entries = 1 << 18, polled_rows = 1024;

// The first row with offset >= entry.
std::size_t row_from(const matrix_view& a, std::size_t entry) {
  return partition_point(0, a.rows, [&](std::size_t row) { return a.offsets[row] < entry; });
}

// Fills `result` except its shape. Offset: the width of a's offsets and of the result's.
template <class Offset>
void transpose_into(const memory_side& here, const matrix_view& a, matrix_base& result) {
  const std::size_t columns = a.columns;
  const std::size_t ranges =
      std::clamp<std::size_t>(std::min<std::size_t>(static_cast<std::size_t>(here.threads()),
                                                    2 * a.nnz / std::max<std::size_t>(columns, 1)),
                              1, chunks_of(a.nnz) + 1);
  std::vector<std::size_t> cut(ranges + 1, a.rows);
  for (std::size_t r = 0; r < ranges; ++r) cut[r] = r == 0 ? 0 : row_from(a, a.nnz / ranges * r);

  result.offsets = here.allocate(columns + 1, sizeof(Offset));
  result.column_indices = here.allocate(a.nnz, sizeof(std::uint32_t));
  if (!a.iso) result.values = here.allocate(a.nnz, a.bytes);
  const buffer_pointer counters = here.allocate(ranges * columns, sizeof(Offset));
  auto* counter = here.write_as<Offset>(counters);
  auto* offsets = here.write_as<Offset>(result.offsets);
  auto* column = here.write_as<std::uint32_t>(result.column_indices);
  auto* values = a.iso ? nullptr : here.write_as<std::byte>(result.values);

  cancel_watch watch(here.context());
  for_blocks(here.threads(), ranges, [&](std::size_t r) {
    Offset* mine = counter + r * columns;
    std::fill(mine, mine + columns, Offset{0});
    for (std::size_t e = a.offsets[cut[r]], end = a.offsets[cut[r + 1]]; e < end;) {
      if (watch.is_cancelled()) return;
      for (const std::size_t stop = std::min(end, e + polled_entries); e < stop; ++e)
        ++mine[a.column[e]];
    }
  });
  watch.check();
  // Per chunk of columns: the number of entries before it; then each counter becomes the next
  // position to write to.
  std::vector<std::size_t> start(chunks_of(columns) + 1, 0), longest(start.size()), empty(longest);
  for_chunks(here.threads(), columns, [&](std::size_t begin, std::size_t end) {
    const std::size_t chunk = begin / chunk_size;
    for (std::size_t j = begin; j < end; ++j) {
      std::size_t length = 0;
      for (std::size_t r = 0; r < ranges; ++r) length += counter[r * columns + j];
      start[chunk + 1] += length;
      longest[chunk] = std::max(longest[chunk], length);
      empty[chunk] += length == 0;
    }
  });
  result.longest_row = result.empty_rows = 0;
  for (std::size_t chunk = 0; chunk + 1 < start.size(); ++chunk) {
    start[chunk + 1] += start[chunk];
    result.longest_row = std::max(result.longest_row, static_cast<index_t>(longest[chunk]));
    result.empty_rows += static_cast<index_t>(empty[chunk]);
  }
  offsets[columns] = static_cast<Offset>(a.nnz);
  for_chunks(here.threads(), columns, [&](std::size_t begin, std::size_t end) {
    auto next = static_cast<Offset>(start[begin / chunk_size]);
    for (std::size_t j = begin; j < end; ++j) {
      offsets[j] = next;
      for (std::size_t r = 0; r < ranges; ++r) {
        const Offset length = counter[r * columns + j];
        counter[r * columns + j] = next;
        next = static_cast<Offset>(next + length);
      }
    }
  });
  for_blocks(here.threads(), ranges, [&](std::size_t r) {
    Offset* next = counter + r * columns;
    with_element_size(a.bytes, [&]<std::size_t N>() {
      for (std::size_t row = cut[r]; row < cut[r + 1]; ++row) {
        if (row % polled_rows == 0 && watch.is_cancelled()) return;
        for (std::size_t e = a.offsets[row], end = a.offsets[row + 1]; e < end; ++e) {
          const auto at = static_cast<std::size_t>(next[a.column[e]]++);
          column[at] = static_cast<std::uint32_t>(row);
          if (values) copy_element<N>(values, at, a.values, e, a.bytes);
        }
      }
    });
  });
  watch.check();
}

}  // namespace

matrix_base transposed(const memory_side& here, const matrix_base& a) {
  matrix_base result = matrix_shell(here, *a.type, a.columns, a.rows);
  result.nnz = a.nnz;
  result.wide = a.wide;
  result.iso = a.iso;
  if (a.iso) result.values = a.values;
  const matrix_view from(here, a);
  if (a.wide)
    transpose_into<std::uint64_t>(here, from, result);
  else
    transpose_into<std::uint32_t>(here, from, result);
  return result;
}

}  // namespace on_cpu

std::shared_ptr<const matrix_base> cpu_backend::transpose_of(const matrix_base& a) {
  const on_cpu::memory_side here(context_, on_host_);
  return kept_transpose(context_, a,
                        [&](const matrix_base& m) { return on_cpu::transposed(here, m); });
}

void cpu_backend::transpose(matrix_base& c, const matrix_base& a, const matrix_rule& rule) {
  const on_cpu::memory_side here(context_, on_host_);
  matrix_base t =
      new_transpose(a, [&](const matrix_base& m) { return on_cpu::transposed(here, m); });
  write_back(c, std::move(t), rule);
}

}  // namespace tropic::detail
