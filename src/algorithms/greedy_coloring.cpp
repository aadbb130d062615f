// SPDX-License-Identifier: Apache-2.0
#include "algorithms/greedy_coloring.hpp"

#include <tropic/algorithms/relabelled/greedy_coloring.hpp>
#include <tropic/algorithms/verify/greedy_coloring.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

coloring_result greedy_coloring(const any_graph& graph, std::uint64_t seed) {
  if (graph.type() != type_code::boolean)
    return greedy_coloring(graph.with_values(pattern_of), seed);
  return graph.visit<bool>([&](const auto& typed) { return tropic::greedy_coloring(typed, seed); });
}

std::string verify_greedy_coloring(const any_graph& graph, const coloring_result& result) {
  return tropic::verify_greedy_coloring(as_pattern(graph.matrix()), result);
}

}  // namespace tropic::algorithms
