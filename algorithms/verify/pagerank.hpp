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

#include <tropic/algorithms/detail/weighted_rows.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// What one serial iteration sends over the edges: to every vertex, and from vertices without any.
struct rank_flow {
  std::vector<double> next;
  double lost = 0;
};
inline rank_flow flow_of_ranks(const weighted_rows<double>& graph, const std::vector<double>& rank,
                               const pagerank_options& options) {
  const std::size_t n = rank.size();
  rank_flow flow{std::vector<double>(n, 0)};
  const context where = graph.where();
  for (std::size_t u = 0; u < n; ++u) {
    if (u % 4096 == 0)
      where.checkpoint("pagerank: verify", static_cast<double>(u) / static_cast<double>(n));
    const auto edges = graph.row(static_cast<index_t>(u));
    const auto weight = [&](std::size_t e) { return options.weighted ? edges.weight[e] : 1.0; };
    double leaving = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) leaving += weight(e);
    if (leaving <= 0) {
      if (!options.lose_dangling) flow.lost += rank[u];
      continue;
    }
    for (std::size_t e = 0; e < edges.size(); ++e)
      flow.next[edges.to[e]] += options.damping * rank[u] * weight(e) / leaving;
  }
  return flow;
}

/// Whether every vertex has a rank.
inline std::string check_every_rank(index_t vertices, const vector<double>& ranks) {
  if (ranks.size() != vertices)
    return "the result has " + std::to_string(ranks.size()) + " positions, the graph " +
           std::to_string(vertices) + " vertices";
  const std::vector<double> rank = ranks.dense(-1);
  for (std::size_t u = 0; u < rank.size(); ++u)
    if (!(rank[u] >= 0)) return "vertex " + std::to_string(u) + " has no rank";
  return {};
}

/// teleport[v]: the part of all jumps that goes to v.
inline std::string check_flow(const rank_flow& flow, const std::vector<double>& rank,
                              const std::vector<double>& teleport, const pagerank_result& result,
                              const pagerank_options& options) {
  const std::size_t n = rank.size();
  double sum = 0;
  for (const double r : rank) sum += r;
  // The unit roundoff of fp32 is 2^-24; sums of blocks of some hundred values lose a multiple.
  const double rounding = options.single ? 0x1p-18 : 0;
  const double excess = sum - 1;
  if (std::abs(options.lose_dangling ? std::max(excess, 0.0) : excess) >
      1e-9 * std::sqrt(static_cast<double>(n)) + 1e-12 + rounding)
    return "the ranks sum to " + detail::number_text(sum);
  const double jump = 1 - options.damping + options.damping * flow.lost;
  double change = 0;
  for (std::size_t v = 0; v < n; ++v)
    change += std::abs(flow.next[v] + jump * teleport[v] - rank[v]);
  const double allowed = options.damping * result.change + 1e-12 + rounding;
  if (result.iterations > 0 && change > allowed)
    return "one more iteration moves the ranks by " + detail::number_text(change) +
           ", allowed is " + detail::number_text(allowed);
  return {};
}

inline std::string check_ranks(const weighted_rows<double>& graph,
                               const std::vector<double>& teleport, const pagerank_result& result,
                               const pagerank_options& options) {
  if (std::string wrong = check_every_rank(graph.vertices(), result.rank);
      !wrong.empty() || graph.vertices() == 0)
    return wrong;
  const std::vector<double> rank = result.rank.dense(-1);
  return check_flow(flow_of_ranks(graph, rank, options), rank, teleport, result, options);
}

/// `preference` scaled to a sum of 1, on the host.
inline std::vector<double> scaled_preference(const vector<double>& preference) {
  std::vector<double> scaled = preference.dense(0);
  double sum = 0;
  for (const double p : scaled) sum += p;
  for (double& p : scaled) p /= sum;
  return scaled;
}
/// The same with preferences.
inline std::string check_ranks(const weighted_rows<double>& graph, const vector<double>& preference,
                               const pagerank_result& result, const pagerank_options& options) {
  check_preferences(graph.vertices(), preference);
  return check_ranks(graph, scaled_preference(preference), result, options);
}
}  // namespace detail

/// Empty if `result`, of a run with these options and without preferences, is right, else the first
/// error found. Throws cancelled.
template <value_type T>
std::string verify_pagerank(const matrix<T>& graph, const pagerank_result& result,
                            const pagerank_options& options = {}) {
  const std::vector<double> teleport(static_cast<std::size_t>(graph.rows()),
                                     1 / static_cast<double>(graph.rows()));
  return detail::check_ranks(detail::weighted_rows<double>(graph), teleport, result, options);
}

/// The same of a run with preferences, which pagerank() does not refuse.
template <value_type T>
std::string verify_pagerank(const matrix<T>& graph, const vector<double>& preference,
                            const pagerank_result& result, const pagerank_options& options = {}) {
  return detail::check_ranks(detail::weighted_rows<double>(graph), preference, result, options);
}

}  // namespace tropic
