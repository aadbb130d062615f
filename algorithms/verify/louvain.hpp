// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks communities without the algebra: they are numbered by their smallest vertices, their
// modularity is the one that serial sums give, and no two of them together have a larger one, as
// otherwise the last level would have united them. O(vertices + edges log(edges)).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/louvain.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

/// Empty if `result`, of a run with these options, is right, else the first error found. Throws as
/// louvain does.
template <value_type T>
std::string verify_louvain(const matrix<T>& graph, const louvain_result& result,
                           const modularity_options& options = {}) {
  detail::check_square("verify_louvain", graph);
  const auto n = static_cast<std::size_t>(graph.rows());
  if (result.community.size() != graph.rows())
    return "the result has " + std::to_string(result.community.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  const std::vector<index_t> community = result.community.dense(-1);
  index_t communities = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const index_t of = community[v];
    if (of < 0 || of > static_cast<index_t>(v) || community[static_cast<std::size_t>(of)] != of)
      return "vertex " + std::to_string(v) + " has community " + std::to_string(of) +
             ", which is not the smallest vertex of one";
    communities += of == static_cast<index_t>(v);
  }
  if (result.communities != communities)
    return "the result counts " + std::to_string(result.communities) + " communities, there are " +
           std::to_string(communities);

  // Weights between communities, in both directions; a loop is one edge in both directions.
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  const context where = graph.where();
  std::vector<std::pair<std::pair<index_t, index_t>, double>> between;
  std::vector<double> weight(n, 0);
  double total = 0, inside = 0;
  for (std::size_t v = 0; v < n; ++v) {
    if (v % 4096 == 0)
      where.checkpoint("louvain: verify", static_cast<double>(v) / static_cast<double>(n));
    const auto end = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v) + 1));
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v))); e < end; ++e) {
      double w = options.weighted ? static_cast<double>(values[graph.is_iso() ? 0 : e]) : 1.0;
      if (!graph.is_symmetric() || columns[e] == v) w *= 2;
      const index_t a = community[v], b = community[columns[e]];
      total += w;
      weight[static_cast<std::size_t>(a)] += w / 2;
      weight[static_cast<std::size_t>(b)] += w / 2;
      if (a == b)
        inside += w;
      else
        between.push_back({{std::min(a, b), std::max(a, b)}, w});
    }
  }
  double modularity = 0;
  if (total > 0) {
    modularity = inside / total;
    for (const double w : weight) modularity -= options.resolution * (w / total) * (w / total);
  }
  // Modularities lie between -resolution and 1, and so do their rounding errors.
  const double scale = std::max(1.0, options.resolution);
  if (!(std::abs(result.modularity - modularity) <= 1e-9 * scale))
    return "the result has modularity " + detail::number_text(result.modularity) +
           ", serial sums give " + detail::number_text(modularity);
  std::sort(between.begin(), between.end());
  for (std::size_t at = 0; at < between.size();) {
    const auto pair = between[at].first;
    double w = 0;
    for (; at < between.size() && between[at].first == pair; ++at) w += between[at].second;
    const double gain = w / total - 2 * options.resolution *
                                        (weight[static_cast<std::size_t>(pair.first)] / total) *
                                        (weight[static_cast<std::size_t>(pair.second)] / total);
    if (gain > 1e-8 * scale)
      return "communities " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
             " together have a modularity that is larger by " + detail::number_text(gain);
  }
  return {};
}

}  // namespace tropic
