// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks counts of triangles without the algebra: every edge points to the end with more edges, and
// for each vertex the neighbours of its neighbours are looked up in a table of its own ones.
// O(edges^1.5), sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>
#include <tropic/algorithms/triangle_count.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// The triangles of every vertex.
template <value_type T>
std::vector<std::int64_t> serial_triangles(const matrix<T>& graph) {
  const neighbour_lists all = neighbours_of(graph);
  const auto before = [&](std::size_t a, std::size_t b) {
    return all[a].size() != all[b].size() ? all[a].size() < all[b].size() : a < b;
  };
  neighbour_lists after(all.size());
  for (std::size_t v = 0; v < all.size(); ++v)
    std::copy_if(all[v].begin(), all[v].end(), std::back_inserter(after[v]),
                 [&](std::uint32_t u) { return before(v, u); });
  std::vector<std::int64_t> found(all.size());
  std::vector<bool> is_after(all.size());
  const context where = graph.where();
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (v % 4096 == 0)
      where.checkpoint("triangles: verify",
                       static_cast<double>(v) / static_cast<double>(all.size()));
    for (const std::uint32_t u : after[v]) is_after[u] = true;
    for (const std::uint32_t u : after[v])
      for (const std::uint32_t w : after[u])
        if (is_after[w]) {
          ++found[v];
          ++found[u];
          ++found[w];
        }
    for (const std::uint32_t u : after[v]) is_after[u] = false;
  }
  return found;
}
}  // namespace detail

/// Empty if `count` is the number of triangles, else the error. Throws as triangle_count does.
template <value_type T>
std::string verify_triangle_count(const matrix<T>& graph, std::int64_t count) {
  detail::check_square("verify_triangle_count", graph);
  std::int64_t expected = 0;
  for (const std::int64_t of_vertex : detail::serial_triangles(graph)) expected += of_vertex;
  expected /= 3;
  if (count == expected) return {};
  return "found " + std::to_string(count) + " triangles, a serial search finds " +
         std::to_string(expected);
}

/// Empty if `count` is right at every vertex, else the first error found.
template <value_type T>
std::string verify_triangles_per_vertex(const matrix<T>& graph, const vector<std::int64_t>& count) {
  detail::check_square("verify_triangles_per_vertex", graph);
  if (count.size() != graph.rows())
    return "the result has " + std::to_string(count.size()) + " positions, the graph " +
           std::to_string(graph.rows()) + " vertices";
  const std::vector<std::int64_t> expected = detail::serial_triangles(graph);
  const std::vector<std::int64_t> found = count.dense(0);
  for (std::size_t v = 0; v < expected.size(); ++v)
    if (found[v] != expected[v])
      return "vertex " + std::to_string(v) + " has " + std::to_string(found[v]) +
             " triangles, a serial search finds " + std::to_string(expected[v]);
  return {};
}

}  // namespace tropic
