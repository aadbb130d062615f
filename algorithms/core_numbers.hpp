// SPDX-License-Identifier: Apache-2.0
#pragma once

// Core numbers. The k-core of a graph is its largest part in which every vertex has k neighbours or
// more; the core number of a vertex is the largest k whose k-core contains it. Edges count in both
// directions, loops do not count.
//
// Vertices are peeled off in the order of their degrees (Seidman, "Network structure and minimum
// degree", Social Networks 5, 1983; in rounds as in Kabir and Madduri, "Parallel k-core
// decomposition on multicore platforms", IPDPSW 2017, section III). `degree` has an entry for every
// vertex that is left, its number of neighbours that are left. A round is
//
//   core<peeled> = k      degree<peeled> = nothing
//   lost<degree> = peeled' A          neighbours that were peeled: a product over (plus, pair)
//   degree -= lost
//   peeled = degree where lost has an entry and degree <= k
//
// When no vertex of degree k or less is left, k becomes the smallest degree that is left.
//
// This loop is one operation where the backend has it (detail/peel.hpp); it changes counts in
// place.
//
// Invariants: all vertices that are left are in the k-core; at the start of a level, every one of
// them has more than k neighbours that are left. Work: every edge is followed once from each end,
// and a round costs the vertices that it peels and their edges; a level costs one pass over the
// vertices that are left, which are at most as many as edges in all levels together: O(vertices +
// edges). Space: undirected_edges, and 25 bytes for a vertex, on a device 33 and one for 16 edges.
// The reference passes over all vertices in every round.

#include <cstdint>
#include <optional>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/peel.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct core_numbers_result {
  vector<index_t> core;    // for every vertex, 0 for one without neighbours
  index_t degeneracy = 0;  // the largest core number
  index_t rounds = 0;      // number of products
};

/// The core number of every vertex. An entry (i, j) of `graph` is an edge between i and j, whatever
/// its value; a symmetric matrix should be known to be so (matrix::assume_symmetric). Throws
/// usage_error if the matrix is not square; cancelled.
template <value_type T>
core_numbers_result core_numbers(const matrix<T>& graph) {
  using degree_t = std::uint32_t;  // there are no more columns
  detail::check_square("core_numbers", graph);
  const context where = graph.where();
  where.checkpoint("cores");
  const matrix<bool> edges = detail::undirected_edges(graph);
  const index_t n = graph.rows();
  core_numbers_result result{vector<index_t>(where, n, 0)};
  vector<degree_t> degree(where, n);
  mxv(degree, plus_pair<degree_t, bool, bool>{}, edges, vector<bool>(where, n, true));
  if (const std::optional<detail::peeling> found = detail::peel(result.core, degree, edges)) {
    result.degeneracy = found->largest;
    result.rounds = found->rounds;
    return result;
  }
  degree.expect_dense();

  const vector<degree_t> nothing(where, n);
  vector<degree_t> peeled(where, n), lost(where, n);
  while (degree.nvals() > 0) {
    const degree_t k = reduce(minimum_monoid<degree_t>{}, degree);
    result.degeneracy = k;
    for (select(peeled, bind_second(less_equal{}, k), degree); peeled.nvals() > 0;
         ++result.rounds) {
      where.checkpoint("cores");
      assign(result.core, k, {.mask = structure(peeled)});
      assign(degree, nothing, {.mask = structure(peeled)});
      vxm(lost, plus_pair<degree_t, degree_t, bool>{}, peeled, edges,
          {.mask = structure(degree), .replace = true});
      ewise_add(degree, minus{}, degree, lost);
      ewise_multiply(peeled, second{}, lost, degree);
      select(peeled, bind_second(less_equal{}, k), peeled);
    }
  }
  return result;
}

}  // namespace tropic
