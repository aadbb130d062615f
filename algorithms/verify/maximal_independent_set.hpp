// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks a maximal independent set by its definition, without the algebra: no edge links two
// members, and every other vertex has a member as neighbour. O(vertices + edges), sequential.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/maximal_independent_set.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// Empty if `result` is right, else the first error found. Throws as maximal_independent_set does.
template <value_type T>
std::string verify_maximal_independent_set(const matrix<T>& graph,
                                           const independent_set_result& result) {
  detail::check_square("verify_maximal_independent_set", graph);
  const index_t n = graph.rows();
  if (result.members.size() != n)
    return "the result has " + std::to_string(result.members.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  std::vector<bool> is_member(static_cast<std::size_t>(n)), is_covered = is_member;
  index_t members = 0;
  for (const auto& [v, value] : result.members.entries()) {
    is_member[static_cast<std::size_t>(v)] = value;
    members += value;
  }
  const array_view<std::uint32_t> columns = graph.column_indices();
  const context where = graph.where();
  for (index_t i = 0; i < n; ++i) {
    if (i % 4096 == 0)
      where.checkpoint("independent set: verify", static_cast<double>(i) / static_cast<double>(n));
    const auto a = static_cast<std::size_t>(i);
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const std::size_t b = columns[static_cast<std::size_t>(e)];
      if (a == b) continue;
      if (is_member[a] && is_member[b])
        return "vertices " + std::to_string(a) + " and " + std::to_string(b) +
               " are linked and both in the set";
      if (is_member[a]) is_covered[b] = true;
      if (is_member[b]) is_covered[a] = true;
    }
  }
  for (std::size_t v = 0; v < is_member.size(); ++v)
    if (!is_member[v] && !is_covered[v])
      return "vertex " + std::to_string(v) + " could be added to the set";
  if (result.size != members)
    return "the result counts " + std::to_string(result.size) + " members, there are " +
           std::to_string(members);
  return {};
}

}  // namespace tropic
