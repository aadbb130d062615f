// SPDX-License-Identifier: Apache-2.0
#pragma once

// The method of Louvain as one operation (src/operations/communities.cpp), with moves that are made
// at the same time: what algorithms/louvain.hpp computes where the backend does not. All sums are
// of whole numbers, so that they are the same in any order, and every choice has one result; so all
// backends find the same communities, with any number of threads.
//
// A level is a symmetric graph; the first is the matrix, the vertices of the others are communities
// of the one before. With k(v), the sum of the weights at v, `all`, the sum of all k, and total(c),
// the sum of k over community c, vertex v gains by joining c
//
//   weight of the entries (v, u) with u in c, u not v - (resolution * (k(v) / all)) * total(c)
//
// in fp64, where the operations are rounded in this order; total(c) is without v where v is in c.
// v moves to the community with the largest gain, of equal ones the smallest, if that is more than
// the gain of its own + least_gain * k(v). A vertex alone in its community does not move to another
// single vertex of larger number: otherwise two could exchange their communities for ever.
//
//   sweep       for each of the `sub_rounds` subsets of the vertices (sub_round_of): all its active
//               vertices choose, then all that found one move at the same time. Vertices that chose
//               are no longer active; neighbours of a vertex that moved, in other communities than
//               its new one, become active again.
//   level       vertices that have entries, other than loops, are active. Sweeps until no vertex
//                 moves, in the first pass until first_one_in * moves <= the number of vertices
//                 that chose in the first sweep, or after most_sweeps. If the modularity is not
//                 larger then, all moves are taken back, and vertices move one after the other, as
//                 they do on levels of at most few_vertices: the active ones in ascending order,
//                 also to larger single vertices, until none moves, or after most_sweeps.
//   pass        from single vertices, level after level until no vertex moves. Communities become
//               vertices in ascending order of their numbers, those without neighbours leave.
//   result      two passes; the first level of the second begins with the communities found.
//
// The constants are those of community_rule. The modularity is inside / all - resolution * sum over
// all communities of (total / all)^2, where `inside` is the weight of entries within communities
// (Blondel et al., 2008). It is compared by the sums of community_sums.

#include <optional>

#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

struct found_communities {
  index_t communities = 0;
  index_t levels = 0;                  // in which a vertex moved
  std::optional<double> modularity{};  // where the sums that were compared are exact
};

/// Replaces community, which has an index_t for every row of A, by a community for each vertex: the
/// number of its smallest vertex. A: symmetric in fact. `weighted`: values are uint64 whose sum is
/// below 2^53; otherwise each entry is 1 and a loop 2. Null where the backend has no such
/// operation: then nothing has changed. The cancel token is checked between sweeps, or launches.
TROPIC_API std::optional<found_communities> find_communities(vector_base& community,
                                                             const matrix_base& a, bool weighted,
                                                             double resolution);

template <value_type T>
std::optional<found_communities> find_communities(vector<index_t>& community, const matrix<T>& a,
                                                  bool weighted, double resolution) {
  return find_communities(community.base(), a.base(), weighted, resolution);
}

}  // namespace tropic::detail
