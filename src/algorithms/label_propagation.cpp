// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_propagation.hpp"

#include <tropic/algorithms/relabelled/label_propagation.hpp>
#include <tropic/algorithms/verify/label_propagation.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

label_propagation_result label_propagation(const any_graph& graph, index_t iterations) {
  if (graph.type() != type_code::boolean)
    return label_propagation(graph.with_values(pattern_of), iterations);
  return graph.visit<bool>(
      [&](const auto& typed) { return tropic::label_propagation(typed, iterations); });
}

std::string verify_label_propagation(const any_graph& graph, const label_propagation_result& result,
                                     index_t iterations) {
  return tropic::verify_label_propagation(matrix<bool>(pattern_of(graph.matrix())), result,
                                          iterations);
}

}  // namespace tropic::algorithms
