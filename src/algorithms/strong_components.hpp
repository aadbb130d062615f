// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strong components of a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/strong_components.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::strong_components. Values of a type other than bool are replaced by a pattern,
/// whose transpose is not kept: pass pattern_of(matrix) to use one graph many times.
strong_components_result strong_components(const any_graph& graph);
/// As tropic::verify_strong_components.
std::string verify_strong_components(const any_graph& graph,
                                     const strong_components_result& result);

}  // namespace tropic::algorithms
