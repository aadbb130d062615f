// SPDX-License-Identifier: Apache-2.0

// Breadth-first search in the C ABI.

#include <utility>

#include "algorithms/bfs.hpp"
#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_bfs(const tropic_matrix* graph, int64_t source, tropic_vector** level,
                         tropic_vector** parent) {
  return guarded(context_of(graph), "tropic_bfs", [&](const call& c) {
    if (level != nullptr) *level = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.need(graph, "graph");
    c.distinct("level, parent", level, parent);
    c.begin(*graph->of);
    tropic::bfs_result found = bfs(any_graph(pattern_of(*graph)), source);
    hand_over(graph->of, level, std::move(found.level.base()), parent,
              std::move(found.parent.base()));
  });
}
