// SPDX-License-Identifier: Apache-2.0

// Histograms of a matrix's entries and their entropy.
//
// Columns are counted by threads in histograms of their own, which are added up; there are no more
// of them than entries pay for. Rows need no pass over the entries: their offsets say it.

#include <tropic/measures.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "containers/cancel_watch.hpp"
#include "containers/csr_view.hpp"

namespace tropic {

double entropy(std::span<const std::uint64_t> counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0ULL));
  double sum = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / all;
    sum -= p * std::log2(p);
  }
  return sum > 0 ? sum : 0;  // not -0, nor what rounding leaves of a single bin
}

namespace detail {

namespace {

// Boundary n of `count` things in `parts`: floor(n * count / parts), at most 2^32 * 2^16 inside.
std::uint64_t boundary(index_t count, std::uint64_t n, std::uint64_t parts) {
  return n * static_cast<std::uint64_t>(count) / parts;
}

// One histogram of `bins`, of parts of the rows that threads count apart: f(counts, first, last).
template <class F>
histogram counted(const matrix_base& m, std::size_t bins, F&& f) {
  const auto rows = static_cast<std::uint64_t>(m.rows);
  const auto worth =
      static_cast<std::uint64_t>(m.nnz) / (2 * std::max<std::size_t>(bins, 1) + 8192);
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(worth, 1, static_cast<std::uint64_t>(m.context->threads()));
  std::vector<histogram> apart(parts);
  const csr_view csr(m);
  cancel_watch watch(m.context);
  // Parts of equal entries, to the row.
  const auto first_row = [&](std::uint64_t part) {
    if (part == parts) return rows;
    const std::uint64_t entry = boundary(m.nnz, part, parts);
    std::uint64_t low = 0, high = rows;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (csr.offset(middle) < entry)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
#pragma omp parallel for num_threads(static_cast<int>(parts)) schedule(static, 1)
  for (std::uint64_t part = 0; part < parts; ++part) {
    apart[part].assign(bins, 0);
    if (!watch.is_cancelled()) f(csr, apart[part], first_row(part), first_row(part + 1));
  }
  watch.check();
  histogram all = std::move(apart.front());
  for (std::uint64_t part = 1; part < parts; ++part)
    std::transform(all.begin(), all.end(), apart[part].begin(), all.begin(), std::plus<>{});
  return all;
}

}  // namespace

histogram row_counts(const matrix_base& m) {
  const csr_view csr(m);
  histogram counts(csr.rows());
  for (std::uint64_t row = 0; row < csr.rows(); ++row)
    counts[row] = csr.offset(row + 1) - csr.offset(row);
  return counts;
}

histogram column_counts(const matrix_base& m) {
  return counted(
      m, static_cast<std::size_t>(m.columns),
      [](const csr_view& csr, histogram& counts, std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t e = csr.offset(first); e < csr.offset(last); ++e)
          ++counts[csr.columns[e]];
      });
}

heat_map block_counts(const matrix_base& m, int side) {
  if (side < 1 || side > 1024)
    throw usage_error("block_counts: a side of " + std::to_string(side) +
                      " blocks, needed 1 to 1024");
  const auto blocks = static_cast<std::uint64_t>(side);
  std::vector<std::uint64_t> begins(blocks + 1);  // columns
  for (std::uint64_t b = 0; b <= blocks; ++b) begins[b] = boundary(m.columns, b, blocks);
  const auto count = [&](const csr_view& csr, histogram& counts, std::uint64_t first,
                         std::uint64_t last) {
    std::uint64_t block_row = 0;
    for (std::uint64_t row = first; row < last; ++row) {
      while (row >= boundary(m.rows, block_row + 1, blocks)) ++block_row;
      std::uint64_t block = 0;  // columns ascend, so blocks do
      for (std::uint64_t e = csr.offset(row); e < csr.offset(row + 1); ++e) {
        while (csr.columns[e] >= begins[block + 1]) ++block;
        ++counts[block_row * blocks + block];
      }
    }
  };
  heat_map made{side, counted(m, blocks * blocks, count), 0};
  made.entropy = entropy(made.counts);
  return made;
}

double equal_row_imbalance(const matrix_base& m, int parts) {
  if (parts < 1)
    throw usage_error("equal_row_imbalance: " + std::to_string(parts) + " parts, needed 1 or more");
  if (m.nnz == 0) return 1;
  const csr_view csr(m);
  const auto count = static_cast<std::uint64_t>(parts);
  std::uint64_t most = 0;
  for (std::uint64_t part = 0; part < count; ++part)
    most = std::max(most, csr.offset(boundary(m.rows, part + 1, count)) -
                              csr.offset(boundary(m.rows, part, count)));
  return static_cast<double>(most) * parts / static_cast<double>(m.nnz);
}

}  // namespace detail
}  // namespace tropic
