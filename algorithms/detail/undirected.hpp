// SPDX-License-Identifier: Apache-2.0
#pragma once

// The undirected graph of a matrix: what algorithms run on for which an edge has no direction.

#include <type_traits>

#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/diagonal.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/position_operators.hpp>

namespace tropic::detail {

/// The entries of `graph`, which is square, without their values.
template <value_type T>
matrix<bool> edges_of(const matrix<T>& graph) {
  if constexpr (std::is_same_v<T, bool>) {
    return graph;
  } else {
    matrix<bool> edges(graph.where(), graph.rows(), graph.rows());
    apply(edges, one{}, graph);
    return edges;
  }
}

/// The same graph without loops.
inline matrix<bool> without_loops(matrix<bool> edges) {
  if (diagonal_of(edges).nvals() == 0) return edges;
  const bool symmetric = edges.is_symmetric();
  select(edges, off_the_diagonal{0}, edges);
  if (symmetric) edges.assume_symmetric();
  return edges;
}

/// Every edge in both directions, no loops: known to be symmetric. Its values mean nothing. Space:
/// none if `graph` is like that already; else the result, and the transpose while it is computed.
template <value_type T>
matrix<bool> undirected_edges(const matrix<T>& graph) {
  matrix<bool> edges = without_loops(edges_of(graph));
  if (edges.is_symmetric()) return edges;
  matrix<bool> reversed(edges.where(), edges.rows(), edges.rows());
  transpose(reversed, edges);
  ewise_add(edges, logical_or{}, edges, reversed);
  edges.assume_symmetric();
  return edges;
}

}  // namespace tropic::detail
