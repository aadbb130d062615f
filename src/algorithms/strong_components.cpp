// SPDX-License-Identifier: Apache-2.0
#include "algorithms/strong_components.hpp"

#include <tropic/algorithms/relabelled/strong_components.hpp>
#include <tropic/algorithms/verify/strong_components.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

strong_components_result strong_components(const any_graph& graph) {
  if (graph.type() != type_code::boolean) return strong_components(graph.with_values(pattern_of));
  return graph.visit<bool>([](const auto& typed) { return tropic::strong_components(typed); });
}

std::string verify_strong_components(const any_graph& graph,
                                     const strong_components_result& result) {
  return tropic::verify_strong_components(matrix<bool>(pattern_of(graph.matrix())), result);
}

}  // namespace tropic::algorithms
