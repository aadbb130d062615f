// SPDX-License-Identifier: Apache-2.0
#pragma once

// Communities of large modularity (modularity.hpp), by the method of Louvain (Blondel, Guillaume,
// Lambiotte and Lefebvre, "Fast unfolding of communities in large networks", Journal of Statistical
// Mechanics, 2008, section 2). A level has two parts:
//
//   moves         vertices, in the order of their numbers, move to the community with the largest
//                 gain of modularity, again and again until none moves
//   aggregation   W = S' W S: communities become the vertices of the next level
//
// and the levels end when no vertex moves. With k(v), the sum of the weights at v, and 2m, the sum
// of all, vertex v gains by joining community c
//
//   weight of the edges from v to c - resolution * k(v) * (sum of k over c) / 2m
//
// Moves are made on arrays of the host, one after the other, since each changes the gains of the
// next ones: vertices that move at once exchange their communities for ever. So results are the
// same on every device and for any number of threads: sums are in the order of the entries, and of
// equal gains the smallest community counts. Aggregation is two products.
//
// Invariants: modularity never decreases; the matrix of every level is symmetric, with the weight
// inside of a community, in both directions, on its diagonal. A directed graph is taken as A + A'.
// Work O(edges) a sweep; on most graphs few sweeps and levels. Space: 12 bytes for every entry of
// A + A', twice while the first aggregation runs, which is more than three times a graph without
// values, and 40 bytes a vertex.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/membership.hpp>
#include <tropic/algorithms/modularity.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct louvain_result {
  vector<index_t> community;  // the smallest vertex of the community, for every vertex
  index_t communities = 0;
  index_t levels = 0;  // in which a vertex moved
  double modularity = 0;
};

namespace detail {
/// Less than this part of a vertex's weight is no gain but rounding.
inline constexpr double least_gain = 1e-10;

/// The moves of one level. Errors and checkpoints have the name of the algorithm.
class louvain_level {
 public:
  louvain_level(const char* algorithm, const matrix<double>& weights, double resolution)
      : algorithm_(algorithm),
        weights_(weights),
        columns_(reading_for(algorithm,
                             [&] {
                               weights.offset(0);
                               return weights.column_indices();
                             })),
        values_(reading_for(algorithm, [&] { return weights.values(); })),
        resolution_(resolution),
        weight_(static_cast<std::size_t>(weights.rows())),
        community_(weight_.size()),
        to_(weight_.size()) {
    std::iota(community_.begin(), community_.end(), std::size_t{0});
    for (std::size_t v = 0; v < weight_.size(); ++v) {
      for (std::size_t e = first(v); e < first(v + 1); ++e) weight_[v] += value(e);
      all_ += weight_[v];
    }
    total_ = weight_;
  }

  /// Whether a vertex moved. Throws cancelled.
  bool run() {
    bool moved_ever = false;
    for (bool moved = all_ > 0; moved;) {
      moved = false;
      for (std::size_t v = 0; v < weight_.size(); ++v) {
        if (v % 4096 == 0) weights_.where().checkpoint(algorithm_);
        moved |= move(v);
      }
      moved_ever |= moved;
    }
    return moved_ever;
  }

  /// The community of every vertex, numbered by their smallest vertices, and their number.
  std::pair<std::vector<index_t>, index_t> communities() const { return numbers_of(community_); }

 protected:
  /// The sets of a partition, numbered by their smallest vertices, and their number.
  static std::pair<std::vector<index_t>, index_t> numbers_of(
      const std::vector<std::size_t>& partition) {
    std::vector<index_t> number(partition.size(), -1), result(partition.size());
    index_t count = 0;
    for (std::size_t v = 0; v < partition.size(); ++v) {
      index_t& of = number[partition[v]];
      if (of < 0) of = count++;
      result[v] = of;
    }
    return {std::move(result), count};
  }
  std::size_t first(std::size_t v) const {
    return static_cast<std::size_t>(weights_.offset(static_cast<index_t>(v)));
  }
  double value(std::size_t e) const { return values_[weights_.is_iso() ? 0 : e]; }
  double gain(std::size_t v, std::size_t community) const {
    return to_[community] - resolution_ * weight_[v] * (total_[community] / all_);
  }
  /// to_[c] for the communities c of the neighbours of v, which are listed in near_.
  void add_weights(std::size_t v) {
    near_.clear();
    for (std::size_t e = first(v); e < first(v + 1); ++e) {
      const std::size_t u = columns_[e];
      if (u == v) continue;
      if (to_[community_[u]] == 0) near_.push_back(community_[u]);
      to_[community_[u]] += value(e);
    }
  }
  void clear_weights() {
    for (const std::size_t community : near_) to_[community] = 0;
  }
  /// The community of near_ that v gains most by joining, of equal gains the smallest, among those
  /// that `admits`; `own` if none has a larger gain than that. And its gain. v counts in no total_.
  template <class Admits>
  std::pair<std::size_t, double> best_near(std::size_t v, std::size_t own,
                                           const Admits& admits) const {
    std::size_t best = own;
    double most = gain(v, own) + least_gain * weight_[v];
    for (const std::size_t community : near_) {
      if (!admits(community)) continue;
      if (const double found = gain(v, community);
          found > most || (found == most && best != own && community < best)) {
        best = community;
        most = found;
      }
    }
    return {best, most};
  }
  static bool any_community(std::size_t) { return true; }

  const char* algorithm_;
  const matrix<double>& weights_;
  array_view<std::uint32_t> columns_;
  array_view<double> values_;
  double resolution_;
  std::vector<double> weight_, total_;  // of a vertex, of a community
  double all_ = 0;
  std::vector<std::size_t> community_;
  std::vector<double> to_;         // weight from the current vertex to a community; 0 otherwise
  std::vector<std::size_t> near_;  // the communities with such a weight, some of them twice

 private:
  bool move(std::size_t v) {
    const std::size_t from = community_[v];
    add_weights(v);
    total_[from] -= weight_[v];
    const std::size_t best = best_near(v, from, any_community).first;
    clear_weights();
    total_[best] += weight_[v];
    community_[v] = best;
    return best != from;
  }
};

/// Communities that are numbered in the order of their smallest vertices get the numbers of these.
/// The number of communities.
inline index_t name_by_smallest(std::vector<index_t>& community) {
  std::vector<index_t> smallest;
  for (std::size_t v = 0; v < community.size(); ++v)
    if (community[v] == static_cast<index_t>(smallest.size()))
      smallest.push_back(static_cast<index_t>(v));
  for (index_t& of : community) of = smallest[static_cast<std::size_t>(of)];
  return static_cast<index_t>(smallest.size());
}

/// S' W S for `count` communities.
inline matrix<double> aggregate(const char* algorithm, const matrix<double>& weights,
                                const vector<index_t>& community, index_t count) {
  const context where = weights.where();
  const matrix<bool> members = membership(algorithm, community, count);
  matrix<double> rows(where, weights.rows(), count), result(where, count, count);
  mxm(rows, plus_first<double, double, bool>{}, weights, members);
  mxm(result, plus_second<double, bool, double>{}, transpose(members), rows);
  result.assume_symmetric();
  return result;
}

/// The symmetric weights of a graph, loops twice.
template <value_type T>
matrix<double> undirected_weights(const char* algorithm, const matrix<T>& graph, bool weighted) {
  matrix<double> weights = community_weights(algorithm, graph, weighted);
  if (graph.is_symmetric()) return weights;
  const index_t n = graph.rows();
  matrix<double> reversed(graph.where(), n, n), both(graph.where(), n, n);
  transpose(reversed, weights);
  ewise_add(both, plus{}, weights, reversed);
  both.assume_symmetric();
  return both;
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
  const context where = graph.where();
  const auto n = static_cast<std::size_t>(graph.rows());
  const matrix<double> given = detail::undirected_weights("louvain", graph, options.weighted);
  matrix<double> weights = given;
  std::vector<index_t> community(n);
  std::iota(community.begin(), community.end(), index_t{0});
  louvain_result result{vector<index_t>(where, graph.rows())};
  for (;; ++result.levels) {
    where.checkpoint("louvain");
    detail::louvain_level level("louvain", weights, options.resolution);
    if (!level.run()) break;
    auto [found, count] = level.communities();
    for (index_t& of : community) of = found[static_cast<std::size_t>(of)];
    weights = detail::aggregate("louvain", weights,
                                vector<index_t>::from_array(where, std::move(found)), count);
  }
  result.communities = detail::name_by_smallest(community);
  result.community = vector<index_t>::from_array(where, std::move(community));
  result.modularity = detail::modularity_of("louvain", given, result.community, options.resolution);
  return result;
}

}  // namespace tropic
