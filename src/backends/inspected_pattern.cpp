// SPDX-License-Identifier: Apache-2.0
#include "backends/inspected_pattern.hpp"

#include <algorithm>
#include <cmath>

#include "backends/kernel_info.hpp"

namespace tropic::detail {

double inspected_pattern::misses_of_cache(double segments, bool hot_columns) const {
  const size_histogram& of = hot_columns ? counts.columns : counts.segments;
  const double items =
      static_cast<double>(summary.columns) / (hot_columns ? 1 : pattern_counts::segment);
  double room = hot_columns ? segments * pattern_counts::segment : segments;
  if (room >= items) return 0;
  // Where items share counters, the room for them is counted in those.
  const auto counters = static_cast<double>(pattern_counts::counters_of(
                            static_cast<std::uint64_t>(summary.columns))) /
                        (hot_columns ? 1 : pattern_counts::segment);
  if (counters < items) room *= counters / items;
  const bool is_part = counts.entries < static_cast<std::uint64_t>(summary.nnz);
  const auto once = static_cast<double>(of.count[1]), twice = static_cast<double>(of.count[2]);
  double rare = once + twice, mean = 0, shrunk = 1;
  if (is_part) {
    // From the items counted once and twice in a part of the entries, Chao (1984) estimates the
    // number of items that were not seen.
    rare = std::min(rare + once * once / (2 * std::max(twice, 1.0)), std::max(items, rare));
    // Items may have been counted more often than others by chance: even if all are equally
    // frequent, the variance of the counts is their mean (Poisson). Only a larger variance recurs.
    double squares = 0;
    for (std::size_t bin = 1; bin < size_histogram::bins; ++bin)
      squares += static_cast<double>(of.count[bin]) * size_histogram::middle(bin) *
                 size_histogram::middle(bin);
    mean = static_cast<double>(counts.entries) / std::max(items, 1.0);
    const double variance = squares / std::max(items, 1.0) - mean * mean;
    shrunk = variance > mean ? 1 - mean / variance : 0;
  }
  const auto all = static_cast<double>(counts.entries);
  if (all == 0) return 0;
  double often = 0, held = 0, left = room;
  for (std::size_t bin = size_histogram::bins; bin-- > 3;) {
    const auto n = static_cast<double>(of.count[bin]);
    if (n == 0) continue;
    const double taken = std::min(left, n);
    const double size = mean + shrunk * (size_histogram::middle(bin) - mean);
    held += taken * size;
    often += n * size;
    left -= taken;
  }
  if (rare > 0) held += std::max(0.0, all - often) * std::min(left / rare, 1.0);
  const double missed = std::clamp(1 - held / all, 0.0, 1.0);
  return hot_columns ? missed : std::min(missed, summary.segments_per_entry_4096);
}

double expected_padding(const inspected_pattern& m, const work_mapping& mapping) {
  if (m.summary.nnz == 0 || mapping.slots == 0) return 1;
  const double tile = mapping.subgroup_size, height = mapping.strip_rows,
               strip = height * m.summary.row_lengths.mean;
  const double words = over_longest(m, height, [&](double longest) {
    const double tiles = std::max(std::ceil(std::max(strip, longest) / tile),
                                  std::ceil(longest / static_cast<double>(mapping.slots)));
    return tiles * tile;
  });
  return std::max(1.0, words * static_cast<double>(m.summary.rows) / height /
                           static_cast<double>(m.summary.nnz));
}

}  // namespace tropic::detail
