// SPDX-License-Identifier: Apache-2.0
#pragma once

// The method of Louvain as tropic/detail/communities.hpp defines it, step by step on arrays of the
// host: what the operation of a backend must compute, and what runs where there is none.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/communities.hpp>
#include <tropic/detail/community_rule.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// One level: a graph without loops, and the communities of its vertices.
class louvain_level {
 public:
  using entry = std::pair<std::uint32_t, std::uint64_t>;  // a neighbour, and the weight of the edge
  using rows = std::vector<std::vector<entry>>;
  static constexpr std::uint32_t none = 0xffffffff;

  louvain_level(context where, rows neighbours, std::vector<std::uint64_t> weights,
                const community_rule& rule)
      : where_(std::move(where)),
        row_(std::move(neighbours)),
        weight_(std::move(weights)),
        rule_(rule),
        community_(row_.size()),
        to_(row_.size(), 0) {
    std::iota(community_.begin(), community_.end(), 0U);
  }
  std::vector<std::uint32_t> communities() const { return community_; }

  /// Whether a vertex moved.
  bool move_vertices(bool first_pass) {
    const std::vector<std::uint32_t> start = community_;
    begin();
    const double before = sums().modularity(rule_);
    if (row_.size() <= community_rule::few_vertices) return move_one_by_one();
    bool moved = false;
    std::size_t chose_first = 0;
    for (std::uint32_t number = 0; number < community_rule::most_sweeps; ++number) {
      const auto [chose, moves] = sweep(number);
      if (number == 0) chose_first = chose;
      if (moves == 0) break;
      moved = true;
      if (first_pass && community_rule::first_one_in * moves <= chose_first) break;
    }
    if (!moved || sums().modularity(rule_) > before) return moved;
    community_ = start;
    begin();
    return move_one_by_one();
  }

  /// Communities with neighbours as vertices; `of_number`: which they were.
  louvain_level next(std::vector<std::uint32_t>& of_number) const {
    std::vector<std::uint32_t> number(row_.size(), none);
    for (std::size_t v = 0; v < row_.size(); ++v)
      if (!row_[v].empty()) number[community_[v]] = 0;
    of_number.clear();
    for (std::uint32_t c = 0; c < number.size(); ++c)
      if (number[c] != none) {
        number[c] = static_cast<std::uint32_t>(of_number.size());
        of_number.push_back(c);
      }
    rows joined(of_number.size());
    for (std::size_t v = 0; v < row_.size(); ++v)
      for (const auto& [u, weight] : row_[v])
        if (community_[u] != community_[v])
          joined[number[community_[v]]].emplace_back(number[community_[u]], weight);
    std::vector<std::uint64_t> weights;
    for (const std::uint32_t c : of_number) weights.push_back(total_[c]);
    for (auto& row : joined) {
      std::sort(row.begin(), row.end());
      std::size_t count = 0;
      for (const entry& e : row)
        if (count > 0 && row[count - 1].first == e.first)
          row[count - 1].second += e.second;
        else
          row[count++] = e;
      row.resize(count);
    }
    return {where_, std::move(joined), std::move(weights), rule_};
  }

  /// Joins communities as the vertices of the next level are joined.
  void join_as(const std::vector<std::uint32_t>& above,
               const std::vector<std::uint32_t>& of_number) {
    std::vector<std::uint32_t> to(row_.size(), none);
    for (std::size_t n = 0; n < above.size(); ++n) to[of_number[n]] = of_number[above[n]];
    for (std::uint32_t& c : community_)
      if (to[c] != none) c = to[c];
  }

 private:
  void begin() {
    total_.assign(row_.size(), 0);
    size_.assign(row_.size(), 0);
    active_.assign(row_.size(), 0);
    for (std::size_t v = 0; v < row_.size(); ++v) {
      total_[community_[v]] += weight_[v];
      ++size_[community_[v]];
      active_[v] = !row_[v].empty();
    }
  }
  community_sums sums() const {
    community_sums result;
    for (std::size_t v = 0; v < row_.size(); ++v)
      for (const auto& [u, weight] : row_[v])
        if (community_[u] == community_[v]) result.inside += weight;
    for (const std::uint64_t total : total_) {
      const std::uint64_t part = total >> static_cast<unsigned>(rule_.shift());
      result.squares += part * part;
    }
    return result;
  }
  std::uint32_t choose(std::uint32_t v, bool to_any_single) {
    const std::uint32_t current = community_[v];
    const double factor = rule_.factor(weight_[v]);
    for (const auto& [u, weight] : row_[v]) to_[community_[u]] += weight;
    double best_gain =
        community_rule::needed(to_[current], factor, total_[current] - weight_[v], weight_[v]);
    std::uint32_t best = none;
    for (const auto& [u, weight] : row_[v]) {
      const std::uint32_t c = community_[u];
      const double gain = community_rule::gain(to_[c], factor, total_[c]);
      if (c != current && (gain > best_gain || (gain == best_gain && best != none && c < best))) {
        best = c;
        best_gain = gain;
      }
    }
    for (const auto& [u, weight] : row_[v]) to_[community_[u]] = 0;
    if (best != none && best > current && !to_any_single && size_[current] == 1 && size_[best] == 1)
      return none;
    return best;
  }
  void move(std::uint32_t v, std::uint32_t to) {
    total_[community_[v]] -= weight_[v];
    --size_[community_[v]];
    total_[to] += weight_[v];
    ++size_[to];
    community_[v] = to;
  }
  void wake_neighbours(std::uint32_t v) {
    for (const auto& [u, weight] : row_[v])
      if (community_[u] != community_[v]) active_[u] = 1;
  }

  /// How many vertices chose, and how many moved.
  std::pair<std::size_t, std::size_t> sweep(std::uint32_t number) {
    std::vector<std::vector<std::uint32_t>> round(community_rule::sub_rounds);
    for (std::uint32_t v = 0; v < row_.size(); ++v)
      if (active_[v]) round[community_rule::sub_round_of(v, number)].push_back(v);
    std::size_t chose = 0, moves = 0;
    for (const std::vector<std::uint32_t>& list : round) {
      where_.checkpoint("louvain");
      std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;
      for (const std::uint32_t v : list) {
        active_[v] = 0;
        if (const std::uint32_t to = choose(v, false); to != none) moved.emplace_back(v, to);
      }
      for (const auto& [v, to] : moved) move(v, to);
      for (const auto& [v, to] : moved) wake_neighbours(v);
      chose += list.size();
      moves += moved.size();
    }
    return {chose, moves};
  }

  bool move_one_by_one() {
    bool moved_ever = false, moved = true;
    for (std::uint32_t number = 0; moved && number < community_rule::most_sweeps; ++number) {
      moved = false;
      for (std::uint32_t v = 0; v < row_.size(); ++v) {
        if (v % 4096 == 0) where_.checkpoint("louvain");
        if (!active_[v]) continue;
        active_[v] = 0;
        const std::uint32_t to = choose(v, true);
        if (to == none) continue;
        move(v, to);
        wake_neighbours(v);
        moved = moved_ever = true;
      }
    }
    return moved_ever;
  }

  context where_;
  rows row_;
  std::vector<std::uint64_t> weight_, total_;  // of a vertex, of a community
  community_rule rule_;
  std::vector<std::uint32_t> community_, size_;
  std::vector<std::uint64_t> to_;  // weight from the current vertex to a community; 0 otherwise
  std::vector<std::uint8_t> active_;
};

/// As find_communities. `weighted`: by values, which are uint64; otherwise loops are 2, others 1.
template <value_type T>
found_communities louvain_search(vector<index_t>& community, const matrix<T>& graph, bool weighted,
                                 double resolution) {
  const auto n = static_cast<std::size_t>(graph.rows());
  const auto columns = reading_for("louvain", [&] {
    graph.offset(0);
    return graph.column_indices();
  });
  const auto values = reading_for("louvain", [&] { return graph.values(); });
  louvain_level::rows neighbours(n);
  std::vector<std::uint64_t> weights(n, 0);
  community_rule rule{.resolution = resolution};
  for (std::size_t v = 0; v < n; ++v) {
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v)));
         e < static_cast<std::size_t>(graph.offset(static_cast<index_t>(v) + 1)); ++e) {
      const std::uint32_t u = columns[e];
      const std::uint64_t weight = weighted
                                       ? static_cast<std::uint64_t>(values[graph.is_iso() ? 0 : e])
                                   : u == v ? 2
                                            : 1;
      weights[v] += weight;
      if (u != v) neighbours[v].emplace_back(u, weight);
    }
    rule.all += weights[v];
  }
  louvain_level first(graph.where(), std::move(neighbours), std::move(weights), rule);
  found_communities result;
  for (const bool first_pass : {true, false}) {
    std::vector<louvain_level> above;
    std::vector<std::vector<std::uint32_t>> of_number;
    const auto top = [&]() -> louvain_level& { return above.empty() ? first : above.back(); };
    while (rule.all > 0 && top().move_vertices(first_pass)) {
      ++result.levels;
      of_number.emplace_back();
      above.push_back(top().next(of_number.back()));
    }
    if (above.empty()) break;
    while (!above.empty()) {
      const std::vector<std::uint32_t> joined = above.back().communities();
      above.pop_back();
      top().join_as(joined, of_number.back());
      of_number.pop_back();
    }
  }
  const std::vector<std::uint32_t> found = first.communities();
  std::vector<index_t> smallest(n, -1), named(n);
  for (std::size_t v = 0; v < n; ++v) {
    index_t& name = smallest[found[v]];
    if (name < 0) {
      name = static_cast<index_t>(v);
      ++result.communities;
    }
    named[v] = name;
  }
  community = vector<index_t>::from_array(graph.where(), std::move(named));
  return result;
}

}  // namespace tropic::detail
