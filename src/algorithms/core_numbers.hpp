// SPDX-License-Identifier: Apache-2.0
#pragma once

// Core numbers of a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/core_numbers.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::core_numbers.
core_numbers_result core_numbers(const any_graph& graph);
/// As tropic::verify_core_numbers.
std::string verify_core_numbers(const any_graph& graph, const core_numbers_result& result);

}  // namespace tropic::algorithms
