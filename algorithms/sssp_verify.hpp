// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks shortest paths without the algebra, in O(vertices + edges), by what makes them shortest:
// the source is at zero, no edge leads to anything nearer than recorded, every other vertex is
// reached over an edge from its parent at exactly its distance, and parents lead to the source.

#include <string>
#include <vector>

#include <tropic/algorithms/sssp.hpp>

namespace tropic {

/// Empty where `result`, which must have parents, is right; else the first thing that is wrong.
template <value_type T>
std::string verify_sssp(const matrix<T>& graph, index_t source, const sssp_result<T>& result) {
  detail::check_source("verify_sssp", graph, source);
  const index_t n = graph.rows();
  for (const index_t size : {result.distance.size(), result.parent.size()})
    if (size != n)
      return "the result has " + std::to_string(size) + " positions, the graph " +
             std::to_string(n) + " vertices";
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  constexpr T unreached = arithmetic::largest<T>();
  const std::vector<T> distance = result.distance.dense(unreached);
  const std::vector<index_t> parent = result.parent.dense(-1);
  const auto at = [](const auto& v, index_t i) { return v[static_cast<std::size_t>(i)]; };
  const auto text = [](index_t v) { return std::to_string(v); };

  if (at(distance, source) != T{} || at(parent, source) != source)
    return "the source is not at distance 0 from itself";
  std::vector<bool> confirmed(static_cast<std::size_t>(n), false);
  const context where = graph.where();
  for (index_t u = 0; u < n; ++u) {
    if (u % 4096 == 0)
      where.checkpoint("sssp: verify", static_cast<double>(u) / static_cast<double>(n));
    if (at(distance, u) == unreached) continue;
    const index_t end = graph.offset(u + 1);
    for (index_t e = graph.offset(u); e < end; ++e) {
      const index_t v = at(columns, e);
      const T over = arithmetic::tropical_plus(
          at(distance, u), values[graph.is_iso() ? 0 : static_cast<std::size_t>(e)]);
      if (over < at(distance, v))
        return "the edge from " + text(u) + " to " + text(v) + " leads to " + std::to_string(over) +
               ", recorded is " + std::to_string(at(distance, v));
      if (at(parent, v) == u && over == at(distance, v))
        confirmed[static_cast<std::size_t>(v)] = true;
    }
  }
  // Parents lead to the source: walk up once, marking what is known to.
  std::vector<char> rooted(static_cast<std::size_t>(n), 0);
  rooted[static_cast<std::size_t>(source)] = 1;
  std::vector<index_t> path;
  for (index_t v = 0; v < n; ++v) {
    if (v % 4096 == 0) where.checkpoint("sssp: verify");
    if (at(distance, v) == unreached) {
      if (at(parent, v) >= 0) return "vertex " + text(v) + " is unreached but has a parent";
      continue;
    }
    if (v != source && !confirmed[static_cast<std::size_t>(v)])
      return "no edge from its parent " + text(at(parent, v)) + " puts vertex " + text(v) +
             " at its distance";
    path.clear();
    index_t up = v;
    while (!rooted[static_cast<std::size_t>(up)]) {
      path.push_back(up);
      if (path.size() > static_cast<std::size_t>(n))
        return "the parents of vertex " + text(v) + " never come to the source";
      up = at(parent, up);
    }
    for (const index_t p : path) rooted[static_cast<std::size_t>(p)] = 1;
  }
  return {};
}

}  // namespace tropic
