// SPDX-License-Identifier: Apache-2.0
#pragma once

// Local clustering coefficients of a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/local_clustering.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::local_clustering.
vector<double> local_clustering(const any_graph& graph);
/// As tropic::verify_local_clustering.
std::string verify_local_clustering(const any_graph& graph, const vector<double>& coefficient);

}  // namespace tropic::algorithms
