// SPDX-License-Identifier: Apache-2.0
#pragma once

// The searches of diameter.hpp within one component. A search in a component with less than a
// sixteenth of all vertices runs over its arrays on the host: one of the algebra takes passes over
// all vertices, and there can be almost as many components. Either finds the same levels.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/closeness.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/apply.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct diameter_result {
  index_t lower = 0, upper = 0;
  index_t from = -1, to = -1;  // two vertices at distance `lower`; -1 in a graph without vertices
  index_t searches = 0;        // from one vertex each
};

namespace detail {
struct distant_pair {
  index_t distance = 0, from = -1, to = -1;
};

/// A pair of the largest distance among those from up to 64 sources: the smallest `to`, of these
/// the first `from`. `edges` is symmetric.
inline distant_pair farthest_of(const matrix<bool>& edges, std::span<const index_t> sources) {
  const context where = edges.where();
  const index_t n = edges.rows();
  std::vector<std::uint64_t> bits;
  for (std::size_t s = 0; s < sources.size(); ++s) bits.push_back(std::uint64_t{1} << s);
  auto frontier = vector<std::uint64_t>::from_entries(where, n, sources, bits);
  vector<std::uint64_t> visited(where, n, 0), arrived(where, n), fresh(where, n), next(where, n);
  assign(visited, frontier, {.accumulate = either_bits{}});
  distant_pair result;
  for (;; ++result.distance) {
    where.checkpoint("diameter");
    vxm(arrived, semiring<either_bits_monoid<std::uint64_t>, first, std::uint64_t, bool>{},
        frontier, edges);
    ewise_multiply(fresh, bits_not_in{}, arrived, visited);
    select(next, nonzero{}, fresh);
    if (next.nvals() == 0) break;
    assign(visited, next, {.accumulate = either_bits{}});
    std::swap(frontier, next);
  }
  const auto [to, bit] = frontier.entries().front();
  std::size_t source = 0;
  while ((bit >> source & 1) == 0) ++source;
  result.from = sources[source];
  result.to = to;
  return result;
}

/// The bounds of one component after another. Levels are those of its vertices, in their order.
class diameter_search {
 public:
  /// `edges` is symmetric, and has its offsets on the host.
  diameter_search(const matrix<bool>& edges, bool exact)
      : edges_(edges), exact_(exact), position_(static_cast<std::size_t>(edges.rows())) {}

  /// `vertices`: those of a component, ascending.
  void run(std::span<const index_t> vertices) {
    vertices_ = vertices;
    is_small_ = vertices.size() < position_.size() / 16;
    for (std::size_t k = 0; k < vertices.size(); ++k)
      position_[static_cast<std::size_t>(vertices[k])] = k;
    index_t best = vertices.front();  // the one with the most edges
    for (const index_t v : vertices)
      if (degree(v) > degree(best)) best = v;
    inner_.clear();
    for (int sweep = 0; sweep < 3; ++sweep) {
      const distant_pair outward = farthest_from(best).first;
      if (result_.lower >= 2 * depth_ || sweep == 2) break;
      const auto [across, levels] = farthest_from(outward.to);
      if (result_.lower >= 2 * depth_) break;
      best = middle(across, levels);
    }
    const index_t upper = exact_ ? from_outside() : 2 * depth_;
    result_.upper = std::max(result_.upper, upper);
  }

  diameter_result result() const {
    diameter_result all = result_;
    all.upper = std::max(all.upper, all.lower);
    return all;
  }
  void found(const distant_pair& pair) {
    if (result_.from >= 0 && pair.distance <= result_.lower) return;
    result_.lower = pair.distance;
    result_.from = pair.from;
    result_.to = pair.to;
  }

 private:
  index_t degree(index_t v) const { return edges_.offset(v + 1) - edges_.offset(v); }
  std::size_t position(index_t v) const { return position_[static_cast<std::size_t>(v)]; }

  std::vector<index_t> levels_by_algebra(index_t source) const {
    const bfs_result all = bfs(edges_, source);
    const std::vector<index_t> of_all =
        reading_for("diameter", [&] { return all.level.dense(-1); });
    std::vector<index_t> levels;
    levels.reserve(vertices_.size());
    for (const index_t v : vertices_) levels.push_back(of_all[static_cast<std::size_t>(v)]);
    return levels;
  }
  std::vector<index_t> levels_on_host(index_t source) {
    if (columns_.size() == 0)
      columns_ = reading_for("diameter", [&] { return edges_.column_indices(); });
    std::vector<index_t> levels(vertices_.size(), -1), queue{source};
    levels[position(source)] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const index_t u = queue[at];
      for (index_t e = edges_.offset(u); e < edges_.offset(u + 1); ++e) {
        const index_t v = columns_[static_cast<std::size_t>(e)];
        if (levels[position(v)] >= 0) continue;
        levels[position(v)] = levels[position(u)] + 1;
        queue.push_back(v);
      }
    }
    return levels;
  }

  /// The levels of a search, and the first of the vertices on the last level, which is noted.
  std::pair<distant_pair, std::vector<index_t>> search_from(index_t source) {
    edges_.where().checkpoint("diameter");
    ++result_.searches;
    std::vector<index_t> levels = is_small_ ? levels_on_host(source) : levels_by_algebra(source);
    const auto far = std::max_element(levels.begin(), levels.end());
    const distant_pair pair{*far, source,
                            vertices_[static_cast<std::size_t>(far - levels.begin())]};
    found(pair);
    return {pair, std::move(levels)};
  }
  /// The same from a vertex that can have the smallest eccentricity.
  std::pair<distant_pair, std::vector<index_t>> farthest_from(index_t source) {
    auto all = search_from(source);
    if (inner_.empty() || all.first.distance < depth_) {
      depth_ = all.first.distance;
      inner_ = all.second;
    }
    return all;
  }

  /// A vertex halfway on shortest paths between the ends of `across`. There are many on grids: the
  /// one that is between two of them that are far from each other.
  index_t middle(const distant_pair& across, const std::vector<index_t>& from_first) {
    const std::vector<index_t> from_second = farthest_from(across.to).second;
    std::vector<index_t> halfway;
    for (std::size_t k = 0; k < vertices_.size(); ++k)
      if (from_first[k] == across.distance / 2 && from_first[k] + from_second[k] == across.distance)
        halfway.push_back(vertices_[k]);
    if (halfway.size() == 1) return halfway.front();
    const std::vector<index_t> one = farthest_from(halfway.front()).second;
    const index_t end = *std::max_element(
        halfway.begin(), halfway.end(),
        [&](index_t a, index_t b) { return one[position(a)] < one[position(b)]; });
    const std::vector<index_t> other = farthest_from(end).second;
    const auto distance = [&](index_t v) { return std::max(one[position(v)], other[position(v)]); };
    return *std::min_element(halfway.begin(), halfway.end(),
                             [&](index_t a, index_t b) { return distance(a) < distance(b); });
  }

  /// Searches from the vertices on the levels around u, the last first, until no further ones can
  /// exceed the lower bound, which is then an upper bound of the component.
  index_t from_outside() {
    std::vector<std::vector<index_t>> of_level(static_cast<std::size_t>(depth_) + 1);
    for (std::size_t k = 0; k < vertices_.size(); ++k)
      of_level[static_cast<std::size_t>(inner_[k])].push_back(vertices_[k]);
    const std::size_t at_once = is_small_ ? 1 : 64;
    for (index_t level = depth_; result_.lower < 2 * level; --level) {
      const std::vector<index_t>& sources = of_level[static_cast<std::size_t>(level)];
      for (std::size_t at = 0; at < sources.size() && result_.lower < 2 * level; at += at_once) {
        const std::span<const index_t> batch(sources.data() + at,
                                             std::min(at_once, sources.size() - at));
        if (is_small_) {
          search_from(batch.front());
        } else {
          found(farthest_of(edges_, batch));
          result_.searches += static_cast<index_t>(batch.size());
        }
      }
    }
    return result_.lower;
  }

  const matrix<bool>& edges_;
  bool exact_;
  diameter_result result_;
  array_view<std::uint32_t> columns_;  // of edges_, once a search runs on the host
  std::vector<std::size_t> position_;  // of every vertex in its component, once that is searched
  std::span<const index_t> vertices_;  // of the component
  bool is_small_ = false;              // searches run on the host
  // Of the component: the smallest eccentricity found, and the levels from its vertex.
  index_t depth_ = 0;
  std::vector<index_t> inner_;
};
}  // namespace detail

}  // namespace tropic
