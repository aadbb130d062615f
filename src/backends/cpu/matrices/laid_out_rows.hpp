// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results whose row lengths follow from the shapes of rows of the operands: laid out first, then
// filled in parallel by blocks of rows.

#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail::on_cpu {

inline std::size_t length_of(const matrix_view& m, std::size_t row) {
  return m.offsets[row + 1] - m.offsets[row];
}

/// Lays out t, whose row r has length(r) entries.
template <class Length>
void lay_out_rows(const memory_side& here, matrix_base& t, Length&& length) {
  const std::size_t rows = as_size(t.rows);
  const buffer_pointer lengths = here.allocate(rows, sizeof(std::uint64_t));
  auto* to = here.write_as<std::uint64_t>(lengths);
  for_chunks(here.threads(), rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) to[r] = length(r);
  });
  lay_out(here, t, lengths);
}

/// work(first row, last row) for blocks of rows of t with about equal numbers of entries.
template <class Work>
void for_row_blocks(const memory_side& here, const matrix_view& t, Work&& work) {
  const row_blocks blocks(t);
  cancel_watch watch(here.context());
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    if (!watch.is_cancelled()) work(blocks.begin(block), blocks.begin(block + 1));
  });
  watch.check();
}

}  // namespace tropic::detail::on_cpu
