// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks bounds of a diameter by serial searches, without the algebra: the two vertices have the
// distance of the lower bound, and no vertex has a farther one than the upper bound. The latter is
// checked for all vertices of a small graph, for vertices at equal steps of a larger one.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>
#include <tropic/algorithms/diameter.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
/// The number of edges to every vertex; -1: not reachable.
inline std::vector<index_t> serial_levels(const neighbour_lists& lists, std::size_t source) {
  std::vector<index_t> level(lists.size(), -1);
  std::vector<std::size_t> queue{source};
  level[source] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (const std::size_t v : lists[queue[at]])
      if (level[v] < 0) {
        level[v] = level[queue[at]] + 1;
        queue.push_back(v);
      }
  return level;
}
}  // namespace detail

/// Empty if nothing contradicts `result`, a result of diameter() with these options, else the first
/// error found. At most `searches` vertices are searched from. Throws as diameter does.
template <value_type T>
std::string verify_diameter(const matrix<T>& graph, const diameter_result& result,
                            const diameter_options& options = {}, std::size_t searches = 1024) {
  detail::check_square("verify_diameter", graph);
  const index_t n = graph.rows();
  if (result.lower > result.upper || (options.exact && result.lower < result.upper))
    return "the bounds are " + std::to_string(result.lower) + " and " +
           std::to_string(result.upper);
  if (n == 0) return result.upper == 0 ? "" : "the graph has no vertices";
  for (const index_t end : {result.from, result.to})
    if (end < 0 || end >= n)
      return "vertex " + std::to_string(end) + " is an end of the path, the graph has " +
             std::to_string(n) + " vertices";
  const detail::neighbour_lists lists = detail::neighbours_of(graph);
  const index_t distance = detail::serial_levels(
      lists, static_cast<std::size_t>(result.from))[static_cast<std::size_t>(result.to)];
  if (distance != result.lower)
    return "vertices " + std::to_string(result.from) + " and " + std::to_string(result.to) +
           " are " + std::to_string(distance) + " edges apart, the lower bound is " +
           std::to_string(result.lower);
  const std::size_t step = (lists.size() - 1) / std::max<std::size_t>(searches, 1) + 1;
  const context where = graph.where();
  for (std::size_t v = 0; v < lists.size(); v += step) {
    where.checkpoint("diameter: verify",
                     static_cast<double>(v) / static_cast<double>(lists.size()));
    const std::vector<index_t> level = detail::serial_levels(lists, v);
    const auto far = std::max_element(level.begin(), level.end());
    if (*far > result.upper)
      return "vertices " + std::to_string(v) + " and " + std::to_string(far - level.begin()) +
             " are " + std::to_string(*far) + " edges apart, the upper bound is " +
             std::to_string(result.upper);
  }
  return {};
}

}  // namespace tropic
