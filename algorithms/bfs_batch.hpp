// SPDX-License-Identifier: Apache-2.0
#pragma once

// Breadth-first searches from many sources at once. Column s of a full matrix is the search from
// the source s, and one product is one step of all searches:
//
//   next<!parent> = A' frontier      parent<next> = next      level<next> = depth
//
// over (min, second_i), as in bfs.hpp (batches of searches as matrices: Then et al., "The more the
// merrier: efficient multi-source graph traversal", VLDB 2015, section 3; in the algebra: Buluc and
// Gilbert, "The Combinatorial BLAS", IJHPCA 25, 2011, section 5). The entries of A are read once
// for all searches, but all of them in every step. So the first search is a single one, and if it
// has more levels than `most_levels`, the others are as well.
//
// Invariants: as in bfs.hpp for every column; levels and parents are those of single searches.
// Work O(levels * (vertices + edges) * sources) for at most `most_levels` levels of the first
// search, else that of single searches. Space: for every vertex and source 36 bytes, of which 18
// are the result; and the transpose of a matrix that is not known to be symmetric.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/context.hpp>
#include <tropic/full_matrix.hpp>
#include <tropic/full_operations.hpp>
#include <tropic/matrix.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct bfs_batch_result {
  full_matrix<index_t> level;   // (v, s): of v from sources[s]; no entry if it is not reachable
  full_matrix<index_t> parent;  // likewise; a source is its own parent
  bool at_once = true;          // whether the searches ran as one

  /// The search from sources[s].
  bfs_result search(index_t s) const {
    bfs_result of{level.column(s), parent.column(s)};
    of.depth = reduce(maximum_monoid<index_t>{}, of.level);
    of.reached = of.level.nvals();
    return of;
  }
};

namespace detail {
/// Of a first search with more levels the others are not run at once.
inline constexpr index_t most_levels = 64;

/// The searches from all sources at once, which are vertices.
template <value_type T>
bfs_batch_result searches_at_once(const matrix<T>& graph, std::span<const index_t> sources) {
  const context where = graph.where();
  const index_t n = graph.rows(), count = static_cast<index_t>(sources.size());
  bfs_batch_result result{{where, n, count}, {where, n, count}};
  full_matrix<index_t> frontier(where, n, count);
  for (index_t s = 0; s < count; ++s) {
    const index_t source = sources[static_cast<std::size_t>(s)];
    frontier.set(source, s, source);
    result.parent.set(source, s, source);
    result.level.set(source, s, 0);
  }
  for (index_t depth = 1;; ++depth) {
    where.checkpoint("bfs");
    full_matrix<index_t> next(where, n, count);
    mxm(next, min_secondi<T, index_t>{}, transpose(graph), frontier,
        {.mask = complement(structure(result.parent)), .replace = true});
    if (next.nvals() == 0) return result;
    assign(result.parent, next, {.mask = structure(next)});
    assign(result.level, depth, {.mask = structure(next)});
    frontier = std::move(next);
  }
}
}  // namespace detail

/// Levels and parents from every source, which may repeat: those of bfs(graph, source) each. Throws
/// usage_error if the matrix is not square, a source is not one of its rows, or there are more than
/// 2^32 pairs of a vertex and a source; cancelled; out_of_memory.
template <value_type T>
bfs_batch_result bfs_batch(const matrix<T>& graph, std::span<const index_t> sources) {
  detail::check_square("bfs_batch", graph);
  for (const index_t source : sources) detail::check_source("bfs_batch", graph, source);
  const context where = graph.where();
  const index_t n = graph.rows(), count = static_cast<index_t>(sources.size());
  // Refuses too many pairs before any search.
  bfs_batch_result result{{where, n, count}, {where, n, count}, count <= 1};
  if (count == 0) return result;
  const bfs_result first = bfs(graph, sources.front());
  if (count > 1 && first.depth <= detail::most_levels)
    return detail::searches_at_once(graph, sources);
  for (index_t s = 0; s < count; ++s) {
    where.checkpoint("bfs", static_cast<double>(s) / static_cast<double>(count));
    const bfs_result found = s == 0 ? first : bfs(graph, sources[static_cast<std::size_t>(s)]);
    result.level.set_column(s, found.level);
    result.parent.set_column(s, found.parent);
  }
  return result;
}

}  // namespace tropic
