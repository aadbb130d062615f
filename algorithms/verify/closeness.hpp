// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks closeness without the algebra: a serial search from every vertex. O(n (vertices + edges)).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/closeness.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

/// Empty if `result`, of a run with these options, is right, else the first error found. Throws as
/// closeness does.
template <value_type T>
std::string verify_closeness(const matrix<T>& graph, const closeness_result& result,
                             const closeness_options& options = {}) {
  detail::check_square("verify_closeness", graph);
  const auto n = static_cast<std::size_t>(graph.rows());
  if (result.centrality.size() != graph.rows())
    return "the result has " + std::to_string(result.centrality.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  const array_view<std::uint32_t> columns = graph.column_indices();
  const context where = graph.where();
  std::vector<double> far(n), reach(n);
  std::vector<std::size_t> queue;
  std::vector<index_t> level;
  for (std::size_t source = 0; source < n; ++source) {
    if (source % 256 == 0)
      where.checkpoint("closeness: verify", static_cast<double>(source) / static_cast<double>(n));
    level.assign(n, -1);
    queue.assign(1, source);
    level[source] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::size_t u = queue[at];
      far[u] += static_cast<double>(level[u]);
      ++reach[u];
      const auto end = static_cast<std::size_t>(graph.offset(static_cast<index_t>(u) + 1));
      for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(u))); e < end; ++e)
        if (level[columns[e]] < 0) {
          level[columns[e]] = level[u] + 1;
          queue.push_back(columns[e]);
        }
    }
  }
  const std::vector<double> found = result.centrality.dense(-1);
  for (std::size_t v = 0; v < n; ++v) {
    double right = far[v] > 0 ? (reach[v] - 1) / far[v] : 0;
    if (options.wf_improved && n > 1) right *= (reach[v] - 1) / static_cast<double>(n - 1);
    if (found[v] != right)
      return "vertex " + std::to_string(v) + " has closeness " + detail::number_text(found[v]) +
             ", a serial search gives " + detail::number_text(right);
  }
  return {};
}

}  // namespace tropic
