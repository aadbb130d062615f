// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounds of the diameter, the largest number of edges on a shortest path between two vertices that
// are connected, edges taken in both directions. In every component that is large enough to have a
// longer path than those known:
//
//   double sweeps    a search from u finds the farthest vertex a, one from a the farthest vertex b:
//                    their distance is a lower bound. 2 * (eccentricity of u) is an upper one. The
//                    middle of the paths from a to b is the next u (Magnien, Latapy and Habib,
//                    "Fast computation of empirically tight bounds for the diameter of massive
//                    graphs", JEA 13, 2009, section 3; Crescenzi, Grossi, Habib, Lanzi and Marino,
//                    "On computing the diameter of real-world undirected graphs", Theoretical
//                    Computer Science 514, 2013, section 3.2)
//   iFUB             exact: levels of the best u from the outside inwards. All vertices on level i
//                    and further out have been ends of searches. Two vertices on inner levels are
//                    at most 2 (i - 1) apart, through u (Crescenzi et al., section 3.1)
//
// The searches of a level run 64 at once on words with a bit for each, as in closeness.hpp; the
// number of rounds until no bit is new is their largest eccentricity.
//
// Invariant: lower <= diameter <= upper; `from` and `to` are `lower` edges apart. Work
// O(vertices + edges) for each of at most eleven searches in a component without `exact`; with it
// O(vertices / 64 * (vertices + edges)) in the worst case, as on graphs with all vertices equally
// far out, and a few searches on roads and social networks. Space: the graph in both directions if
// it is not known to be symmetric, 48 bytes a vertex.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/closeness.hpp>
#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct diameter_options {
  /// Search until the bounds are equal.
  bool exact = false;
};

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

/// The bounds of one component after another.
class diameter_search {
 public:
  diameter_search(const matrix<bool>& edges, bool exact) : edges_(edges), exact_(exact) {}

  /// `vertices`: those of a component, ascending.
  void run(std::span<const index_t> vertices) {
    index_t best = vertices.front();  // the one with the most edges
    const auto degree = [&](index_t v) { return edges_.offset(v + 1) - edges_.offset(v); };
    for (const index_t v : vertices)
      if (degree(v) > degree(best)) best = v;
    inner_.clear();
    for (int sweep = 0; sweep < 3; ++sweep) {
      const distant_pair outward = farthest_from(vertices, best).first;
      if (result_.lower >= 2 * depth_ || sweep == 2) break;
      const auto [across, levels] = farthest_from(vertices, outward.to);
      if (result_.lower >= 2 * depth_) break;
      best = middle(vertices, across, levels);
    }
    const index_t upper = exact_ ? from_outside(vertices) : 2 * depth_;
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
  /// A vertex as far from `source` as possible, and the distances of all.
  std::pair<distant_pair, std::vector<index_t>> farthest_from(std::span<const index_t> vertices,
                                                              index_t source) {
    edges_.where().checkpoint("diameter");
    ++result_.searches;
    const bfs_result all = bfs(edges_, source);
    std::vector<index_t> levels = reading_for("diameter", [&] { return all.level.dense(-1); });
    const auto far = std::find_if(vertices.begin(), vertices.end(), [&](index_t v) {
      return levels[static_cast<std::size_t>(v)] == all.depth;
    });
    found({all.depth, source, *far});
    if (inner_.empty() || all.depth < depth_) {
      depth_ = all.depth;
      inner_ = levels;
    }
    return {{all.depth, source, *far}, std::move(levels)};
  }

  /// A vertex halfway on shortest paths between the ends of `across`. There are many on grids: the
  /// one that is between two of them that are far from each other.
  index_t middle(std::span<const index_t> vertices, const distant_pair& across,
                 const std::vector<index_t>& from_first) {
    const std::vector<index_t> from_second = farthest_from(vertices, across.to).second;
    std::vector<index_t> halfway;
    for (const index_t v : vertices) {
      const auto at = static_cast<std::size_t>(v);
      if (from_first[at] == across.distance / 2 &&
          from_first[at] + from_second[at] == across.distance)
        halfway.push_back(v);
    }
    if (halfway.size() == 1) return halfway.front();
    const auto level = [](const std::vector<index_t>& levels, index_t v) {
      return levels[static_cast<std::size_t>(v)];
    };
    const std::vector<index_t> one = farthest_from(vertices, halfway.front()).second;
    const index_t end =
        *std::max_element(halfway.begin(), halfway.end(),
                          [&](index_t a, index_t b) { return level(one, a) < level(one, b); });
    const std::vector<index_t> other = farthest_from(vertices, end).second;
    const auto distance = [&](index_t v) { return std::max(level(one, v), level(other, v)); };
    return *std::min_element(halfway.begin(), halfway.end(),
                             [&](index_t a, index_t b) { return distance(a) < distance(b); });
  }

  /// Searches from the vertices on the levels around u, the last first, until no further ones can
  /// exceed the lower bound, which is then an upper bound of the component.
  index_t from_outside(std::span<const index_t> vertices) {
    std::vector<std::vector<index_t>> of_level(static_cast<std::size_t>(depth_) + 1);
    for (const index_t v : vertices)
      of_level[static_cast<std::size_t>(inner_[static_cast<std::size_t>(v)])].push_back(v);
    for (index_t level = depth_; result_.lower < 2 * level; --level) {
      const std::vector<index_t>& sources = of_level[static_cast<std::size_t>(level)];
      for (std::size_t at = 0; at < sources.size() && result_.lower < 2 * level; at += 64) {
        const std::span<const index_t> batch(sources.data() + at,
                                             std::min<std::size_t>(64, sources.size() - at));
        found(farthest_of(edges_, batch));
        result_.searches += static_cast<index_t>(batch.size());
      }
    }
    return result_.lower;
  }

  const matrix<bool>& edges_;
  bool exact_;
  diameter_result result_;
  // Of the component: the smallest eccentricity found, and the distances from its vertex.
  index_t depth_ = 0;
  std::vector<index_t> inner_;
};
}  // namespace detail

/// Bounds of the longest shortest path within any component, in edges. An entry (i, j) of `graph`
/// is an edge between i and j, whatever its value; loops do not count. Throws usage_error if the
/// matrix is not square; cancelled; out_of_memory.
template <value_type T>
diameter_result diameter(const matrix<T>& graph, const diameter_options& options = {}) {
  detail::check_square("diameter", graph);
  const context where = graph.where();
  where.checkpoint("diameter");
  const matrix<bool> edges = detail::undirected_edges(graph);
  const components_result components = connected_components(edges);
  const array_view<index_t> label = detail::host_values("diameter", components.label);
  // The vertices by components, the largest component first, then that of the smallest vertex.
  std::vector<index_t> size(label.size(), 0), order(label.size());
  for (const index_t of : label) ++size[static_cast<std::size_t>(of)];
  std::iota(order.begin(), order.end(), index_t{0});
  std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
    const index_t first = label[static_cast<std::size_t>(a)];
    const index_t second = label[static_cast<std::size_t>(b)];
    const index_t sizes[] = {size[static_cast<std::size_t>(first)],
                             size[static_cast<std::size_t>(second)]};
    return sizes[0] != sizes[1] ? sizes[0] > sizes[1] : first < second;
  });
  detail::reading_for("diameter", [&] { return edges.offset(0); });
  detail::diameter_search search(edges, options.exact);
  if (!order.empty()) search.found({0, order.front(), order.front()});
  for (std::size_t at = 0; at < order.size();) {
    const index_t count =
        size[static_cast<std::size_t>(label[static_cast<std::size_t>(order[at])])];
    if (count - 1 <= search.result().lower) break;  // no longer path fits into it
    search.run(std::span(order).subspan(at, static_cast<std::size_t>(count)));
    at += static_cast<std::size_t>(count);
  }
  return search.result();
}

}  // namespace tropic
