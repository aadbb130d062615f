// SPDX-License-Identifier: Apache-2.0
#pragma once

// An inspected matrix: what was counted, the features that follow from it
// (src/plan/inspection.cpp), and estimates over its rows.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <tropic/pattern_summary.hpp>

#include "backends/pattern_counts.hpp"

namespace tropic::detail {

struct work_mapping;

struct inspected_pattern {
  pattern_counts counts;
  pattern_summary summary;

  /// The share of entries that read a part of x which `segments` segments of 8 columns, the ones
  /// most often read, do not hold: what a cache of that size would miss at the least. Columns
  /// beside each other share segments; with `hot_columns` those read most often do.
  double misses_of_cache(double segments, bool hot_columns = false) const;
};

/// Words of cmrs_padded for each entry (containers/formats/cmrs.hpp), were rows in a random order.
double expected_padding(const inspected_pattern&, const work_mapping&);

/// The sum of f(length) over all rows.
template <class F>
double over_rows(const inspected_pattern& m, F&& f) {
  double sum = 0;
  for (std::size_t bin = 0; bin < size_histogram::bins; ++bin)
    if (m.counts.rows.count[bin] > 0)
      sum += static_cast<double>(m.counts.rows.count[bin]) * f(size_histogram::middle(bin));
  return sum;
}

/// x^n: n is a power of two nearly always, and an inspection has little time.
inline double power(double x, double n) {
  for (; n >= 2; n /= 2) x *= x;
  return n == 1 ? x : std::pow(x, n);
}

/// The mean of f(length) over the longest of `group` rows each, were rows in a random order.
template <class F>
double over_longest(const inspected_pattern& m, double group, F&& f) {
  const double all = static_cast<double>(std::max<index_t>(m.summary.rows, 1));
  double sum = 0, below = 0, share_below = 0;
  for (std::size_t bin = 0; bin < size_histogram::bins; ++bin) {
    if (m.counts.rows.count[bin] == 0) continue;
    below += static_cast<double>(m.counts.rows.count[bin]);
    const double share = power(std::min(below / all, 1.0), group);
    sum += (share - share_below) * f(size_histogram::middle(bin));
    share_below = share;
  }
  return sum;
}

}  // namespace tropic::detail
