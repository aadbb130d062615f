// SPDX-License-Identifier: Apache-2.0
#include "plan/inspection.hpp"

#include <chrono>
#include <cmath>
#include <span>

#include "backends/backend.hpp"
#include "containers/timing.hpp"

namespace tropic::detail {

namespace {

// The size at rank `rank` in ascending order.
index_t size_at(const size_histogram& sizes, std::uint64_t rank) {
  std::uint64_t before = 0;
  for (std::size_t bin = 0; bin < size_histogram::bins; ++bin) {
    before += sizes.count[bin];
    if (before > rank) return static_cast<index_t>(std::llround(size_histogram::middle(bin)));
  }
  return 0;
}

double entropy_of_counts(std::span<const std::uint64_t> counts) {
  double sum = 0, logs = 0;
  for (const std::uint64_t n : counts) {
    if (n == 0) continue;
    const auto value = static_cast<double>(n);
    sum += value;
    logs += value * std::log2(value);
  }
  return sum > 0 ? std::max(0.0, std::log2(sum) - logs / sum) : 0;
}

// The expected number of different items if `marks` of `bits` bits are set, averaged over `groups`.
double distinct(std::uint64_t marks, std::uint64_t groups, double bits) {
  if (groups == 0) return 0;
  const double share = static_cast<double>(marks) / static_cast<double>(groups) / bits;
  return -bits * std::log1p(-std::min(share, 0.999));
}

void set_block_entropies(pattern_summary& f) {
  std::array<std::uint64_t, 16> four{};
  std::array<std::uint64_t, 4> two{};
  for (std::size_t n = 0; n < 64; ++n) {
    const std::size_t row = n / 8, column = n % 8;
    four[row / 2 * 4 + column / 2] += f.blocks[n];
    two[row / 4 * 2 + column / 4] += f.blocks[n];
  }
  f.block_entropy = {entropy_of_counts(two), entropy_of_counts(four), entropy_of_counts(f.blocks)};
}

inspected_pattern inspect(const matrix_base& a, std::uint64_t wanted) {
  const auto start = std::chrono::steady_clock::now();
  inspected_pattern result;
  result.counts = a.context->executor->inspect(a, wanted);
  const pattern_counts& counts = result.counts;
  pattern_summary& f = result.summary;
  f.rows = a.rows;
  f.columns = a.columns;
  f.nnz = a.nnz;
  f.empty_rows = a.empty_rows;
  f.longest_row = a.longest_row;
  f.sampled = static_cast<index_t>(counts.entries);
  f.row_lengths = summary_of(counts.rows);
  f.row_lengths.maximum = a.longest_row;
  f.column_lengths = summary_of(counts.columns);
  f.blocks = counts.blocks;
  set_block_entropies(f);
  if (counts.entries > 0) {
    using s = pattern_counts;
    const auto entries = static_cast<double>(counts.entries);
    const double per_window = entries / static_cast<double>(counts.windows),
                 per_piece = entries / static_cast<double>(counts.pieces);
    f.bandwidth = static_cast<index_t>(counts.widest);
    f.mean_distance = static_cast<double>(counts.distance) / entries;
    f.segments_per_entry_32 =
        std::min(1.0, distinct(counts.window_marks, counts.windows, s::window_bits) / per_window);
    f.segments_per_entry_4096 =
        std::min(1.0, distinct(counts.piece_marks, counts.pieces, s::piece_bits) / per_piece);
    f.dense_share = static_cast<double>(counts.dense) / entries;
    f.dirty_share = static_cast<double>(counts.dirty_tiles) / static_cast<double>(counts.tiles);
    std::uint64_t met = 0;
    for (std::size_t bin = 1; bin < size_histogram::bins; ++bin) met += counts.columns.count[bin];
    f.reuse = entries / static_cast<double>(met);
  }
  f.seconds = seconds_since(start);
  return result;
}

}  // namespace

double entropy_of(const size_histogram& sizes) {
  double sum = 0, logs = 0;
  for (std::size_t bin = 1; bin < size_histogram::bins; ++bin) {
    const double all = static_cast<double>(sizes.count[bin]) * size_histogram::middle(bin);
    sum += all;
    if (all > 0) logs += all * std::log2(size_histogram::middle(bin));
  }
  return sum > 0 ? std::max(0.0, std::log2(sum) - logs / sum) : 0;
}

length_summary summary_of(const size_histogram& sizes) {
  length_summary result;
  std::uint64_t items = 0;
  double sum = 0, squares = 0;
  for (std::size_t bin = 0; bin < size_histogram::bins; ++bin) {
    const auto n = static_cast<double>(sizes.count[bin]);
    items += sizes.count[bin];
    sum += n * size_histogram::middle(bin);
    squares += n * size_histogram::middle(bin) * size_histogram::middle(bin);
  }
  if (items == 0) return result;
  const auto all = static_cast<double>(items);
  result.mean = sum / all;
  result.variance = std::max(0.0, squares / all - result.mean * result.mean);
  const auto at = [&](double share) {  // nearest rank
    const auto rank = static_cast<std::uint64_t>(std::ceil(share * all));
    return size_at(sizes, std::max<std::uint64_t>(rank, 1) - 1);
  };
  result.minimum = size_at(sizes, 0);
  result.p25 = at(0.25);
  result.median = at(0.5);
  result.p75 = at(0.75);
  result.p90 = at(0.9);
  result.p99 = at(0.99);
  result.p999 = at(0.999);
  result.maximum = size_at(sizes, items - 1);
  result.entropy = entropy_of(sizes);
  double left = all / 100, heaviest = 0;
  for (std::size_t bin = size_histogram::bins; bin-- > 0 && left > 0;) {
    const double taken = std::min(left, static_cast<double>(sizes.count[bin]));
    heaviest += taken * size_histogram::middle(bin);
    left -= taken;
  }
  result.heaviest_share = sum > 0 ? heaviest / sum : 0;
  return result;
}

std::shared_ptr<const inspected_pattern> inspect_matrix(const matrix_base& a) {
  {
    const std::lock_guard lock(a.derived->mutex);
    if (a.derived->inspection) return a.derived->inspection;
  }
  // Inspecting an entry costs about as much as thirty entries of a product.
  const std::uint64_t wanted = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(a.nnz) / 12, std::uint64_t{1} << 13, std::uint64_t{1} << 20);
  auto result = std::make_shared<const inspected_pattern>(inspect(a, wanted));
  const std::lock_guard lock(a.derived->mutex);
  if (!a.derived->inspection) a.derived->inspection = std::move(result);
  return a.derived->inspection;
}

std::shared_ptr<const inspected_pattern> inspect_all(const matrix_base& a) {
  auto result = std::make_shared<const inspected_pattern>(inspect_whole(a));
  const std::lock_guard lock(a.derived->mutex);
  return a.derived->inspection = std::move(result);
}

inspected_pattern inspect_whole(const matrix_base& a) {
  return inspect(a, static_cast<std::uint64_t>(a.nnz));
}

}  // namespace tropic::detail
