// SPDX-License-Identifier: Apache-2.0
#pragma once

// A graph of Boost.Graph, copied to a matrix.

#include <tropic/interop/boost_graph/support.hpp>

namespace tropic::bgl {

namespace internal {

/// visit(row, column, edge) for every entry; both directions of an undirected edge.
template <class Graph, class Numbers, class Visit>
void for_each_entry(const Graph& g, const Numbers& number, Visit visit) {
  if constexpr (traversed_as<Graph, boost::edge_list_graph_tag>) {
    auto range = edges(g);
    for (; range.first != range.second; ++range.first) {
      const std::uint32_t from = number(source(*range.first, g)),
                          to = number(target(*range.first, g));
      visit(from, to, *range.first);
      if (undirected<Graph> && from != to) visit(to, from, *range.first);
    }
  } else {
    using boost::out_edges;
    for_each_vertex(g, [&](const auto& v) {
      auto range = out_edges(v, g);
      for (; range.first != range.second; ++range.first)
        visit(number(v), number(target(*range.first, g)), *range.first);
    });
  }
}

template <value_type T, class Graph, class Numbers, class Append>
matrix<T> build(const context& where, const Graph& g, const Numbers& number,
                std::vector<stored<T>>& values, tropic::detail::value_layout layout,
                duplicates rule, Append append) {
  std::vector<std::uint32_t> row, column;
  for_each_entry(g, number, [&](std::uint32_t from, std::uint32_t to, const auto& edge) {
    row.push_back(from);
    column.push_back(to);
    append(edge);
  });
  matrix<T> result(tropic::detail::build_matrix(where.state(), describe<T>(), number.size(),
                                                number.size(), row, column, values.data(), layout,
                                                rule));
  // Parallel edges are in the same order in both directions, so that any rule keeps symmetry.
  if constexpr (undirected<Graph>) result.assume_symmetric();
  return result;
}

}  // namespace internal

/// The n x n matrix of a graph with n vertices: an edge from u to v is the entry
/// (index(u), index(v)), its value is get(weight, edge), whose type is the matrix's. An undirected
/// edge is two entries (a loop one), and the matrix is known to be symmetric. `rule` says what
/// becomes of parallel edges; the default refuses them. Throws usage_error for these, and where
/// `index` does not number the vertices from 0 to n - 1; out_of_memory.
template <readable_graph Graph, class WeightMap, class IndexMap>
  requires value_type<value_of<WeightMap>>
matrix<value_of<WeightMap>> copy(const context& where, const Graph& g, WeightMap weight,
                                 duplicates rule, IndexMap index) {
  const internal::vertex_numbers<Graph, IndexMap> number("copy", g, index);
  std::vector<internal::stored<value_of<WeightMap>>> values;
  return internal::build<value_of<WeightMap>>(where, g, number, values,
                                              tropic::detail::value_layout::per_entry, rule,
                                              [&](const auto& edge) {
                                                using boost::get;
                                                values.push_back(get(weight, edge));
                                              });
}
/// The same by the graph's own vertex_index.
template <readable_graph Graph, class WeightMap>
  requires value_type<value_of<WeightMap>>
matrix<value_of<WeightMap>> copy(const context& where, const Graph& g, WeightMap weight,
                                 duplicates rule = duplicates::error) {
  return copy(where, g, weight, rule, internal::default_index(g));
}
/// The same by the graph's own edge_weight.
template <readable_graph Graph>
auto copy(const context& where, const Graph& g, duplicates rule = duplicates::error) {
  return copy(where, g, get(boost::edge_weight, g), rule);
}

/// The n x n pattern of a graph with n vertices, whose entries all have the one `value`; parallel
/// edges are one entry. Otherwise as copy.
template <value_type T, readable_graph Graph, class IndexMap>
matrix<T> copy_pattern(const context& where, const Graph& g, const T& value, IndexMap index) {
  const internal::vertex_numbers<Graph, IndexMap> number("copy_pattern", g, index);
  std::vector<internal::stored<T>> values{value};
  return internal::build<T>(where, g, number, values, tropic::detail::value_layout::iso,
                            duplicates::first, [](const auto&) {});
}
/// The same by the graph's own vertex_index; all values are 1 unless given.
template <value_type T = bool, readable_graph Graph>
matrix<T> copy_pattern(const context& where, const Graph& g, const T& value = T{1}) {
  return copy_pattern<T>(where, g, value, internal::default_index(g));
}

}  // namespace tropic::bgl
