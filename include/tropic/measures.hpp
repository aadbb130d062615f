// SPDX-License-Identifier: Apache-2.0
#pragma once

// How evenly the entries of a matrix are distributed: entropy of rows, columns and blocks, the
// distance between two such distributions and its significance, and the load of the largest part
// under an equal split of rows (Jain et al., "Entropy maximization in sparse matrix by vector
// multiplication", 2021, sections 4 and 5).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <tropic/matrix.hpp>

namespace tropic {

/// Number of entries per bin.
using histogram = std::vector<std::uint64_t>;

/// Shannon entropy in bits, - sum p log2 p with p = count / total; 0 if the total is 0. At most
/// log2 of the number of bins, if all are equal.
TROPIC_API double entropy(std::span<const std::uint64_t> counts);

/// Jensen-Shannon distance to base 2: the square root of H((p + q) / 2) - (H(p) + H(q)) / 2. 0 for
/// equal distributions, 1 if they share no bin. Throws usage_error if the numbers of bins differ,
/// or a histogram is empty.
TROPIC_API double jensen_shannon_distance(std::span<const std::uint64_t> first,
                                          std::span<const std::uint64_t> second);

/// A measured difference and its significance.
struct significance {
  double statistic = 0;
  /// (1 + resamples whose statistic is at least as large) / (1 + resamples): small if chance alone
  /// is an unlikely explanation.
  double p_value = 1;
};
struct bootstrap_options {
  int resamples = 999;
  std::uint64_t seed = 0;
  int threads = 1;
};

/// Measures |entropy(first) - entropy(second)| and its significance by a bootstrap. The null
/// hypothesis is that both histograms are samples of one distribution, the pooled one. Each
/// resample draws two histograms from it, every bin from a Poisson distribution, with the expected
/// totals of `first` and `second`. The result is the same for every number of threads. Throws
/// usage_error as jensen_shannon_distance does, or if `resamples` is less than 1. O(bins *
/// resamples).
TROPIC_API significance entropy_difference(std::span<const std::uint64_t> first,
                                           std::span<const std::uint64_t> second,
                                           const bootstrap_options& options = {});
/// The same for jensen_shannon_distance.
TROPIC_API significance distribution_difference(std::span<const std::uint64_t> first,
                                                std::span<const std::uint64_t> second,
                                                const bootstrap_options& options = {});

/// The matrix as side x side blocks of rows and columns: block row b begins at row
/// floor(b * rows / side), columns correspondingly.
struct heat_map {
  int side = 0;
  histogram counts;  ///< entries of each block, block row by block row
  double entropy = 0;

  std::uint64_t at(int block_row, int block_column) const {
    return counts[static_cast<std::size_t>(block_row) * static_cast<std::size_t>(side) +
                  static_cast<std::size_t>(block_column)];
  }
};

namespace detail {
TROPIC_API histogram row_counts(const matrix_base&);
TROPIC_API histogram column_counts(const matrix_base&);
TROPIC_API heat_map block_counts(const matrix_base&, int side);
TROPIC_API double equal_row_imbalance(const matrix_base&, int parts);
}  // namespace detail

/// Entries of each row. O(rows).
template <value_type T>
histogram row_counts(const matrix<T>& a) {
  return detail::row_counts(a.base());
}
/// Entries of each column. O(entries + columns).
template <value_type T>
histogram column_counts(const matrix<T>& a) {
  return detail::column_counts(a.base());
}
/// Counts the entries of each of side x side blocks. Throws usage_error for a side below 1 or above
/// 1024. O(entries + rows).
template <value_type T>
heat_map block_counts(const matrix<T>& a, int side) {
  return detail::block_counts(a.base(), side);
}
/// The paper's hierarchy of heat maps: 2 x 2, 4 x 4 and 8 x 8.
template <value_type T>
std::array<heat_map, 3> hierarchical_entropy(const matrix<T>& a) {
  return {block_counts(a, 2), block_counts(a, 4), block_counts(a, 8)};
}
/// Divides the rows among `parts` workers, part p from row floor(p * rows / parts) on, and returns
/// the entries of the largest part divided by the mean. 1 is balanced, `parts` the worst case; a
/// matrix without entries gives 1. Throws usage_error for less than one part. O(parts).
template <value_type T>
double equal_row_imbalance(const matrix<T>& a, int parts) {
  return detail::equal_row_imbalance(a.base(), parts);
}

}  // namespace tropic
