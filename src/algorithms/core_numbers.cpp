// SPDX-License-Identifier: Apache-2.0
#include "algorithms/core_numbers.hpp"

#include <tropic/algorithms/verify/core_numbers.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

core_numbers_result core_numbers(const any_graph& graph) {
  core_numbers_result result = tropic::core_numbers(as_pattern(graph.working_copy()));
  result.core = vector<index_t>(graph.from_working_copy(result.core.base()));
  return result;
}

std::string verify_core_numbers(const any_graph& graph, const core_numbers_result& result) {
  return tropic::verify_core_numbers(as_pattern(graph.matrix()), result);
}

}  // namespace tropic::algorithms
