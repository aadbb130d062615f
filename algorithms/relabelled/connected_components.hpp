// SPDX-License-Identifier: Apache-2.0
#pragma once

// Connected components of a relabelled graph. The copy's labels tell components apart, but are
// smallest in the copy's numbers: the smallest original number of each is found by a scatter.

#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/detail/smallest_label.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>

namespace tropic {

/// connected_components(graph.graph()), except for the number of rounds. Throws as that does.
template <value_type T>
components_result connected_components(const relabelled_graph<T>& graph) {
  components_result result = connected_components(graph.relabelled());
  result.label = detail::smallest_of_label("components", graph.to_given(result.label));
  return result;
}

}  // namespace tropic
