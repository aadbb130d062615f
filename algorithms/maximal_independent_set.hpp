// SPDX-License-Identifier: Apache-2.0
#pragma once

// A maximal independent set: vertices of which no two are linked, to which no vertex can be added.
// Edges count in both directions, loops do not count; a vertex without neighbours is always in.
//
// `left` has the priorities (detail/priorities.hpp) of the vertices that are not decided. A round
// is
//
//   best<left> = A left                a product over (max, second)
//   joins = left where no best, or left > best
//   beaten<left> = A joins             a product over (any, pair)
//   left<joins> = nothing              left<beaten> = nothing
//
// (Luby, "A simple parallel algorithm for the maximal independent set problem", SIAM Journal on
// Computing 15, 1986, with one priority for all rounds as in Blelloch, Fineman and Shun, "Greedy
// sequential maximal independent set and matching are parallel on average", SPAA 2012, section 3.)
//
// The set is the one that a serial loop over the vertices by descending priority finds, which takes
// every vertex that has no neighbour in the set: it depends on the graph and the seed only.
// Invariant: a vertex that is left has no neighbour in the set. Expected are O(log vertices)
// rounds, each of which reads the edges of the vertices that are left: O((vertices + edges) log
// vertices) at most, on most graphs less than two passes. Space: undirected_edges, and at most 48
// bytes a vertex: priority and number or best neighbour 8 each, those left 9, joining and beaten
// ones 14, and the set.

#include <cstdint>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/priorities.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct independent_set_result {
  vector<bool> members;  // an entry, true, for every vertex of the set
  index_t size = 0;      // number of vertices in the set
  index_t rounds = 0;
};

namespace detail {
/// `numbers`: of numbers_of_vertices, or another number below 2^32 for each vertex.
inline independent_set_result independent_set(const matrix<bool>& edges,
                                              const vector<std::uint64_t>& numbers) {
  const context where = edges.where();
  const index_t n = edges.rows();
  independent_set_result result{vector<bool>(where, n)};
  result.members.expect_dense();
  vector<std::uint64_t> left = priorities(edges, numbers);
  const vector<std::uint64_t> nothing(where, n);
  vector<std::uint64_t> best(where, n), joins(where, n);
  vector<bool> waits(where, n), beaten(where, n);
  for (; left.nvals() > 0; ++result.rounds) {
    where.checkpoint("independent set");
    mxv(best, max_second<std::uint64_t, bool, std::uint64_t>{}, edges, left,
        {.mask = structure(left), .replace = true});
    ewise_multiply(waits, less{}, left, best);
    assign(joins, left, {.mask = complement(waits), .replace = true});
    assign(result.members, true, {.mask = structure(joins)});
    vxm(beaten, any_pair<bool, std::uint64_t, bool>{}, joins, edges,
        {.mask = structure(left), .replace = true});
    assign(left, nothing, {.mask = structure(joins)});
    assign(left, nothing, {.mask = structure(beaten)});
  }
  result.size = result.members.nvals();
  return result;
}
}  // namespace detail

/// A maximal independent set; other seeds give other sets. An entry (i, j) of `graph` is an edge
/// between i and j, whatever its value; a symmetric matrix should be known to be so
/// (matrix::assume_symmetric). Throws usage_error if the matrix is not square; cancelled.
template <value_type T>
independent_set_result maximal_independent_set(const matrix<T>& graph, std::uint64_t seed = 0) {
  detail::check_square("maximal_independent_set", graph);
  const context where = graph.where();
  where.checkpoint("independent set");
  return detail::independent_set(detail::undirected_edges(graph),
                                 detail::numbers_of_vertices(where, graph.rows(), seed));
}

}  // namespace tropic
