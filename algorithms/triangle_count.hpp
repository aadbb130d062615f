// SPDX-License-Identifier: Apache-2.0
#pragma once

// Triangles: sets of three vertices with an edge between every two. Edges count in both directions,
// loops do not count.
//
// With L, the strictly lower triangle of the symmetric matrix, C<L> = L L' over (plus, pair) has at
// each edge (i, j), j < i, the number of vertices k < j that both are adjacent to. Every triangle
// is counted once, at the edge of its two larger vertices. The sum is reduced without building C
// (Azad, Buluc and Gilbert, "Parallel triangle counting and enumeration using matrix algebra",
// IPDPSW 2015, section III, with the mask as in Davis, "Graph algorithms via
// SuiteSparse:GraphBLAS", HPEC 2018).
//
// A graph with a row much longer than the average is relabelled first, the vertices with the most
// edges in front. A row of L then has at most sqrt(2 edges) entries, so that the work is
// O(edges^1.5) (Schank and Wagner, "Finding, counting and listing all triangles in large graphs",
// WEA 2005, section 2). The count does not depend on the order. Space: a copy of the graph, its
// lower triangle, and the transpose of a matrix that is not known to be symmetric.
//
// Devices take an entry of each edge from the graph as it is, that in the row of the vertex with
// fewer edges, without relabelling it (detail/triangles.hpp). Space: a word for each edge, and some
// words a vertex.
//
// The triangles of every vertex: the row sums of C<A> = A A' count each of them twice.

#include <cstdint>
#include <optional>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/triangles.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/permutation.hpp>
#include <tropic/permute.hpp>
#include <tropic/position_operators.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
TROPIC_UNARY_OPERATOR(half_of, x / 2);

/// The graph with every edge in both directions; values are of either.
template <value_type T>
matrix<T> in_both_directions(const matrix<T>& graph) {
  if (graph.is_symmetric()) return graph;
  const index_t n = graph.rows();
  matrix<T> reversed(graph.where(), n, n), both(graph.where(), n, n);
  transpose(reversed, graph);
  ewise_add(both, first{}, graph, reversed);
  return both;
}

/// Whether the relabelling by degree pays: there is a row much longer than the average.
template <value_type T>
bool is_skewed(const matrix<T>& graph) {
  return graph.rows() > 0 && graph.longest_row() > 8 * (graph.nvals() / graph.rows() + 1);
}
}  // namespace detail

/// The number of triangles. An entry (i, j) of `graph` is an edge between i and j, whatever its
/// value; a symmetric matrix should be known to be so (matrix::assume_symmetric). Throws
/// usage_error if the matrix is not square; cancelled; out_of_memory.
template <value_type T>
std::int64_t triangle_count(const matrix<T>& graph) {
  detail::check_square("triangle_count", graph);
  const context where = graph.where();
  where.checkpoint("triangles");
  matrix<T> both = detail::in_both_directions(graph);
  if (const std::optional<std::int64_t> count = detail::count_triangles(both)) return *count;
  if (detail::is_skewed(both)) {
    const permutation order = make_relabelling(both, permutation_kind::degree, 0);
    both = permute(both, order, order);
  }
  matrix<T> lower(where, graph.rows(), graph.rows());
  select(lower, tril{-1}, both);
  where.checkpoint("triangles: product");
  return reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, T>{}, lower,
                    transpose(lower), structure(lower));
}

/// For every vertex, the number of triangles that it belongs to: an entry at every vertex with
/// two neighbours that are adjacent, no entry where there are none. Throws as triangle_count does.
/// Work: the sum over all edges of the smaller degree of its ends, at least.
template <value_type T>
vector<std::int64_t> triangles_per_vertex(const matrix<T>& graph) {
  detail::check_square("triangles_per_vertex", graph);
  const context where = graph.where();
  where.checkpoint("triangles");
  const index_t n = graph.rows();
  const matrix<T> both = detail::in_both_directions(graph);
  matrix<T> edges(where, n, n);
  select(edges, off_the_diagonal{0}, both);
  matrix<std::int64_t> shared(where, n, n);
  where.checkpoint("triangles: product");
  // The matrix is symmetric: its transpose is itself, and rows are read on both sides.
  mxm(shared, plus_pair<std::int64_t, T>{}, edges, transpose(edges), {.mask = structure(edges)});
  vector<std::int64_t> twice(where, n), result(where, n);
  reduce(twice, plus_monoid<std::int64_t>{}, shared);
  apply(result, detail::half_of{}, twice);
  return result;
}

}  // namespace tropic
