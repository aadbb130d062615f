// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths on a relabelled graph. A distance is the least of sums along paths, each rounded
// from the source onwards, and so the same in any numbering. Parents are found from the distances
// on the original graph. Bellman-Ford, for negative weights, finds parents together with distances:
// on the copy its labels carry original numbers (sssp_negative.hpp), so it gives the same parents,
// or names the same vertex of a negative cycle. The width of a bucket is chosen from the weights of
// the original graph, in their order. Work as on the original graph.

#include <type_traits>

#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

/// The same distances and parents as sssp<D>(graph.graph(), source, options). Throws as that does.
template <class D = void, value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_result<detail::distances_asked<D, T>> sssp(const relabelled_graph<T>& graph, index_t source,
                                                const sssp_options& options = {}) {
  using distance = detail::distances_asked<D, T>;
  const matrix<T>& given = graph.graph();
  const auto weights = detail::checked_weights<distance>(given, source, options);
  if (weights.first < T{}) {
    detail::refuse_limit_of_negative(options);
    auto result =
        detail::bellman_ford<distance>(graph.relabelled(), source, options.parents, &graph.order());
    result.distance = graph.to_given(result.distance);
    if (options.parents) result.parent = graph.to_given(result.parent);
    detail::count_saturated(given, source, weights, options.parents, result);
    return result;
  }
  const auto delta = detail::choose_delta<distance>(given, options.delta, weights.second);
  auto result = detail::delta_stepping(graph.relabelled(), graph.order().new_position(source),
                                       delta, detail::first_above<distance>(options.limit));
  result.distance = graph.to_given(result.distance);
  detail::count_and_find_parents(given, source, weights, options.parents, result);
  return result;
}

}  // namespace tropic
