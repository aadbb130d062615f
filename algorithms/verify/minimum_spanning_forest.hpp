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
#include <type_traits>
#include <utility>
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
/// The type of weights in a serial search: all integers have one of two, so that it is compiled
/// four times for eleven types.
template <class T>
using serial_weight =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class W>
struct weighted_edge {
  W weight;
  std::uint32_t from, to;
};

/// The edges of the graph, the smaller end first, without loops.
template <value_type T>
std::vector<weighted_edge<serial_weight<T>>> weighted_edges_of(const matrix<T>& graph) {
  const context where = graph.where();
  const index_t n = graph.rows();
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  std::vector<weighted_edge<serial_weight<T>>> edges;
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
  return edges;
}

/// The edges of the forest of a graph with n vertices, by `from` and then by `to`.
template <class W>
std::vector<weighted_edge<W>> serial_forest(std::vector<weighted_edge<W>> edges, index_t n) {
  std::vector<weighted_edge<W>> forest;
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

/// `found`: the entries of a result for a graph with n vertices; what it says of them.
template <class W>
std::string check_forest(const std::vector<weighted_edge<W>>& expected,
                         const std::vector<weighted_edge<W>>& found, index_t n, index_t found_edges,
                         index_t found_trees, double found_weight) {
  const auto name = [](const weighted_edge<W>& edge) {
    return "edge " + std::to_string(edge.from) + " " + std::to_string(edge.to);
  };
  double weight = 0;
  for (std::size_t e = 0; e < std::max(expected.size(), found.size()); ++e) {
    if (e == expected.size() ||
        (e < found.size() &&
         std::pair(found[e].from, found[e].to) < std::pair(expected[e].from, expected[e].to)))
      return name(found[e]) + " is not in the forest of a serial search";
    if (e == found.size() || expected[e].from != found[e].from || expected[e].to != found[e].to)
      return name(expected[e]) + " is missing";
    if (found[e].weight != expected[e].weight)
      return name(expected[e]) + " has weight " + detail::number_text(found[e].weight) +
             ", its weight is " + detail::number_text(expected[e].weight);
    weight += static_cast<double>(expected[e].weight);
  }
  const auto edges = static_cast<index_t>(expected.size());
  if (found_edges != edges || found_trees != n - edges)
    return "the result counts " + std::to_string(found_edges) + " edges and " +
           std::to_string(found_trees) + " trees, there are " + std::to_string(edges) + " and " +
           std::to_string(n - edges);
  if (found_weight != weight)
    return "the result's weight is " + detail::number_text(found_weight) + ", the sum is " +
           detail::number_text(weight);
  return {};
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
  using W = detail::serial_weight<T>;
  const std::vector<detail::weighted_edge<W>> expected =
      detail::serial_forest<W>(detail::weighted_edges_of(graph), n);
  const auto coo = result.forest.to_coo();
  std::vector<detail::weighted_edge<W>> found;
  for (std::size_t e = 0; e < coo.rows.size(); ++e)
    found.push_back({coo.values[e], coo.rows[e], coo.columns[e]});
  return detail::check_forest(expected, found, n, result.edges, result.trees, result.weight);
}

}  // namespace tropic
