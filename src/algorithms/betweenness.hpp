// SPDX-License-Identifier: Apache-2.0
#pragma once

// Betweenness over a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/betweenness.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::betweenness. Values of a type other than bool are replaced by a pattern, whose
/// transpose is not kept: pass pattern_of(matrix) to use one graph many times.
betweenness_result betweenness(const any_graph& graph, const betweenness_options& options);
/// As tropic::verify_betweenness.
std::string verify_betweenness(const any_graph& graph, const betweenness_result& result,
                               const betweenness_options& options);

}  // namespace tropic::algorithms
