// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageRank on a relabelled graph. Sums are computed in another order, so ranks equal those of the
// original graph up to rounding. If rounding decides about convergence, the number of iterations
// may differ by one.

#include <type_traits>

#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// pagerank(graph.graph(), options), up to rounding. Throws as that does.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_result pagerank(const relabelled_graph<T>& graph, const pagerank_options& options = {}) {
  pagerank_result result = pagerank(graph.relabelled(), options);
  result.rank = graph.to_given(result.rank);
  return result;
}

/// Personalised: preference(v) is for vertex v of the original graph.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_result pagerank(const relabelled_graph<T>& graph, const vector<double>& preference,
                         const pagerank_options& options = {}) {
  detail::check_preferences(graph.graph().rows(), preference);
  pagerank_result result = pagerank(graph.relabelled(), graph.to_relabelled(preference), options);
  result.rank = graph.to_given(result.rank);
  return result;
}

}  // namespace tropic
