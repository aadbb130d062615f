// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks a PageRank without the algebra: the ranks sum to one (to less where the rank of dangling
// vertices is lost), and one more serial iteration changes them by no more than it may: if the last
// iteration changed them by c, the next one changes them by at most damping * c. O(vertices +
// edges), and the same for every column of many.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/pagerank.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// teleport(v): the part of all jumps that goes to v.
template <value_type T, class Teleport>
std::string check_ranks(const matrix<T>& graph, const Teleport& teleport,
                        const pagerank_result& result, const pagerank_options& options) {
  const auto n = static_cast<std::size_t>(graph.rows());
  if (result.rank.size() != graph.rows())
    return "the result has " + std::to_string(result.rank.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  if (n == 0) return {};
  const std::vector<double> rank = result.rank.dense(-1);
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  double sum = 0, lost = 0;
  std::vector<double> next(n, 0);
  const context where = graph.where();
  for (std::size_t u = 0; u < n; ++u) {
    if (u % 4096 == 0)
      where.checkpoint("pagerank: verify", static_cast<double>(u) / static_cast<double>(n));
    if (!(rank[u] >= 0)) return "vertex " + std::to_string(u) + " has no rank";
    sum += rank[u];
    const auto begin = static_cast<std::size_t>(graph.offset(static_cast<index_t>(u)));
    const auto end = static_cast<std::size_t>(graph.offset(static_cast<index_t>(u) + 1));
    const auto weight = [&](std::size_t e) {
      return options.weighted ? static_cast<double>(values[graph.is_iso() ? 0 : e]) : 1.0;
    };
    double leaving = 0;
    for (std::size_t e = begin; e < end; ++e) leaving += weight(e);
    if (leaving <= 0) {
      if (!options.lose_dangling) lost += rank[u];
      continue;
    }
    for (std::size_t e = begin; e < end; ++e)
      next[columns[e]] += options.damping * rank[u] * weight(e) / leaving;
  }
  // The unit roundoff of fp32 is 2^-24; sums of blocks of some hundred values lose a multiple.
  const double rounding = options.single ? 0x1p-18 : 0;
  const double excess = sum - 1;
  if (std::abs(options.lose_dangling ? std::max(excess, 0.0) : excess) >
      1e-9 * std::sqrt(static_cast<double>(n)) + 1e-12 + rounding)
    return "the ranks sum to " + std::to_string(sum);
  double change = 0;
  for (std::size_t v = 0; v < n; ++v)
    change +=
        std::abs(next[v] + (1 - options.damping + options.damping * lost) * teleport(v) - rank[v]);
  const double allowed = options.damping * result.change + 1e-12 + rounding;
  if (result.iterations > 0 && change > allowed)
    return "one more iteration moves the ranks by " + std::to_string(change) + ", allowed is " +
           std::to_string(allowed);
  return {};
}

/// `preference` scaled to a sum of 1, on the host.
inline std::vector<double> scaled_preference(const vector<double>& preference) {
  std::vector<double> scaled = preference.dense(0);
  double sum = 0;
  for (const double p : scaled) sum += p;
  for (double& p : scaled) p /= sum;
  return scaled;
}
}  // namespace detail

/// Empty if `result`, of a run with these options and without preferences, is right, else the first
/// error found. Throws cancelled.
template <value_type T>
std::string verify_pagerank(const matrix<T>& graph, const pagerank_result& result,
                            const pagerank_options& options = {}) {
  const double everywhere = 1 / static_cast<double>(graph.rows());
  return detail::check_ranks(
      graph, [=](std::size_t) { return everywhere; }, result, options);
}

/// The same of a run with preferences, which pagerank() does not refuse.
template <value_type T>
std::string verify_pagerank(const matrix<T>& graph, const vector<double>& preference,
                            const pagerank_result& result, const pagerank_options& options = {}) {
  detail::check_preferences(graph.rows(), preference);
  const std::vector<double> teleport = detail::scaled_preference(preference);
  return detail::check_ranks(
      graph, [&](std::size_t v) { return teleport[v]; }, result, options);
}

}  // namespace tropic
