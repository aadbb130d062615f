// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graphs as lists of edges, for tests of operations on whole graphs.

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <tropic/matrix.hpp>

namespace tropic::testing {

using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Fewer than `max_degree` edges a vertex, with loops and repetitions.
inline edge_list random_edges(std::mt19937& random, index_t vertices, int max_degree) {
  const auto n = static_cast<unsigned>(vertices);
  edge_list edges(random() % (static_cast<unsigned>(max_degree) * n));
  for (auto& [u, v] : edges) {
    u = static_cast<std::uint32_t>(random() % n);
    v = static_cast<std::uint32_t>(random() % n);
  }
  return edges;
}

/// The pattern of a graph: an entry (u, v) for every edge, if `both_ways` one (v, u) as well. Their
/// value is false, which operations on patterns must not read.
inline matrix<bool> pattern_of(const context& where, index_t vertices, const edge_list& edges,
                               bool both_ways) {
  std::vector<std::uint32_t> rows, columns;
  for (const auto& [u, v] : edges) {
    rows.push_back(u);
    columns.push_back(v);
    if (both_ways) {
      rows.push_back(v);
      columns.push_back(u);
    }
  }
  return matrix<bool>::from_pattern(where, vertices, vertices, rows, columns, false,
                                    duplicates::first);
}

}  // namespace tropic::testing
