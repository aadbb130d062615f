// SPDX-License-Identifier: Apache-2.0
#pragma once

// Communities of large modularity (modularity.hpp), by the method of Louvain (Blondel, Guillaume,
// Lambiotte and Lefebvre, "Fast unfolding of communities in large networks", Journal of Statistical
// Mechanics, 2008, section 2). A level has two parts:
//
//   moves         vertices move to the community with the largest gain of modularity, again and
//                 again
//   aggregation   W = S' W S: communities become the vertices of the next level
//
// and the levels end when no vertex moves. Then the vertices of the graph itself move once more,
// from the communities found, which a later level may have made worse for some of them (Rotta and
// Noack, "Multilevel local search algorithms for modularity clustering", ACM JEA 16, 2011), and
// levels follow again. With k(v), the sum of the weights at v, and 2m, the sum of all, vertex v
// gains by joining community c
//
//   weight of the edges from v to c - resolution * k(v) * (sum of k over c) / 2m
//
// On large levels, vertices move at the same time: in each sweep, eight subsets of them one after
// the other, chosen by a hash of their numbers, so that few of the neighbours of a vertex move with
// it (the parallel heuristics of Lu, Halappanavar and Kalyanaraman, "Parallel heuristics for
// scalable community detection", Parallel Computing 47, 2015, with subsets in place of colours). A
// vertex is visited again if a neighbour has moved (as in GVE-Louvain: Sahu, arXiv 2312.04876).
// Levels of few vertices move one after the other, and so does a level on which moves at the same
// time do not raise the modularity. detail/communities.hpp has the exact rule, which is one
// operation of a backend.
//
// All sums are of whole numbers: weights that are not are rounded to multiples of a power of two,
// at most 2^-50 of the sum of all for up to 2^30 entries. So sums are the same in any order, and
// results on every device, for any number of threads and in every run: of equal gains the smallest
// community counts.
//
// Invariants: modularity never decreases from level to level; at the end, no union of two
// communities would increase it. A directed graph is taken as A + A'. Work: O(edges) a sweep; most
// graphs need few sweeps and levels. Space in addition to the graph: about 60 bytes a vertex, and
// 12 bytes an entry (8 on devices) while the first level is aggregated; 24 bytes more with weights
// or in directed graphs.

#include <optional>
#include <type_traits>

#include <tropic/algorithms/detail/community_weights.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/louvain_search.hpp>
#include <tropic/algorithms/modularity.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/communities.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct louvain_result {
  vector<index_t> community;  // the smallest vertex of the community, for every vertex
  index_t communities = 0;
  index_t levels = 0;  // in which a vertex moved
  double modularity = 0;
};

namespace detail {

/// Weights are those of `edges`, whole numbers, or its pattern.
template <value_type T>
found_communities communities_of(vector<index_t>& community, const matrix<T>& edges, bool weighted,
                                 double resolution) {
  if (const std::optional<found_communities> found =
          find_communities(community, edges, weighted, resolution))
    return *found;
  return louvain_search(community, edges, weighted, resolution);
}

}  // namespace detail

/// Communities of a graph, edges taken in both directions, and their modularity. An entry (i, j) of
/// `graph` is an edge between i and j; one in both directions counts twice, unless the matrix is
/// known to be symmetric. The result depends on the order of the vertices. Throws usage_error if
/// the matrix is not square, a weight is negative, or the resolution is; cancelled.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
louvain_result louvain(const matrix<T>& graph, const modularity_options& options = {}) {
  detail::check("louvain", options);
  detail::check_square("louvain", graph);
  const context where = graph.where();
  const auto weights = [&] {
    return detail::undirected_weights("louvain", graph, options.weighted);
  };
  louvain_result result{vector<index_t>(where, graph.rows())};
  detail::found_communities found;
  if (options.weighted || !graph.is_symmetric())
    found = detail::communities_of(result.community, detail::whole_weights(weights()), true,
                                   options.resolution);
  else
    found = detail::communities_of(result.community, graph, false, options.resolution);
  result.levels = found.levels;
  result.communities = found.communities;
  result.modularity =
      found.modularity
          ? *found.modularity
          : detail::modularity_of("louvain", weights(), result.community, options.resolution);
  return result;
}

}  // namespace tropic
