// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lengths of the shortest paths between given pairs of vertices, and so from many sources. Pairs
// with the same first vertex take one search (sssp.hpp) from it, whose distances are read at their
// second vertices.
//
// Invariant: a pair has the distance of sssp(graph, first) at its second vertex, and no entry if
// there is no path. Work: a search for every different first vertex, and O(vertices) to read its
// distances on the host. Space: that of one search, 8 bytes a vertex and 24 bytes a pair.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/vertex_pairs.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// D is the type of distances.
template <value_type D>
struct sssp_between_result {
  vector<D> distance;     // of the k-th pair; no entry if there is no path
  index_t searches = 0;   // one for every different first vertex
  index_t saturated = 0;  // distances that may be wrong, of all vertices in all searches
};

namespace detail {
/// What a search found: distances of all vertices, and how many may be wrong.
template <value_type D>
struct distances_found {
  vector<D> distance;
  index_t saturated = 0;
};

/// Calls take(source, pairs) for every different first vertex, ascending, with the numbers of its
/// pairs. Throws cancelled.
template <class Take>
void for_each_source(const context& where, std::span<const index_t> from, const Take& take) {
  std::vector<std::size_t> order(from.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return from[a] < from[b]; });
  for (std::size_t at = 0, end = 0; at < order.size(); at = end) {
    where.checkpoint("sssp", static_cast<double>(at) / static_cast<double>(order.size()));
    while (end < order.size() && from[order[end]] == from[order[at]]) ++end;
    take(from[order[at]], std::span<const std::size_t>(order).subspan(at, end - at));
  }
}

/// search(source) returns distances_found<D>.
template <value_type D, class Search>
sssp_between_result<D> distances_between(const context& where, std::span<const index_t> from,
                                         std::span<const index_t> to, const Search& search) {
  constexpr D no_path = arithmetic::largest<D>();
  std::vector<D> all(from.size(), no_path);
  sssp_between_result<D> result{vector<D>(where, static_cast<index_t>(from.size()))};
  for_each_source(where, from, [&](index_t source, std::span<const std::size_t> pairs) {
    const distances_found<D> found = search(source);
    const std::vector<D> distance =
        reading_for("sssp", [&] { return found.distance.dense(no_path); });
    for (const std::size_t k : pairs) all[k] = distance[static_cast<std::size_t>(to[k])];
    ++result.searches;
    result.saturated += found.saturated;
  });
  std::vector<index_t> positions;
  std::vector<D> values;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] != no_path) {
      positions.push_back(static_cast<index_t>(k));
      values.push_back(all[k]);
    }
  result.distance =
      vector<D>::from_entries(where, static_cast<index_t>(all.size()), positions, values);
  return result;
}
}  // namespace detail

/// The distance from from[k] to to[k] for every k, of the type that sssp<D>() has. Pairs may
/// repeat. Parents are not found, whatever `options` say. Throws usage_error also if the lists
/// differ in length or name what is no vertex; otherwise as sssp does.
template <class D = void, value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_between_result<detail::distances_asked<D, T>> sssp_between(const matrix<T>& graph,
                                                                std::span<const index_t> from,
                                                                std::span<const index_t> to,
                                                                sssp_options options = {}) {
  using distance = detail::distances_asked<D, T>;
  detail::check_square("sssp", graph);
  detail::check_pairs("sssp", graph.rows(), from, to);
  options.parents = false;
  return detail::distances_between<distance>(graph.where(), from, to, [&](index_t source) {
    auto found = sssp<distance>(graph, source, options);
    return detail::distances_found<distance>{std::move(found.distance), found.saturated};
  });
}

}  // namespace tropic
