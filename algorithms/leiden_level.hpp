// SPDX-License-Identifier: Apache-2.0
#pragma once

// One level of leiden.hpp, on arrays of the host: its moves, and the refinement of its communities.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <tropic/algorithms/leiden_moves.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>

namespace tropic::detail {

/// The moves and the refinement of one level.
class leiden_level : community_state {
 public:
  /// `start`: the community of every vertex, a number below that of the vertices. Orders of visits
  /// are drawn from `random`.
  leiden_level(const matrix<double>& weights, double resolution, std::vector<index_t> start,
               std::mt19937_64& random)
      : community_state("leiden", weights, resolution), random_(random), size_(start.size(), 0) {
    std::fill(total_.begin(), total_.end(), 0.0);
    for (std::size_t v = 0; v < start.size(); ++v) {
      community_[v] = static_cast<std::size_t>(start[v]);
      total_[community_[v]] += weight_[v];
      ++size_[community_[v]];
    }
    for (std::size_t c = size_.size(); c-- > 0;)
      if (size_[c] == 0) empty_.push_back(c);
  }

  /// Whether a vertex moved. Throws cancelled.
  bool run() {
    if (!(all_ > 0)) return false;
    const std::vector<std::size_t> order = random_order();
    std::deque<std::size_t> queue(order.begin(), order.end());
    std::vector<std::uint8_t> waits(weight_.size(), 1);
    bool moved = false;
    for (std::size_t visits = 0; !queue.empty(); ++visits) {
      if (visits % 4096 == 0) weights_.where().checkpoint(algorithm_);
      const std::size_t v = queue.front();
      queue.pop_front();
      waits[v] = 0;
      if (!move(v)) continue;
      moved = true;
      for (std::size_t e = first(v); e < first(v + 1); ++e)
        if (const std::size_t u = columns_[e]; community_[u] != community_[v] && waits[u] == 0) {
          waits[u] = 1;
          queue.push_back(u);
        }
    }
    return moved;
  }

  /// Whether every community is one vertex.
  bool all_alone() const {
    return std::all_of(size_.begin(), size_.end(), [](index_t size) { return size <= 1; });
  }

  /// The part of every vertex, numbered by their smallest vertices, and the number of parts.
  std::pair<std::vector<index_t>, index_t> parts() {
    std::vector<std::size_t> community = community_;
    if (!refine()) separate();
    std::swap(community, community_);
    return numbers_of(community);
  }

  /// The communities of `count` parts as numbers of parts.
  std::vector<index_t> communities_of_parts(const std::vector<index_t>& part, index_t count) const {
    std::vector<index_t> result(static_cast<std::size_t>(count), -1), named(size_.size(), -1);
    for (std::size_t v = 0; v < part.size(); ++v) {
      index_t& name = named[community_[v]];
      if (name < 0) name = part[v];
      result[static_cast<std::size_t>(part[v])] = name;
    }
    return result;
  }

 private:
  /// All vertices. A shuffle of its own, since that of std::shuffle is up to the library.
  std::vector<std::size_t> random_order() {
    std::vector<std::size_t> order(weight_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[random_() % left]);
    return order;
  }

  bool move(std::size_t v) {
    const std::size_t from = community_[v];
    add_weights(v, any);
    total_[from] -= weight_[v];
    auto [best, best_gain] = best_near(v, from, any);
    // Alone the gain is 0. A vertex without an edge to its community gains nothing by staying, and
    // would not be connected.
    if (size_[from] > 1 && (best_gain < 0 || (best == from && to_[from] == 0))) {
      best = empty_.back();
      empty_.pop_back();
    }
    clear_weights();
    total_[best] += weight_[v];
    if (best == from) return false;
    ++size_[best];
    if (--size_[from] == 0) {
      total_[from] = 0;  // without what rounding has left
      empty_.push_back(from);
    }
    community_[v] = best;
    return true;
  }

  /// Whether a set with this weight, and `links` to the rest of its community, is linked to it as
  /// strongly as expected.
  bool is_linked(double links, double weight, double of_community) const {
    return links >= resolution_ * weight * ((of_community - weight) / all_) - least_gain * weight;
  }

  /// Makes community_ the parts. Whether a vertex joined one.
  bool refine() {
    const std::vector<std::size_t> whole = community_;
    const std::vector<double> of_whole = total_;
    std::vector<double> links(weight_.size(), 0);  // from a part to the rest of its community
    for (std::size_t v = 0; v < weight_.size(); ++v)
      for (std::size_t e = first(v); e < first(v + 1); ++e)
        if (columns_[e] != v && whole[columns_[e]] == whole[v]) links[v] += value(e);
    std::iota(community_.begin(), community_.end(), std::size_t{0});
    total_ = weight_;
    std::vector<std::uint8_t> is_alone(weight_.size(), 1);
    bool joined = false;
    std::size_t visits = 0;
    for (const std::size_t v : random_order()) {
      if (visits++ % 4096 == 0) weights_.where().checkpoint(algorithm_);
      const double around = of_whole[whole[v]];
      if (is_alone[v] == 0 || !is_linked(links[v], weight_[v], around)) continue;
      add_weights(v, [&](std::size_t u) { return whole[u] == whole[v]; });
      total_[v] = 0;
      const std::size_t best = best_near(v, v, [&](std::size_t part) {
                                 return is_linked(links[part], total_[part], around);
                               }).first;
      total_[best] += weight_[v];
      if (best != v) {
        joined = true;
        links[best] += links[v] - 2 * to_[best];
        community_[v] = best;
        is_alone[best] = 0;
      }
      clear_weights();
    }
    total_ = of_whole;
    if (!joined) community_ = whole;
    return joined;
  }

  /// Makes the connected pieces of communities the parts.
  void separate() {
    const std::vector<std::size_t> whole = community_;
    std::vector<std::uint8_t> seen(weight_.size(), 0);
    std::vector<std::size_t> stack;
    for (std::size_t v = 0; v < weight_.size(); ++v) {
      if (seen[v] != 0) continue;
      seen[v] = 1;
      for (stack.push_back(v); !stack.empty();) {
        const std::size_t u = stack.back();
        stack.pop_back();
        community_[u] = v;
        for (std::size_t e = first(u); e < first(u + 1); ++e)
          if (const std::size_t w = columns_[e];
              seen[w] == 0 && whole[w] == whole[u] && value(e) > 0) {
            seen[w] = 1;
            stack.push_back(w);
          }
      }
    }
  }

  std::mt19937_64& random_;
  std::vector<index_t> size_;       // of a community
  std::vector<std::size_t> empty_;  // the communities without vertices
};

}  // namespace tropic::detail
