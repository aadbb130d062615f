// SPDX-License-Identifier: Apache-2.0
#pragma once

// A greedy colouring of a graph of any value type. Only the pattern is used.

#include <cstdint>
#include <string>

#include <tropic/algorithms/greedy_coloring.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::greedy_coloring.
coloring_result greedy_coloring(const any_graph& graph, std::uint64_t seed);
/// As tropic::verify_greedy_coloring.
std::string verify_greedy_coloring(const any_graph& graph, const coloring_result& result);

}  // namespace tropic::algorithms
