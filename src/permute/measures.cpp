// SPDX-License-Identifier: Apache-2.0

// Histograms of a matrix's entries and their entropy.
//
// Columns are counted by each thread in its own histogram; these are added up. There are at most as
// many histograms as the number of entries justifies. Rows need no pass over the entries: offsets
// suffice.

#include <tropic/measures.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "containers/cancel_watch.hpp"
#include "containers/csr_view.hpp"
#include "containers/integers.hpp"

namespace tropic {

double entropy(std::span<const std::uint64_t> counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0ULL));
  double sum = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / all;
    sum -= p * std::log2(p);
  }
  return sum > 0 ? sum : 0;  // neither -0 nor the rounding error of a single bin
}

namespace detail {

namespace {

// Boundary n when `count` items are divided into `parts`: floor(n * count / parts); intermediate
// values are at most 2^32 * 2^16.
std::uint64_t boundary(index_t count, std::uint64_t n, std::uint64_t parts) {
  return n * static_cast<std::uint64_t>(count) / parts;
}

// One histogram of `bins`; threads count parts of the rows separately: f(counts, first, last).
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
  // Parts of equal numbers of entries, rounded to rows.
  const auto first_row = [&](std::uint64_t part) {
    if (part == parts) return rows;
    const std::uint64_t entry = boundary(m.nnz, part, parts);
    return partition_point(0, rows, [&](std::size_t row) { return csr.offset(row) < entry; });
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
  std::vector<std::uint64_t> begins(blocks + 1);  // histogram of columns
  for (std::uint64_t b = 0; b <= blocks; ++b) begins[b] = boundary(m.columns, b, blocks);
  const auto count = [&](const csr_view& csr, histogram& counts, std::uint64_t first,
                         std::uint64_t last) {
    std::uint64_t block_row = 0;
    for (std::uint64_t row = first; row < last; ++row) {
      while (row >= boundary(m.rows, block_row + 1, blocks)) ++block_row;
      std::uint64_t block = 0;  // columns ascend, and so do blocks
      for (std::uint64_t e = csr.offset(row); e < csr.offset(row + 1); ++e) {
        while (csr.columns[e] >= begins[block + 1]) ++block;
        ++counts[block_row * blocks + block];
      }
    }
  };
  heat_map result{side, counted(m, blocks * blocks, count), 0};
  result.entropy = entropy(result.counts);
  return result;
}

double equal_row_imbalance(const matrix_base& m, int parts) {
  if (parts < 1)
    throw usage_error("equal_row_imbalance: " + std::to_string(parts) + " parts, needed 1 or more");
  if (m.nnz == 0) return 1;
  const csr_view csr(m);
  const auto count = static_cast<std::uint64_t>(parts);
  std::uint64_t largest = 0;
  for (std::uint64_t part = 0; part < count; ++part)
    largest = std::max(largest, csr.offset(boundary(m.rows, part + 1, count)) -
                                    csr.offset(boundary(m.rows, part, count)));
  return static_cast<double>(largest) * parts / static_cast<double>(m.nnz);
}

}  // namespace detail
}  // namespace tropic
