// SPDX-License-Identifier: Apache-2.0

// Searches from many sources at once in the C ABI.

#include "algorithms/bfs_batch.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_bfs_batch(const tropic_matrix* graph, const int64_t* sources, int64_t count,
                               tropic_full** level, tropic_full** parent) {
  return guarded(context_of(graph), "tropic_bfs_batch", [&](const call& c) {
    if (level != nullptr) *level = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.distinct("level, parent", level, parent);
    c.need(graph, "graph");
    if (count < 0) c.refuse("count is " + std::to_string(count));
    c.need_array(sources, static_cast<std::size_t>(count), "sources");
    c.begin(*graph->of);
    tropic::bfs_batch_result found =
        bfs_batch(pattern_of(*graph), std::span(sources, static_cast<std::size_t>(count)));
    // Both, or neither if memory ends.
    std::unique_ptr<tropic_full> levels(new_full(graph->of, std::move(found.level.base())));
    if (parent != nullptr) *parent = new_full(graph->of, std::move(found.parent.base()));
    if (level != nullptr) *level = levels.release();
  });
}
