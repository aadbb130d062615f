// SPDX-License-Identifier: Apache-2.0

// What a picture shows of a matrix and its plan. The density is counted on the host, over all
// entries: O(nnz), in parallel over bands of the picture.

#include <algorithm>
#include <bit>

#include "containers/context_state.hpp"
#include "containers/csr_view.hpp"
#include "explain/picture.hpp"
#include "text/numbers.hpp"

namespace tropic::detail {

namespace {

// Cells along both sides: as many as show the shape, none smaller than an entry.
void set_grid(picture_content& c) {
  constexpr double square = 96, longest = 128, shortest = 20;
  const double rows = static_cast<double>(std::max<index_t>(c.rows, 1)),
               columns = static_cast<double>(std::max<index_t>(c.columns, 1));
  const double ratio = std::min(rows, columns) / std::max(rows, columns);
  const double most = ratio < 0.5 ? longest : square,
               least = std::max(most * ratio, std::min(shortest, most));
  c.grid_rows = static_cast<std::uint32_t>(std::min(rows, rows < columns ? least : most));
  c.grid_columns = static_cast<std::uint32_t>(std::min(columns, rows < columns ? most : least));
}

void count_entries(picture_content& c, const matrix_base& m) {
  c.density.assign(std::size_t{c.grid_rows} * c.grid_columns, 0);
  if (m.nnz == 0) return;
  const csr_view from(m);
  const std::uint64_t rows = from.rows(), columns = static_cast<std::uint64_t>(m.columns),
                      bands = c.grid_rows, across = c.grid_columns;
#pragma omp parallel for num_threads(m.context->threads()) schedule(dynamic, 1)
  for (std::uint64_t band = 0; band < bands; ++band) {
    std::uint64_t* cells = c.density.data() + band * across;
    // The rows whose cell is this one: row * bands / rows == band.
    const std::uint64_t first = (band * rows + bands - 1) / bands,
                        last = ((band + 1) * rows + bands - 1) / bands;
    for (std::uint64_t e = from.offset(first); e < from.offset(last); ++e)
      ++cells[from.columns[e] * across / columns];
  }
}

// Empty rows, then lengths by octaves.
void set_lengths(picture_content& c, const matrix_base& m) {
  std::vector<std::uint64_t> count(1);
  for (index_t row = 0; row < m.rows; ++row) {
    const auto length = static_cast<std::uint64_t>(offset_at(m, row + 1) - offset_at(m, row));
    const auto bin = static_cast<std::size_t>(std::bit_width(length));
    if (bin >= count.size()) count.resize(bin + 1);
    ++count[bin];
  }
  for (std::size_t bin = 0; bin < count.size(); ++bin) {
    const index_t least = bin == 0 ? 0 : index_t{1} << (bin - 1);
    c.row_lengths.push_back(
        {.least = least, .most = bin == 0 ? 0 : 2 * least - 1, .rows = count[bin]});
  }
}

}  // namespace

picture_content content_of(const matrix_base& m, const plan& p) {
  picture_content c;
  c.rows = m.rows;
  c.columns = m.columns;
  c.nnz = m.nnz;
  set_grid(c);
  count_entries(c, m);
  set_lengths(c, m);
  if (p.details != nullptr) {
    c.blocks = p.details->features.blocks;
    c.entropy = p.details->features.block_entropy;
    for (const plan_candidate& one : p.details->candidates)
      c.candidates.push_back(
          {.name = one.name(),
           .predicted_seconds = one.total(std::max<index_t>(p.expected_calls, 1)),
           .chosen = c.candidates.empty(),
           .why_not = one.why_not});
  }
  const index_t calls = std::max<index_t>(p.expected_calls, 1);
  c.timed =
      calls == 1 ? "a call, conversion included" : grouped(calls) + " calls, conversion included";
  c.reason = p.reason;
  return c;
}

}  // namespace tropic::detail
