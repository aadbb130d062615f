// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the moves and the refinement of leiden.hpp share: vertices that move one after the other, on
// arrays of the host, since each move changes the gains of the next ones. Sums are in the order of
// the entries.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/membership.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// Less than this part of a vertex's weight is no gain but rounding.
inline constexpr double least_gain = 1e-10;

/// Vertices of one level and their communities. Errors and checkpoints have the name of the
/// algorithm.
class community_state {
 public:
  community_state(const char* algorithm, const matrix<double>& weights, double resolution)
      : algorithm_(algorithm),
        weights_(weights),
        columns_(reading_for(algorithm,
                             [&] {
                               weights.offset(0);
                               return weights.column_indices();
                             })),
        values_(reading_for(algorithm, [&] { return weights.values(); })),
        is_iso_(weights.is_iso()),
        resolution_(resolution),
        first_(static_cast<std::size_t>(weights.rows()) + 1),
        weight_(first_.size() - 1),
        community_(weight_.size()),
        to_(weight_.size()) {
    for (std::size_t v = 0; v < first_.size(); ++v)
      first_[v] = static_cast<std::size_t>(weights.offset(static_cast<index_t>(v)));
    std::iota(community_.begin(), community_.end(), std::size_t{0});
    for (std::size_t v = 0; v < weight_.size(); ++v) {
      for (std::size_t e = first(v); e < first(v + 1); ++e) weight_[v] += value(e);
      all_ += weight_[v];
    }
    total_ = weight_;
  }

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
  std::size_t first(std::size_t v) const { return first_[v]; }
  double value(std::size_t e) const { return values_[is_iso_ ? 0 : e]; }
  double gain(std::size_t v, std::size_t community) const {
    return to_[community] - resolution_ * weight_[v] * (total_[community] / all_);
  }
  /// to_[c] for the communities c of the neighbours of v that `counts`, which are listed in near_.
  template <class Counts>
  void add_weights(std::size_t v, const Counts& counts) {
    near_.clear();
    for (std::size_t e = first(v); e < first(v + 1); ++e) {
      const std::size_t u = columns_[e];
      if (u == v || !counts(u)) continue;
      if (to_[community_[u]] == 0) near_.push_back(community_[u]);
      to_[community_[u]] += value(e);
    }
  }
  void clear_weights() {
    for (const std::size_t community : near_) to_[community] = 0;
  }
  /// The community of near_ that v gains most by joining, of equal gains the smallest, among those
  /// that `admits`; `current` if none has a larger gain than that. And its gain. v counts in no
  /// total_.
  template <class Admits>
  std::pair<std::size_t, double> best_near(std::size_t v, std::size_t current,
                                           const Admits& admits) const {
    std::size_t best = current;
    double best_gain = gain(v, current) + least_gain * weight_[v];
    for (const std::size_t community : near_) {
      if (!admits(community)) continue;
      if (const double found = gain(v, community);
          found > best_gain || (found == best_gain && best != current && community < best)) {
        best = community;
        best_gain = found;
      }
    }
    return {best, best_gain};
  }
  static bool any(std::size_t) { return true; }

  const char* algorithm_;
  const matrix<double>& weights_;
  array_view<std::uint32_t> columns_;
  array_view<double> values_;
  bool is_iso_;
  double resolution_;
  // of a vertex's entries, and the end; matrix::offset takes a lock at every call
  std::vector<std::size_t> first_;
  std::vector<double> weight_, total_;  // of a vertex, of a community
  double all_ = 0;
  std::vector<std::size_t> community_;
  std::vector<double> to_;         // weight from the current vertex to a community; 0 otherwise
  std::vector<std::size_t> near_;  // the communities with such a weight, some of them twice
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

}  // namespace tropic::detail
