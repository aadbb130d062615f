// SPDX-License-Identifier: Apache-2.0
#include "algorithms/maximal_independent_set.hpp"

#include <tropic/algorithms/relabelled/maximal_independent_set.hpp>
#include <tropic/algorithms/verify/maximal_independent_set.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

independent_set_result maximal_independent_set(const any_graph& graph, std::uint64_t seed) {
  if (graph.type() != type_code::boolean)
    return maximal_independent_set(graph.with_values(pattern_of), seed);
  return graph.visit<bool>(
      [&](const auto& typed) { return tropic::maximal_independent_set(typed, seed); });
}

std::string verify_maximal_independent_set(const any_graph& graph,
                                           const independent_set_result& result) {
  return tropic::verify_maximal_independent_set(as_pattern(graph.matrix()), result);
}

}  // namespace tropic::algorithms
