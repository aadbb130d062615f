// SPDX-License-Identifier: Apache-2.0
#include "algorithms/bfs.hpp"

#include <tropic/algorithms/relabelled/bfs.hpp>
#include <tropic/algorithms/verify/bfs.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

bfs_result bfs(const any_graph& graph, index_t source) {
  if (graph.type() != type_code::boolean) return bfs(graph.with_values(pattern_of), source);
  return graph.visit<bool>([&](const auto& typed) { return tropic::bfs(typed, source); });
}

std::string verify_bfs(const any_graph& graph, index_t source, const bfs_result& result) {
  return tropic::verify_bfs(matrix<bool>(pattern_of(graph.matrix())), source, result);
}

}  // namespace tropic::algorithms
