// SPDX-License-Identifier: Apache-2.0
#pragma once

// Local clustering coefficients: for every vertex, how many of the edges that could link its
// neighbours there are. This is the LCC of LDBC Graphalytics (Iosup et al., "The LDBC Graphalytics
// benchmark", arXiv 2011.15028, version 1.0.3, section 2.3.6): the neighbours N(v) of a vertex are
// those of either direction, the edges between them are directed,
//
//   LCC(v) = |{(u, w): u, w in N(v), u -> w}| / (|N(v)| (|N(v)| - 1)),  0 where |N(v)| < 2
//
// With the matrix A and N, which has the edges in both directions, C<N> = N A' over (plus, pair)
// has at (v, u) the number of w in N(v) with u -> w. Its row sums are the numerators. Both are sums
// of integers below 2^53 in fp64: exact, in any order.
//
// Work: the sum over the edges (v, u) of N of the smaller degree of their ends, at least. Space: N
// if the matrix is not known to be symmetric, for C 8 bytes an entry of N, and 33 bytes a vertex.

#include <cstdint>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
TROPIC_BINARY_OPERATOR(share_of_pairs, x / (y * (y - 1)));
}  // namespace detail

/// The local clustering coefficient of every vertex, from 0 to 1. An entry (i, j) of `graph` is an
/// edge from i to j, whatever its value; loops do not count. A symmetric matrix, which should be
/// known to be so (matrix::assume_symmetric), has the coefficients of the undirected graph. Throws
/// usage_error if the matrix is not square; cancelled; out_of_memory.
template <value_type T>
vector<double> local_clustering(const matrix<T>& graph) {
  detail::check_square("local_clustering", graph);
  const context where = graph.where();
  where.checkpoint("clustering");
  const index_t n = graph.rows();
  const matrix<bool> edges = detail::without_loops(detail::edges_of(graph));
  const matrix<bool> links = detail::undirected_edges(edges);
  matrix<std::uint32_t> closed(where, n, n);
  where.checkpoint("clustering: product");
  mxm(closed, plus_pair<std::uint32_t, bool, bool>{}, links, transpose(edges),
      {.mask = structure(links)});
  const vector<bool> every(where, n, true);
  vector<double> count(where, n), degree(where, n), result(where, n, 0.0);
  mxv(count, plus_first<double, std::uint32_t, bool>{}, closed, every);
  mxv(degree, plus_pair<double, bool, bool>{}, links, every);
  ewise_multiply(count, detail::share_of_pairs{}, count, degree);
  assign(result, count, {.mask = structure(count)});
  return result;
}

}  // namespace tropic
