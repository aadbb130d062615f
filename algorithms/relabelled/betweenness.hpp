// SPDX-License-Identifier: Apache-2.0
#pragma once

// Betweenness on a relabelled graph: sources are converted to the copy's numbers, values back. Sums
// are computed in another order, so values equal those of the original graph up to rounding.

#include <utility>
#include <vector>

#include <tropic/algorithms/betweenness.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>

namespace tropic {

/// betweenness(graph.graph(), options), up to rounding. Throws as that does.
template <value_type T>
betweenness_result betweenness(const relabelled_graph<T>& graph,
                               const betweenness_options& options = {}) {
  detail::check_square("betweenness", graph.graph());
  detail::check(options, graph.graph().rows());
  betweenness_options moved = options;
  if (moved.sources)
    for (index_t& source : *moved.sources) source = graph.order().new_position(source);
  moved.directed = options.directed.value_or(!graph.graph().is_symmetric());
  betweenness_result result = betweenness(graph.relabelled(), moved);
  result.centrality = graph.to_given(result.centrality);
  return result;
}

}  // namespace tropic
