// SPDX-License-Identifier: Apache-2.0
#pragma once

// A maximal independent set of a relabelled graph. Priorities are those of the original numbers, so
// that the set is the same in every order.

#include <cstdint>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/maximal_independent_set.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>

namespace tropic {

/// maximal_independent_set(graph.graph(), seed). Throws as that does.
template <value_type T>
independent_set_result maximal_independent_set(const relabelled_graph<T>& graph,
                                               std::uint64_t seed = 0) {
  detail::check_square("maximal_independent_set", graph.graph());
  const context where = graph.graph().where();
  where.checkpoint("independent set");
  const vector<std::uint64_t> numbers =
      detail::numbers_of_vertices(where, graph.graph().rows(), seed);
  independent_set_result result = detail::independent_set(
      detail::undirected_edges(graph.relabelled()), graph.to_relabelled(numbers));
  result.members = graph.to_given(result.members);
  return result;
}

}  // namespace tropic
