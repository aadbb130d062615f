// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks core numbers without the algebra: vertices are removed one by one, always one with the
// fewest neighbours left (Batagelj and Zaversnik, "An O(m) algorithm for cores decomposition of
// networks", arXiv cs/0310049, section 2). O(vertices + edges), sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/core_numbers.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// The core number of every vertex.
inline std::vector<std::size_t> serial_cores(const context& where, const neighbour_lists& lists) {
  const std::size_t n = lists.size();
  std::vector<std::size_t> degree(n), core(n);
  std::vector<std::vector<std::size_t>> of_degree;  // vertices, also under degrees they had before
  const auto list = [&](std::size_t v) {
    if (of_degree.size() <= degree[v]) of_degree.resize(degree[v] + 1);
    of_degree[degree[v]].push_back(v);
  };
  for (std::size_t v = 0; v < n; ++v) {
    degree[v] = lists[v].size();
    list(v);
  }
  std::vector<bool> is_removed(n);
  std::size_t removed = 0, largest = 0;
  for (std::size_t d = 0; d < of_degree.size();) {
    if (of_degree[d].empty()) {
      ++d;
      continue;
    }
    const std::size_t v = of_degree[d].back();
    of_degree[d].pop_back();
    if (is_removed[v] || degree[v] != d) continue;
    if (removed % 4096 == 0)
      where.checkpoint("cores: verify", static_cast<double>(removed) / static_cast<double>(n));
    ++removed;
    is_removed[v] = true;
    core[v] = largest = std::max(largest, d);
    for (const std::uint32_t u : lists[v]) {
      if (is_removed[u]) continue;
      --degree[u];
      list(u);
      d = std::min(d, degree[u]);
    }
  }
  return core;
}
}  // namespace detail

/// Empty if `result` is right, else the first error found. Throws as core_numbers does.
template <value_type T>
std::string verify_core_numbers(const matrix<T>& graph, const core_numbers_result& result) {
  detail::check_square("verify_core_numbers", graph);
  if (result.core.size() != graph.rows())
    return "the result has " + std::to_string(result.core.size()) + " positions, the graph " +
           std::to_string(graph.rows()) + " vertices";
  const std::vector<std::size_t> expected =
      detail::serial_cores(graph.where(), detail::neighbours_of(graph));
  const std::vector<index_t> found = result.core.dense(-1);
  std::size_t degeneracy = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    degeneracy = std::max(degeneracy, expected[v]);
    if (found[v] != static_cast<index_t>(expected[v]))
      return "vertex " + std::to_string(v) + " has core number " + std::to_string(found[v]) +
             ", a serial search finds " + std::to_string(expected[v]);
  }
  if (result.degeneracy != static_cast<index_t>(degeneracy))
    return "the result's degeneracy is " + std::to_string(result.degeneracy) +
           ", the largest core number is " + std::to_string(degeneracy);
  return {};
}

}  // namespace tropic
