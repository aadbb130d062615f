// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks a minimum spanning forest without the algebra: edges are taken by weight, then by their
// ends, if they link two trees (Kruskal, "On the shortest spanning subtree of a graph and the
// traveling salesman problem", Proceedings of the AMS 7, 1956). O(edges log edges), sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/minimum_spanning_forest.hpp>
#include <tropic/algorithms/verify/connected_components.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
template <class T>
struct weighted_edge {
  T weight;
  std::uint32_t from, to;
};

/// The edges of the forest, by `from` and then by `to`.
template <value_type T>
std::vector<weighted_edge<T>> serial_forest(const matrix<T>& graph) {
  const context where = graph.where();
  const index_t n = graph.rows();
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  std::vector<weighted_edge<T>> edges, forest;
  for (index_t i = 0; i < n; ++i) {
    if (i % 4096 == 0)
      where.checkpoint("spanning forest: verify", static_cast<double>(i) / static_cast<double>(n));
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const std::uint32_t a = static_cast<std::uint32_t>(i),
                          b = columns[static_cast<std::size_t>(e)];
      if (a != b)
        edges.push_back({values[graph.is_iso() ? 0 : static_cast<std::size_t>(e)], std::min(a, b),
                         std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const auto& x, const auto& y) {
    return std::tie(x.weight, x.from, x.to) < std::tie(y.weight, y.from, y.to);
  });
  std::vector<index_t> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), index_t{0});
  for (const auto& edge : edges) {
    const index_t a = root_of(parent, edge.from), b = root_of(parent, edge.to);
    if (a == b) continue;
    parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    forest.push_back(edge);
  }
  std::sort(forest.begin(), forest.end(), [](const auto& x, const auto& y) {
    return std::tie(x.from, x.to) < std::tie(y.from, y.to);
  });
  return forest;
}
}  // namespace detail

/// Empty if `result` is the minimum spanning forest, else the first error found. Throws as
/// minimum_spanning_forest does, but does not look for NaN.
template <value_type T>
std::string verify_minimum_spanning_forest(const matrix<T>& graph,
                                           const spanning_forest_result<T>& result) {
  detail::check_square("verify_minimum_spanning_forest", graph);
  const index_t n = graph.rows();
  if (result.forest.rows() != n || result.forest.columns() != n)
    return "the forest is " + std::to_string(result.forest.rows()) + "x" +
           std::to_string(result.forest.columns()) + ", the graph has " + std::to_string(n) +
           " vertices";
  const std::vector<detail::weighted_edge<T>> expected = detail::serial_forest(graph);
  const auto found = result.forest.to_coo();
  const auto name = [](std::uint32_t from, std::uint32_t to) {
    return "edge " + std::to_string(from) + " " + std::to_string(to);
  };
  double weight = 0;
  for (std::size_t e = 0; e < std::max(expected.size(), found.rows.size()); ++e) {
    if (e == expected.size() ||
        (e < found.rows.size() &&
         std::pair(found.rows[e], found.columns[e]) < std::pair(expected[e].from, expected[e].to)))
      return name(found.rows[e], found.columns[e]) + " is not in the forest of a serial search";
    const auto& [w, from, to] = expected[e];
    if (e == found.rows.size() || from != found.rows[e] || to != found.columns[e])
      return name(from, to) + " is missing";
    if (found.values[e] != w)
      return name(from, to) + " has weight " + detail::number_text(found.values[e]) +
             ", its weight is " + detail::number_text(w);
    weight += static_cast<double>(w);
  }
  const auto edges = static_cast<index_t>(expected.size());
  if (result.edges != edges || result.trees != n - edges)
    return "the result counts " + std::to_string(result.edges) + " edges and " +
           std::to_string(result.trees) + " trees, there are " + std::to_string(edges) + " and " +
           std::to_string(n - edges);
  if (result.weight != weight)
    return "the result's weight is " + detail::number_text(result.weight) + ", the sum is " +
           detail::number_text(weight);
  return {};
}

}  // namespace tropic
