// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strong components of a relabelled graph: as in connected_components.hpp of this folder.

#include <tropic/algorithms/detail/smallest_label.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/algorithms/strong_components.hpp>

namespace tropic {

/// strong_components(graph.graph()), except for the number of rounds. Throws as that does.
template <value_type T>
strong_components_result strong_components(const relabelled_graph<T>& graph) {
  strong_components_result result = strong_components(graph.relabelled());
  result.label = detail::smallest_of_label("strong components", graph.to_given(result.label));
  return result;
}

}  // namespace tropic
