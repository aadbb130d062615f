// SPDX-License-Identifier: Apache-2.0
#pragma once

// Breadth-first search: the number of edges from the source to every vertex, and the vertex before
// it on a shortest path.
//
// The frontier is a sparse vector. One product with the adjacency matrix over (min, second_i) gives
// every neighbour the smallest frontier vertex with an edge to it. A complemented mask of the
// vertices reached excludes those already visited. Each step is a round of iterate_until:
//
//   next<!parent> = frontier' A      parent<next> = next      level<next> = depth
//
// The loop is in src/operations/iterate.cpp; on devices it is in iterate.kernel for small frontiers
// and in rounds_by_direction.kernel for others (src/backends/kernels/vectors), and on the CPU in
// src/backends/cpu/rounds/round_loop.cpp. A round pushes while the frontier is small and pulls when
// it is large (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first search", SC
// 2012; in the algebra: Yang, Buluc and Owens, "GraphBLAST", TOMS 2022, section 4):
// src/backends/cpu/rounds/pull.cpp decides on the CPU, rounds_by_direction.kernel on devices,
// src/plan/quick_choice.cpp elsewhere. The first product of an ascending row is the smallest, so a
// pulled row exits early, at its first match.
//
// Invariants: parent has an entry exactly where level has; level(v) = level(parent(v)) + 1; a
// vertex's parent is the smallest of its neighbours one level nearer. Work O(vertices + edges).

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/context.hpp>
#include <tropic/iterate.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct bfs_result {
  vector<index_t> level;   // no entry for a vertex that is not reachable
  vector<index_t> parent;  // the source is its own parent
  index_t depth = 0;       // largest level
  index_t reached = 0;     // number of vertices with a level, including the source
};

/// Levels and parents from `source`. An entry (i, j) of `graph` is an edge from i to j, whatever
/// its value. Throws usage_error if the matrix is not square or `source` is not one of its rows;
/// cancelled.
template <value_type T>
bfs_result bfs(const matrix<T>& graph, index_t source) {
  detail::check_source("bfs", graph, source);
  const context where = graph.where();
  const index_t n = graph.rows();
  bfs_result result{vector<index_t>(where, n), vector<index_t>(where, n)};
  vector<index_t>& parent = result.parent;
  vector<index_t>& level = result.level;
  parent.expect_dense();
  level.expect_dense();
  parent.set(source, source);
  level.set(source, 0);

  vector<index_t> frontier(where, n);
  frontier.set(source, source);
  const index_t rounds = iterate_until(parent, min_secondi<index_t, T>{}, frontier, graph,
                                       {.rounds = &level, .name = "bfs"});
  result.depth = rounds - 1;  // the last round finds no vertex
  result.reached = parent.nvals();
  return result;
}

}  // namespace tropic
