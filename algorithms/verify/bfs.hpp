// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks a breadth-first search without the algebra: a serial search with a queue gives the levels,
// and every parent must be the smallest neighbour one level nearer. O(vertices + edges).

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// Empty if `result` is right, else the first error found. Throws as bfs does.
template <value_type T>
std::string verify_bfs(const matrix<T>& graph, index_t source, const bfs_result& result) {
  detail::check_source("verify_bfs", graph, source);
  const index_t n = graph.rows();
  for (const vector<index_t>* part : {&result.level, &result.parent})
    if (part->size() != n)
      return "the result has " + std::to_string(part->size()) + " positions, the graph " +
             std::to_string(n) + " vertices";
  const array_view<std::uint32_t> columns = graph.column_indices();
  std::vector<index_t> level(static_cast<std::size_t>(n), -1), parent(level);
  const auto at = [](std::vector<index_t>& v, index_t i) -> index_t& {
    return v[static_cast<std::size_t>(i)];
  };
  std::deque<index_t> queue{source};
  at(level, source) = 0;
  at(parent, source) = source;
  const context where = graph.where();
  for (index_t visited = 0; !queue.empty(); ++visited) {
    if (visited % 4096 == 0)
      where.checkpoint("bfs: verify", static_cast<double>(visited) / static_cast<double>(n));
    const index_t u = queue.front();
    queue.pop_front();
    const index_t end = graph.offset(u + 1);
    for (index_t e = graph.offset(u); e < end; ++e) {
      const index_t v = columns[static_cast<std::size_t>(e)];
      if (at(level, v) < 0) {
        at(level, v) = at(level, u) + 1;
        at(parent, v) = u;
        queue.push_back(v);
      } else if (at(level, v) == at(level, u) + 1 && u < at(parent, v)) {
        at(parent, v) = u;
      }
    }
  }
  const std::vector<index_t> found_level = result.level.dense(-1);
  const std::vector<index_t> found_parent = result.parent.dense(-1);
  for (std::size_t v = 0; v < level.size(); ++v) {
    if (found_level[v] != level[v])
      return "vertex " + std::to_string(v) + " has level " + std::to_string(found_level[v]) +
             ", a serial search finds " + std::to_string(level[v]);
    if (found_parent[v] != parent[v])
      return "vertex " + std::to_string(v) + " has parent " + std::to_string(found_parent[v]) +
             ", the smallest valid one is " + std::to_string(parent[v]);
  }
  return {};
}

}  // namespace tropic
