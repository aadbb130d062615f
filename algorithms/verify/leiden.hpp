// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks communities of leiden() without the algebra: as verify_louvain, and that every community
// is connected by edges between its own vertices. O(vertices + edges log(edges)).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/leiden.hpp>
#include <tropic/algorithms/verify/louvain.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
/// A vertex that is not connected to the smallest one of its community by edges within it; -1: none
/// is. With `weighted` edges of weight 0 do not count. `community` names smallest vertices.
template <value_type T>
index_t vertex_cut_off(const matrix<T>& graph, const std::vector<index_t>& community,
                       bool weighted) {
  // Edges in both directions unite sets, which have the smallest vertex as their root.
  std::vector<std::size_t> root(community.size());
  for (std::size_t v = 0; v < root.size(); ++v) root[v] = v;
  const auto find = [&](std::size_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  for (std::size_t v = 0; v < root.size(); ++v) {
    const auto end = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v) + 1));
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v))); e < end; ++e) {
      const std::size_t u = columns[e];
      if (community[u] != community[v]) continue;
      if (weighted && !(values[graph.is_iso() ? 0 : e] > T{})) continue;
      const std::size_t a = find(u), b = find(v);
      root[a < b ? b : a] = a < b ? a : b;
    }
  }
  for (std::size_t v = 0; v < root.size(); ++v)
    if (static_cast<index_t>(find(v)) != community[v]) return static_cast<index_t>(v);
  return -1;
}
}  // namespace detail

/// Empty if `result`, of a run with these options, is right, else the first error found. Throws as
/// leiden does.
template <value_type T>
std::string verify_leiden(const matrix<T>& graph, const leiden_result& result,
                          const leiden_options& options = {}) {
  detail::check_square("verify_leiden", graph);
  const std::string wrong = verify_louvain(
      graph, {result.community, result.communities, result.levels, result.modularity},
      {.resolution = options.resolution, .weighted = options.weighted});
  if (!wrong.empty()) return wrong;
  const std::vector<index_t> community = result.community.dense(-1);
  const index_t cut_off = detail::vertex_cut_off(graph, community, options.weighted);
  if (cut_off < 0) return {};
  return "vertex " + std::to_string(cut_off) + " is not connected to vertex " +
         std::to_string(community[static_cast<std::size_t>(cut_off)]) + " within their community";
}

}  // namespace tropic
