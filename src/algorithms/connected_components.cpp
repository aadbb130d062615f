// SPDX-License-Identifier: Apache-2.0
#include "algorithms/connected_components.hpp"

#include <tropic/algorithms/relabelled/connected_components.hpp>
#include <tropic/algorithms/verify/connected_components.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

components_result connected_components(const any_graph& graph) {
  if (graph.type() != type_code::boolean)
    return connected_components(graph.with_values(pattern_of));
  return graph.visit<bool>([](const auto& typed) { return tropic::connected_components(typed); });
}

std::string verify_connected_components(const any_graph& graph, const components_result& result) {
  return tropic::verify_connected_components(matrix<bool>(pattern_of(graph.matrix())), result);
}

}  // namespace tropic::algorithms
