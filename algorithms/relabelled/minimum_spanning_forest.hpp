// SPDX-License-Identifier: Apache-2.0
#pragma once

// The minimum spanning forest of a relabelled graph. Edges of equal weight are ordered by the
// original numbers of their ends, so that the forest is the same in every order.

#include <type_traits>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/minimum_spanning_forest.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>

namespace tropic {

/// minimum_spanning_forest(graph.graph()). Throws as that does.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
spanning_forest_result<T> minimum_spanning_forest(const relabelled_graph<T>& graph) {
  detail::check_square("minimum_spanning_forest", graph.graph());
  return detail::spanning_forest(graph.relabelled(), &graph.order());
}

}  // namespace tropic
