// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lengths of the shortest paths between given pairs of vertices, and so from many sources. Pairs
// with the same first vertex take one search (sssp.hpp) from it. The second vertices of these pairs
// are its targets, and it ends when their distances are final: weights are not negative, so no
// distance changes any more that is at most the least one of the frontier. This is tested after
// 8 rounds, and then each time the number of rounds has grown by an eighth. Negative weights, and
// weights so large that a sum might be clamped, take whole searches. With a limit no search goes
// beyond it.
//
// Invariant: a pair has the distance of sssp(graph, first) at its second vertex, and no entry if
// there is no path, which takes a whole search to find out. Work: the weights are read once; for
// every different first vertex O(vertices) to begin, and the edges of the vertices that are nearer
// than its farthest target, or little farther. Space: that of one search, and a distance and a
// byte for each pair; on the host, where no limit counts it, 8 bytes for each pair, and 16 for each
// pair of one source.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/vertex_pairs.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/sssp_delta.hpp>
#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/algorithms/sssp_saturation.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/extract.hpp>
#include <tropic/matrix.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// D is the type of distances.
template <value_type D>
struct sssp_between_result {
  vector<D> distance;     // of the k-th pair; no entry if there is no path within the limit
  index_t searches = 0;   // one for every different first vertex
  index_t saturated = 0;  // distances that may be wrong, of all vertices in all searches
  index_t steps = 0;      // products over the frontiers of all searches
};

namespace detail {
// Searches are functions, not templates: what they share is compiled once for each type of
// distances, and takes less time than any search.

/// Calls take(source, pairs) for every different first vertex, ascending, with the numbers of its
/// pairs. Throws cancelled.
inline void for_each_source(
    const context& where, std::span<const index_t> from,
    const std::function<void(index_t source, std::span<const index_t> pairs)>& take) {
  const auto first_of = [&](index_t pair) { return from[static_cast<std::size_t>(pair)]; };
  std::vector<index_t> order(from.size());
  std::iota(order.begin(), order.end(), index_t{0});
  std::ranges::stable_sort(order, {}, first_of);
  for (std::size_t at = 0, end = 0; at < order.size(); at = end) {
    where.checkpoint("sssp", static_cast<double>(at) / static_cast<double>(order.size()));
    const index_t source = first_of(order[at]);
    while (end < order.size() && first_of(order[end]) == source) ++end;
    take(source, std::span<const index_t>(order).subspan(at, end - at));
  }
}

/// Rounds of a search before its targets are tested first.
inline constexpr index_t first_look = 8;

/// The distances of the targets, which may repeat, for weights that are not negative and cannot be
/// clamped; `unreached` where none is below it. Adds the rounds to `steps`.
template <value_type D, value_type T>
vector<D> distances_of_targets(const matrix<T>& graph, index_t source,
                               std::span<const index_t> targets, D delta, D unreached,
                               index_t& steps) {
  const context where = graph.where();
  search_rounds<D> search(where, graph.rows(), source, unreached);
  vector<D> found(where, static_cast<index_t>(targets.size()));
  for (index_t rounds = 0;;) {
    const index_t done = search.run(graph, delta, std::max(first_look, rounds / 8));
    rounds += done;
    steps += done;
    extract(found, search.distance, targets);
    if (search.frontier.nvals() == 0 ||
        reduce(maximum_monoid<D>{}, found) <= reduce(minimum_monoid<D>{}, search.frontier))
      return found;
  }
}

/// search(source, targets) returns the distances of the targets; `unreached` or no entry where
/// there is no path below it.
template <value_type D>
void distances_between(
    sssp_between_result<D>& result, std::span<const index_t> from, std::span<const index_t> to,
    D unreached,
    const std::function<vector<D>(index_t source, std::span<const index_t> targets)>& search) {
  const context where = result.distance.where();
  vector<D> distance(where, static_cast<index_t>(from.size()));
  distance.expect_dense();
  std::vector<index_t> targets;
  for_each_source(where, from, [&](index_t source, std::span<const index_t> pairs) {
    targets.clear();
    for (const index_t k : pairs) targets.push_back(to[static_cast<std::size_t>(k)]);
    assign(distance, search(source, std::span<const index_t>(targets)), pairs);
    ++result.searches;
  });
  select(result.distance, bind_second(not_equal{}, unreached), distance);
}

/// The searches on `copy`, which has vertex v of `graph` at position_of(v); whole(source) is
/// sssp<D>() from a source, with the numbers of `graph`.
template <value_type D, value_type T>
sssp_between_result<D> searches_between(const matrix<T>& graph, const matrix<T>& copy,
                                        const std::function<index_t(index_t)>& position_of,
                                        std::span<const index_t> from, std::span<const index_t> to,
                                        const sssp_options& options,
                                        const std::function<sssp_result<D>(index_t)>& whole) {
  sssp_between_result<D> result{vector<D>(graph.where(), static_cast<index_t>(from.size()))};
  check(options);
  const auto weights = checked_weights<D>(graph);
  if (weights.first < T{}) refuse_limit_of_negative(options);
  if (from.empty()) return result;
  const auto unreached = first_above<D>(options.limit);
  if (weights.first < T{} || !every_path_fits<D>(graph.rows(), weights.first, weights.second)) {
    const auto search = [&](index_t source, std::span<const index_t> targets) {
      const sssp_result<D> all = whole(source);
      result.saturated += all.saturated;
      result.steps += all.steps;
      vector<D> found(graph.where(), static_cast<index_t>(targets.size()));
      extract(found, all.distance, targets);
      return found;
    };
    distances_between<D>(result, from, to, unreached, search);
    return result;
  }
  const auto delta = choose_delta<D>(graph, options.delta, weights.second);
  const auto search = [&](index_t source, std::span<const index_t> targets) {
    std::vector<index_t> positions;
    for (const index_t v : targets) positions.push_back(position_of(v));
    return distances_of_targets<D, T>(copy, position_of(source), positions, delta, unreached,
                                      result.steps);
  };
  distances_between<D>(result, from, to, unreached, search);
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
  return detail::searches_between<distance>(
      graph, graph, [](index_t v) { return v; }, from, to, options,
      [&](index_t source) { return sssp<distance>(graph, source, options); });
}

}  // namespace tropic
