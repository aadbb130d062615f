// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks local clustering coefficients without the algebra: for every vertex, the edges of its
// neighbours are looked up in a table of them. O(sum over the vertices of the edges of their
// neighbours), sequential.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>
#include <tropic/algorithms/local_clustering.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// Empty if `coefficient` is right at every vertex, up to rounding, else the first error found.
/// Throws as local_clustering does.
template <value_type T>
std::string verify_local_clustering(const matrix<T>& graph, const vector<double>& coefficient) {
  detail::check_square("verify_local_clustering", graph);
  if (coefficient.size() != graph.rows())
    return "the result has " + std::to_string(coefficient.size()) + " positions, the graph " +
           std::to_string(graph.rows()) + " vertices";
  const detail::neighbour_lists lists = detail::neighbours_of(graph);
  const array_view<std::uint32_t> columns = graph.column_indices();
  const std::vector<double> found = coefficient.dense(-1);
  const context where = graph.where();
  std::vector<bool> is_neighbour(lists.size());
  for (std::size_t v = 0; v < lists.size(); ++v) {
    if (v % 4096 == 0)
      where.checkpoint("clustering: verify",
                       static_cast<double>(v) / static_cast<double>(lists.size()));
    for (const std::uint32_t u : lists[v]) is_neighbour[u] = true;
    std::size_t linked = 0;
    for (const std::uint32_t u : lists[v])
      for (index_t e = graph.offset(u); e < graph.offset(index_t{u} + 1); ++e) {
        const std::uint32_t w = columns[static_cast<std::size_t>(e)];
        linked += w != u && is_neighbour[w];
      }
    for (const std::uint32_t u : lists[v]) is_neighbour[u] = false;
    const auto degree = static_cast<double>(lists[v].size());
    const double expected = degree < 2 ? 0 : static_cast<double>(linked) / (degree * (degree - 1));
    if (!(std::abs(found[v] - expected) <= 1e-12))
      return "vertex " + std::to_string(v) + " has coefficient " + detail::number_text(found[v]) +
             ", a serial search finds " + detail::number_text(expected);
  }
  return {};
}

}  // namespace tropic
