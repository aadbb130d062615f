// SPDX-License-Identifier: Apache-2.0
#pragma once

// Connected components of a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/connected_components.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::connected_components. Values of a type other than bool are replaced by a pattern,
/// whose transpose is not kept: pass pattern_of(matrix) to use one graph many times.
components_result connected_components(const any_graph& graph);
/// As tropic::verify_connected_components.
std::string verify_connected_components(const any_graph& graph, const components_result& result);

}  // namespace tropic::algorithms
