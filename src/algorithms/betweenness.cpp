// SPDX-License-Identifier: Apache-2.0
#include "algorithms/betweenness.hpp"

#include <tropic/algorithms/relabelled/betweenness.hpp>
#include <tropic/algorithms/verify/betweenness.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

betweenness_result betweenness(const any_graph& graph, const betweenness_options& options) {
  if (graph.type() != type_code::boolean)
    return betweenness(graph.with_values(pattern_of), options);
  return graph.visit<bool>([&](const auto& typed) { return tropic::betweenness(typed, options); });
}

std::string verify_betweenness(const any_graph& graph, const betweenness_result& result,
                               const betweenness_options& options) {
  return tropic::verify_betweenness(matrix<bool>(pattern_of(graph.matrix())), result, options);
}

}  // namespace tropic::algorithms
