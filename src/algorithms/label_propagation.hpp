// SPDX-License-Identifier: Apache-2.0
#pragma once

// Label propagation on a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/label_propagation.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::label_propagation. Values of a type other than bool are replaced by a pattern, whose
/// transpose is not kept: pass pattern_of(matrix) to use one graph many times.
label_propagation_result label_propagation(const any_graph& graph, index_t iterations);
/// As tropic::verify_label_propagation.
std::string verify_label_propagation(const any_graph& graph, const label_propagation_result& result,
                                     index_t iterations);

}  // namespace tropic::algorithms
