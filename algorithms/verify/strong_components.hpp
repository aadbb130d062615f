// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks strong components without the algebra, by a depth-first search (Tarjan, "Depth-first
// search and linear graph algorithms", SIAM Journal on Computing 1, 1972, section 4) with a stack
// of its own. O(vertices + edges), sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/strong_components.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// For every vertex the smallest vertex of its component.
template <value_type T>
std::vector<index_t> serial_strong_labels(const matrix<T>& graph) {
  struct visit {
    std::size_t vertex;
    index_t edge;  // the next one to follow
  };
  const auto n = static_cast<std::size_t>(graph.rows());
  const array_view<std::uint32_t> columns = graph.column_indices();
  const context where = graph.where();
  // When a vertex was found, from 1 on; and the earliest vertex on the stack that it leads to.
  std::vector<std::size_t> found_at(n), leads_to(n), open;
  std::vector<bool> is_open(n);
  std::vector<index_t> label(n);
  std::vector<visit> path;
  std::size_t time = 0;
  const auto enter = [&](std::size_t v) {
    if (time % 4096 == 0)
      where.checkpoint("strong components: verify",
                       static_cast<double>(time) / static_cast<double>(n));
    found_at[v] = leads_to[v] = ++time;
    is_open[v] = true;
    open.push_back(v);
    path.push_back({v, graph.offset(static_cast<index_t>(v))});
  };
  for (std::size_t root = 0; root < n; ++root) {
    if (found_at[root] == 0) enter(root);
    while (!path.empty()) {
      auto& [v, edge] = path.back();
      if (edge < graph.offset(static_cast<index_t>(v) + 1)) {
        const std::size_t u = columns[static_cast<std::size_t>(edge++)];
        if (found_at[u] == 0)
          enter(u);
        else if (is_open[u])
          leads_to[v] = std::min(leads_to[v], found_at[u]);
        continue;
      }
      const std::size_t done = v;
      path.pop_back();
      if (!path.empty())
        leads_to[path.back().vertex] = std::min(leads_to[path.back().vertex], leads_to[done]);
      if (leads_to[done] != found_at[done]) continue;
      auto first = open.end();
      do is_open[*--first] = false;
      while (*first != done);
      const auto smallest = static_cast<index_t>(*std::min_element(first, open.end()));
      std::for_each(first, open.end(), [&](std::size_t u) { label[u] = smallest; });
      open.erase(first, open.end());
    }
  }
  return label;
}
}  // namespace detail

/// Empty if `result` is right, else the first error found. Throws as strong_components does.
template <value_type T>
std::string verify_strong_components(const matrix<T>& graph,
                                     const strong_components_result& result) {
  detail::check_square("verify_strong_components", graph);
  if (result.label.size() != graph.rows())
    return "the result has " + std::to_string(result.label.size()) + " positions, the graph " +
           std::to_string(graph.rows()) + " vertices";
  const std::vector<index_t> expected = detail::serial_strong_labels(graph);
  const std::vector<index_t> found = result.label.dense(-1);
  index_t components = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    components += expected[v] == static_cast<index_t>(v);
    if (found[v] != expected[v])
      return "vertex " + std::to_string(v) + " has label " + std::to_string(found[v]) +
             ", the smallest vertex of its component is " + std::to_string(expected[v]);
  }
  if (result.components != components)
    return "the result counts " + std::to_string(result.components) + " components, there are " +
           std::to_string(components);
  return {};
}

}  // namespace tropic
