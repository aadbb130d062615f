// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths on a graph whose vertices are numbered anew. A distance is the least of sums along
// paths, each rounded from the source on, and so the same in any numbering; parents are found from
// the distances on the graph itself. Bellman-Ford, for negative weights, finds parents as it goes:
// on the copy its labels carry the caller's numbers (sssp_negative.hpp), and it gives the same
// parents, or names the same vertex of a negative cycle. The width of a bucket is chosen from the
// graph's own weights, in their order. Work as without.

#include <tropic/algorithms/relabelled_graph.hpp>
#include <tropic/algorithms/sssp.hpp>

namespace tropic {

/// sssp(graph.graph(), source, options), to the same distances and parents. Throws as that does.
template <value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_result<T> sssp(const relabelled_graph<T>& graph, index_t source,
                    const sssp_options& options = {}) {
  const matrix<T>& given = graph.graph();
  detail::check_source("sssp", given, source);
  const T least = detail::least_weight(given);
  if (least < T{}) {
    sssp_result<T> result =
        detail::bellman_ford(graph.relabelled(), source, options.parents, &graph.order());
    result.distance = graph.to_given(result.distance);
    if (options.parents) result.parent = graph.to_given(result.parent);
    return result;
  }
  const T delta = detail::choose_delta(given, options.delta, reduce(maximum_monoid<T>{}, given));
  sssp_result<T> result =
      detail::delta_stepping(graph.relabelled(), graph.order().new_position(source), delta);
  result.distance = graph.to_given(result.distance);
  if (options.parents)
    result.parent = detail::shortest_path_parents(given, source, result.distance, !(least > T{}));
  return result;
}

}  // namespace tropic
