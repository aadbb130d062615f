// SPDX-License-Identifier: Apache-2.0
#pragma once

// Breadth-first search: how many edges away is every vertex, and over which neighbour.
//
// The frontier is a sparse vector; one product with the adjacency matrix over (min, second_i)
// gives every neighbour the smallest frontier vertex that leads to it. A complemented mask of what
// has been reached keeps the visited out. Each step is a round of iterate_until:
//
//   next<!parent> = frontier' A      parent<next> = next      level<next> = depth
//
// The library pushes while the frontier is small and pulls when it is large (Beamer, Asanovic and
// Patterson, "Direction-optimizing breadth-first search", SC 2012; in the algebra: Yang, Buluc
// and Owens, "GraphBLAST", TOMS 2022, section 4). As the first product of an ascending row is the
// smallest, a pulled row ends at its first hit.
//
// Invariants: parent has an entry exactly where level has; level(v) = level(parent(v)) + 1; a
// vertex's parent is the smallest of its neighbours one level nearer. Work O(vertices + edges).

#include <tropic/iterate.hpp>

namespace tropic {

struct bfs_result {
  vector<index_t> level;   // no entry where the source does not lead
  vector<index_t> parent;  // the source is its own
  index_t depth = 0;       // largest level
  index_t reached = 0;     // vertices, the source included
};

namespace detail {
/// Throws usage_error unless `graph` is square and has the vertex.
template <value_type T>
void check_source(const char* algorithm, const matrix<T>& graph, index_t source) {
  if (graph.rows() != graph.columns())
    throw usage_error(std::string(algorithm) + ": a graph's matrix is square, this one is " +
                      std::to_string(graph.rows()) + "x" + std::to_string(graph.columns()));
  if (graph.rows() == 0)
    throw usage_error(std::string(algorithm) + ": source " + std::to_string(source) +
                      ", the graph has no vertices");
  if (source < 0 || source >= graph.rows())
    throw usage_error(std::string(algorithm) + ": source " + std::to_string(source) +
                      ", the graph has vertices 0 to " + std::to_string(graph.rows() - 1));
}
}  // namespace detail

/// Levels and parents from `source`. An entry (i, j) of `graph` is an edge from i to j, whatever
/// its value. Throws usage_error for a rectangular matrix or a source outside it; cancelled.
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
  result.depth = iterate_until(parent, min_secondi<index_t, T>{}, frontier, graph,
                               {.rounds = &level, .name = "bfs"}) -
                 1;
  result.reached = parent.nvals();
  return result;
}

}  // namespace tropic
