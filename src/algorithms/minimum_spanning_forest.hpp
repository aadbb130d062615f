// SPDX-License-Identifier: Apache-2.0
#pragma once

// The minimum spanning forest of a graph of any value type.

#include <string>

#include <tropic/detail/containers.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic::algorithms {

/// As tropic::spanning_forest_result, with values of the type of the graph.
struct any_spanning_forest_result {
  detail::matrix_base forest;
  index_t edges = 0;
  index_t trees = 0;
  double weight = 0;
  index_t rounds = 0;
};

/// As tropic::minimum_spanning_forest. Throws usage_error also if values are records.
any_spanning_forest_result minimum_spanning_forest(const detail::matrix_base& graph);
/// As tropic::verify_minimum_spanning_forest.
std::string verify_minimum_spanning_forest(const detail::matrix_base& graph,
                                           const any_spanning_forest_result& result);

}  // namespace tropic::algorithms
