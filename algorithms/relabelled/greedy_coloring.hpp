// SPDX-License-Identifier: Apache-2.0
#pragma once

// A greedy colouring of a relabelled graph. Priorities are those of the original numbers, so that
// the colours are the same in every order.

#include <cstdint>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/greedy_coloring.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>

namespace tropic {

/// greedy_coloring(graph.graph(), seed). Throws as that does.
template <value_type T>
coloring_result greedy_coloring(const relabelled_graph<T>& graph, std::uint64_t seed = 0) {
  detail::check_square("greedy_coloring", graph.graph());
  const context where = graph.graph().where();
  where.checkpoint("coloring");
  const vector<std::uint64_t> numbers =
      detail::numbers_of_vertices(where, graph.graph().rows(), seed);
  coloring_result result =
      detail::coloring(detail::undirected_edges(graph.relabelled()), graph.to_relabelled(numbers));
  result.color = graph.to_given(result.color);
  return result;
}

}  // namespace tropic
