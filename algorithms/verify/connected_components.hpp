// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks connected components without the algebra: a serial union-find over the entries, whose
// roots are the smallest vertices. O((vertices + edges) log vertices).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// The root of v; halves the path to it.
inline index_t root_of(std::vector<index_t>& parent, index_t v) {
  const auto at = [&](index_t i) -> index_t& { return parent[static_cast<std::size_t>(i)]; };
  while (at(v) != v) v = at(v) = at(at(v));
  return v;
}
}  // namespace detail

/// Empty if `result` is right, else the first error found. Throws as connected_components does.
template <value_type T>
std::string verify_connected_components(const matrix<T>& graph, const components_result& result) {
  detail::check_square("verify_connected_components", graph);
  const index_t n = graph.rows();
  if (result.label.size() != n)
    return "the result has " + std::to_string(result.label.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  const array_view<std::uint32_t> columns = graph.column_indices();
  const context where = graph.where();
  std::vector<index_t> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), index_t{0});
  index_t components = n;
  for (index_t i = 0; i < n; ++i) {
    if (i % 4096 == 0)
      where.checkpoint("components: verify", static_cast<double>(i) / static_cast<double>(n));
    const index_t end = graph.offset(i + 1);
    for (index_t e = graph.offset(i); e < end; ++e) {
      const index_t a = detail::root_of(parent, i);
      const index_t b = detail::root_of(parent, columns[static_cast<std::size_t>(e)]);
      if (a == b) continue;
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
      --components;
    }
  }
  const std::vector<index_t> found = result.label.dense(-1);
  for (index_t v = 0; v < n; ++v)
    if (const index_t label = found[static_cast<std::size_t>(v)],
        smallest = detail::root_of(parent, v);
        label != smallest)
      return "vertex " + std::to_string(v) + " has label " + std::to_string(label) +
             ", the smallest vertex of its component is " + std::to_string(smallest);
  if (result.components != components)
    return "the result counts " + std::to_string(result.components) + " components, there are " +
           std::to_string(components);
  return {};
}

}  // namespace tropic
