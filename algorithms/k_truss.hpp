// SPDX-License-Identifier: Apache-2.0
#pragma once

// The k-truss of a graph: its largest part in which every edge belongs to k - 2 triangles or more
// of that part. Edges count in both directions, loops do not count.
//
// C<E> = E E' over (plus, pair) has at every edge the number of its triangles, its support. Edges
// with less than k - 2 are removed, and what is left is multiplied again, until all edges stay
// (Cohen, "Trusses: cohesive subgraphs for social network analysis", NSA 2008; in the algebra:
// Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and k-truss", HPEC 2018,
// section III). Only the positions of the mask are computed, and a removed edge leaves all of the
// next product: operands and mask.
//
// Invariant: the k-truss is a part of E, as a part of E with enough triangles has them in E.
// Work: a product for every round, each the sum over the edges of the smaller degree of their ends
// at least; rounds are few on most graphs, and at most as many as there are edges. Space: for E
// and C 8 bytes an entry each, in addition to the graph in both directions.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {

struct k_truss_result {
  matrix<std::uint32_t> support;  // an entry in both directions for every edge of the truss: the
                                  // number of its triangles there
  index_t edges = 0;              // pairs of vertices
  index_t rounds = 0;             // number of products
};

/// The k-truss. An entry (i, j) of `graph` is an edge between i and j, whatever its value; a
/// symmetric matrix should be known to be so (matrix::assume_symmetric). Throws usage_error if the
/// matrix is not square, or k is less than 3 (the 2-truss is the graph itself); cancelled;
/// out_of_memory.
template <value_type T>
k_truss_result k_truss(const matrix<T>& graph, index_t k) {
  detail::check_square("k_truss", graph);
  if (k < 3) throw usage_error("k_truss: k is " + std::to_string(k) + ", expected 3 or more");
  const context where = graph.where();
  const index_t n = graph.rows();
  const auto least = static_cast<std::uint32_t>(
      std::min<index_t>(k - 2, std::numeric_limits<std::uint32_t>::max()));
  k_truss_result result{matrix<std::uint32_t>(where, n, n)};
  matrix<std::uint32_t>& support = result.support;
  apply(support, one{}, detail::undirected_edges(graph));
  for (bool again = true; again; ++result.rounds) {
    where.checkpoint("truss");
    // Symmetric: its transpose is itself, and rows are read on both sides.
    support.assume_symmetric();
    matrix<std::uint32_t> next(where, n, n);
    mxm(next, plus_pair<std::uint32_t>{}, support, transpose(support),
        {.mask = structure(support)});
    select(next, bind_second(greater_equal{}, least), next);
    again = next.nvals() < support.nvals();
    support = std::move(next);
  }
  support.assume_symmetric();
  result.edges = support.nvals() / 2;
  return result;
}

}  // namespace tropic
