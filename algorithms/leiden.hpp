// SPDX-License-Identifier: Apache-2.0
#pragma once

// Communities of large modularity that are connected, by the method of Leiden (Traag, Waltman and
// van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific Reports 9,
// 2019, algorithm A.2). Louvain can leave a community in pieces, when a vertex that held it
// together has moved on. A level here has three parts:
//
//   moves         vertices move one after the other to the community with the largest gain of
//                 modularity (louvain.hpp). Those whose neighbourhood has changed are visited
//                 again, and a vertex may also leave for a community of its own, which it does if
//                 no edge links it to the rest of its community
//   refinement    within each community, vertices begin alone again. A vertex that is still alone
//                 joins the part of its community with the largest gain, if both are linked to the
//                 rest of the community as strongly as expected at least
//   aggregation   W = S' W S: the parts become the vertices of the next level, where they begin in
//                 the communities of this one
//
// The levels end when every community is one vertex, that is, one part. They are an iteration. The
// next one begins with the communities found, until no vertex moves, at most `iterations` times.
//
// Moves and refinement visit the vertices in a random order, another one each time, as in the
// paper. In the order of their numbers, modularities were up to 3 % lower, and most runs ended
// after fewer iterations. The orders are drawn from a generator with a fixed seed, so results are
// the same in every run, on every device and for any number of threads. The paper also picks among
// the parts with a gain at random; here the largest gain counts, of equal ones the smallest part.
//
// The first iteration decides most of the result: with other orders, modularities after ten
// iterations differ by up to 3 % (docs/communities.md). So if there are several iterations, the
// first one is done three times, and the communities of the largest modularity are those that the
// second one begins with. Two iterations that begin with the communities of louvain.hpp are the
// alternative, and what has the larger modularity then is continued.
//
// Invariants: modularity never decreases; a part is connected, since a gain needs an edge. If no
// vertex joins a part although a community has several vertices, its connected pieces are the
// parts, so that levels end. Sums are in the order of the entries. A directed graph is taken as
// A + A'. Work O(edges) a sweep. Space: 12 bytes for every entry of A + A', twice while the first
// aggregation runs, and 130 bytes a vertex, or what louvain.hpp needs if that is more.

#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/community_weights.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/leiden_level.hpp>
#include <tropic/algorithms/leiden_moves.hpp>
#include <tropic/algorithms/louvain.hpp>
#include <tropic/algorithms/modularity.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct leiden_options {
  double resolution = 1;
  /// By the weights of edges, which must not be negative, instead of 1 for each edge.
  bool weighted = false;
  /// At least 1.
  index_t iterations = 10;
};

struct leiden_result {
  vector<index_t> community;  // the smallest vertex of the community, for every vertex
  index_t communities = 0;
  index_t levels = 0;      // aggregations of all iterations, of the first one those that counted
  index_t iterations = 0;  // the last one moved no vertex, unless all were used
  double modularity = 0;
};

namespace detail {
inline void check(const leiden_options& o) {
  check("leiden", modularity_options{o.resolution, o.weighted});
  if (o.iterations < 1)
    throw usage_error("leiden: " + std::to_string(o.iterations) + " iterations, needed 1 or more");
}

/// How often the first of several iterations is done, each time with other orders.
inline constexpr int leiden_starts = 3;

/// Communities of all vertices after some iterations.
struct leiden_state {
  std::vector<index_t> community;  // the smallest vertex of the community, for every vertex
  index_t communities = 0, levels = 0;
  double modularity = 0;

  /// The levels of one iteration. Whether a vertex moved. Throws cancelled.
  bool iterate(const matrix<double>& given, double resolution, std::mt19937_64& random) {
    const context where = given.where();
    matrix<double> weights = given;
    std::vector<index_t> start = std::move(community);
    community.resize(start.size());
    std::iota(community.begin(), community.end(), index_t{0});
    bool moved = false;
    for (;; ++levels) {
      where.checkpoint("leiden");
      leiden_level level(weights, resolution, start, random);
      bool again = true;
      while (again) {
        again = level.run();
        moved |= again;
        // The last moves of all may have left a gain to a vertex that was not visited again.
        again = again && level.all_alone();
      }
      if (level.all_alone()) break;
      auto [part, count] = level.parts();
      for (index_t& of : community) of = part[static_cast<std::size_t>(of)];
      start = level.communities_of_parts(part, count);
      weights =
          aggregate("leiden", weights, vector<index_t>::from_array(where, std::move(part)), count);
    }
    communities = name_by_smallest(community);
    // A copy that is moved in, so that the vector allocates nothing.
    modularity = modularity_of("leiden", given,
                               vector<index_t>::from_array(where, std::vector<index_t>(community)),
                               resolution);
    return moved;
  }
};

}  // namespace detail

/// Connected communities of the undirected graph A + A', or A if it is known to be symmetric, and
/// their modularity in that graph, which for a directed one is not modularity(A, community). An
/// entry (i, j) of A is an edge between i and j. The result depends on the order of the vertices.
/// Throws usage_error if the matrix is not square, a weight is negative, or an option is out of
/// range; cancelled.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
leiden_result leiden(const matrix<T>& graph, const leiden_options& options = {}) {
  detail::check(options);
  const context where = graph.where();
  const auto n = static_cast<std::size_t>(graph.rows());
  const matrix<double> given = detail::undirected_weights("leiden", graph, options.weighted);
  std::mt19937_64 random;  // the same numbers in every run
  std::vector<index_t> alone(n);
  std::iota(alone.begin(), alone.end(), index_t{0});
  detail::leiden_state state{alone};
  index_t iterations = 1;
  bool moved = state.iterate(given, options.resolution, random);
  if (moved && options.iterations > 1) {
    for (int start = 1; start < detail::leiden_starts; ++start) {
      detail::leiden_state other{alone};
      other.iterate(given, options.resolution, random);
      if (other.modularity > state.modularity) state = std::move(other);
    }
    iterations = 2;
    moved = state.iterate(given, options.resolution, random);
    const louvain_result found = detail::reading_for("leiden", [&] {
      return louvain(graph, {options.resolution, options.weighted});
    });
    const auto communities = detail::host_values("leiden", found.community);
    detail::leiden_state other{{communities.begin(), communities.end()}};
    const bool other_moved = other.iterate(given, options.resolution, random) &&
                             other.iterate(given, options.resolution, random);
    if (other.modularity > state.modularity) {
      state = std::move(other);
      moved = other_moved;
    }
  }
  for (; moved && iterations < options.iterations; ++iterations)
    moved = state.iterate(given, options.resolution, random);
  return {vector<index_t>::from_array(where, std::move(state.community)), state.communities,
          state.levels, iterations, state.modularity};
}

}  // namespace tropic
