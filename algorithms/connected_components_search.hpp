// SPDX-License-Identifier: Apache-2.0
#pragma once

// A search for the large component that most graphs have (connected_components.hpp), from a vertex
// with many edges, which lies in it in all likelihood (Slota, Rajamanickam and Madduri, "BFS and
// coloring-based parallel algorithms for strongly connected components and related problems", IPDPS
// 2014). It is a breadth-first search that notes only which vertices it reaches: most edges are not
// read, as in bfs.hpp.
//
// On a host a round costs no more than its edges. On a device every round costs a pass or a launch:
// there a search of many rounds is ended, as hooking needs fewer.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <tropic/context.hpp>
#include <tropic/iterate.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// The vertex that most of a sample of the vertices, which is evenly spaced, have an edge to.
template <value_type T>
std::optional<index_t> hub_of(const matrix<T>& graph) {
  const context where = graph.where();
  const index_t n = graph.rows(), count = std::min<index_t>(n, 1024);
  std::vector<index_t> sample(static_cast<std::size_t>(count));
  for (index_t k = 0; k < count; ++k) sample[static_cast<std::size_t>(k)] = k * n / count;
  const auto from = vector<index_t>::from_sparse(where, n, sample, sample);
  vector<index_t> edges(where, n);
  vxm(edges, plus_pair<index_t, index_t, T>{}, from, graph);
  const auto [vertex, number] = edges.to_sparse();
  if (vertex.size() == 0) return std::nullopt;
  return vertex[static_cast<std::size_t>(std::max_element(number.begin(), number.end()) -
                                         number.begin())];
}

/// A set of vertices that are connected.
struct connected_set {
  vector<bool> vertices;
  bool is_component = false;  // no edge leaves it
};

/// The vertices that a search from the hub reaches, if they are a large part.
template <value_type T>
connected_set around_hub(const matrix<T>& graph) {
  const context where = graph.where();
  const index_t most_rounds = where.is_host() ? std::numeric_limits<index_t>::max() : 32;
  const index_t n = graph.rows();
  connected_set found{vector<bool>(where, n)};
  const std::optional<index_t> hub = hub_of(graph);
  if (!hub) return found;
  vector<bool> frontier(where, n);
  frontier.set(*hub, true);
  found.vertices.expect_dense();
  found.vertices.set(*hub, true);
  iterate_until(found.vertices, semiring<or_monoid<bool>, pair, bool, T>{}, frontier, graph,
                {.max_rounds = most_rounds, .name = "components"});
  if (4 * found.vertices.nvals() < n) return {vector<bool>(where, n)};
  found.is_component = graph.is_symmetric() && frontier.nvals() == 0;
  return found;
}

}  // namespace tropic::detail
