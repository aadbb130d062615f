// SPDX-License-Identifier: Apache-2.0
#pragma once

// Breadth-first search over a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/bfs.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::bfs. Values of a type other than bool are replaced by a pattern, whose transpose is
/// not kept: pass pattern_of(matrix) to search one graph many times.
bfs_result bfs(const any_graph& graph, index_t source);
/// As tropic::verify_bfs.
std::string verify_bfs(const any_graph& graph, index_t source, const bfs_result& result);

}  // namespace tropic::algorithms
