// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks a greedy colouring by its definition, without the algebra: the ends of every edge have
// different colours, and every vertex has neighbours of all smaller colours. O(vertices + edges),
// sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>
#include <tropic/algorithms/greedy_coloring.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// Empty if `result` is right, else the first error found. Throws as greedy_coloring does.
template <value_type T>
std::string verify_greedy_coloring(const matrix<T>& graph, const coloring_result& result) {
  detail::check_square("verify_greedy_coloring", graph);
  if (result.color.size() != graph.rows())
    return "the result has " + std::to_string(result.color.size()) + " positions, the graph " +
           std::to_string(graph.rows()) + " vertices";
  const detail::neighbour_lists lists = detail::neighbours_of(graph);
  const std::vector<index_t> color = result.color.dense(-1);
  const context where = graph.where();
  index_t colors = 0;
  std::vector<index_t> of_neighbours;
  for (std::size_t v = 0; v < lists.size(); ++v) {
    if (v % 4096 == 0)
      where.checkpoint("coloring: verify",
                       static_cast<double>(v) / static_cast<double>(lists.size()));
    if (color[v] < 0) return "vertex " + std::to_string(v) + " has no color";
    of_neighbours.clear();
    for (const std::uint32_t u : lists[v]) {
      if (color[u] == color[v])
        return "vertices " + std::to_string(v) + " and " + std::to_string(u) +
               " are linked and both have color " + std::to_string(color[v]);
      of_neighbours.push_back(color[u]);
    }
    std::sort(of_neighbours.begin(), of_neighbours.end());
    index_t free = 0;
    for (const index_t other : of_neighbours) free += other == free;
    if (free < color[v])
      return "vertex " + std::to_string(v) + " has color " + std::to_string(color[v]) +
             ", no neighbour has color " + std::to_string(free);
    colors = std::max(colors, color[v] + 1);
  }
  if (result.colors != colors)
    return "the result counts " + std::to_string(result.colors) + " colors, there are " +
           std::to_string(colors);
  return {};
}

}  // namespace tropic
