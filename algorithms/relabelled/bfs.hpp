// SPDX-License-Identifier: Apache-2.0
#pragma once

// Breadth-first search on a relabelled graph. Levels are those of the copy. Its parents are not
// used: the smallest number in the copy is not the smallest in the original. Parents are found by
// one product on the original graph, over (min, first):
//
//   key(k) = level(k) * n + k        parent(j) = (least key of a vertex k with an edge to j) mod n
//
// A vertex at level L > 0 has a neighbour at level L - 1 and none nearer to the source, so its
// least key is that of the smallest such neighbour. Keys are below n^2, at most 2^64. Work
// O(vertices + edges) besides the search.

#include <cstdint>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/options.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
TROPIC_UNARY_OPERATOR(level_before_vertex, x* n + i, (std::uint64_t, n));
TROPIC_UNARY_OPERATOR(vertex_of_key, x % n, (std::uint64_t, n));

/// For every vertex with a level, the smallest neighbour one level nearer to the source.
template <value_type T>
vector<index_t> parents_of_levels(const matrix<T>& graph, index_t source,
                                  const vector<index_t>& level) {
  const context where = graph.where();
  where.checkpoint("bfs: parents");
  const index_t n = graph.rows();
  const auto count = static_cast<std::uint64_t>(n);
  vector<index_t> parent(where, n);
  parent.expect_dense();
  parent.set(source, source);
  vector<std::uint64_t> key(where, n), least(where, n);
  apply(key, level_before_vertex{count}, level);
  vxm(least, min_first<std::uint64_t, std::uint64_t, T>{}, key, graph,
      {.mask = complement(structure(parent))});
  apply(parent, vertex_of_key{count}, least, {.mask = structure(least)});
  return parent;
}
}  // namespace detail

/// The same levels and parents as bfs(graph.graph(), source). Throws as that does.
template <value_type T>
bfs_result bfs(const relabelled_graph<T>& graph, index_t source) {
  detail::check_source("bfs", graph.graph(), source);
  bfs_result result = bfs(graph.relabelled(), graph.order().new_position(source));
  result.level = graph.to_given(result.level);
  result.parent = detail::parents_of_levels(graph.graph(), source, result.level);
  return result;
}

}  // namespace tropic
