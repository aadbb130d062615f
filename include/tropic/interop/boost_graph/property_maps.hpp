// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors to property maps over the vertices of a graph, and back.

#include <tropic/interop/boost_graph/support.hpp>

namespace tropic::bgl {

namespace internal {

template <class Numbers, value_type T>
void check_size(const char* call, const Numbers& number, const vector<T>& v) {
  if (v.size() != number.size())
    throw usage_error(std::string(call) + ": the vector has " + std::to_string(v.size()) +
                      " positions, the graph " + std::to_string(number.size()) + " vertices");
}

/// The vertices selected by `kept`, in order of their numbers.
template <class Graph, class Map, class IndexMap, class Keep>
vector<value_of<Map>> gather(const context& where, const Graph& g, Map map, IndexMap index,
                             Keep kept) {
  using boost::get;
  using T = value_of<Map>;
  const vertex_numbers<Graph, IndexMap> number("from_property_map", g, index);
  std::vector<stored<T>> all(static_cast<std::size_t>(number.size()));
  std::vector<bool> present(all.size());
  for_each_vertex(g, [&](const auto& u) {
    const T value = get(map, key_for<Map>(u));
    all[number(u)] = value;
    present[number(u)] = kept(value);
  });
  std::vector<index_t> indices;
  std::vector<stored<T>> values;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (present[k]) {
      indices.push_back(static_cast<index_t>(k));
      values.push_back(all[k]);
    }
  return vector<T>(tropic::detail::build_vector(where.state(), describe<T>(), number.size(),
                                                indices, values.data(), duplicates::error));
}

/// Numbers as the operator language converts them: a real that an integer cannot hold is the
/// nearest that it can, NaN is 0.
template <class To, value_type From>
To converted(const From& value) {
  if constexpr (builtin_value_type<To> && builtin_value_type<From>)
    return arithmetic::convert<To>(value);
  else
    return static_cast<To>(value);
}

}  // namespace internal

/// put(map, u, v(index(u))) for every vertex u of `g`, converted to the map's type as operators
/// convert; `missing` where v has no entry. Throws usage_error unless v has as many positions as
/// the graph has vertices, numbered from 0; then nothing is put.
template <value_type T, vertex_list_graph Graph, class Map, class IndexMap>
void to_property_map(const vector<T>& v, const Graph& g, Map map, const value_of<Map>& missing,
                     IndexMap index) {
  using boost::put;
  const internal::vertex_numbers<Graph, IndexMap> number("to_property_map", g, index);
  internal::check_size("to_property_map", number, v);
  std::vector<internal::stored<value_of<Map>>> all(static_cast<std::size_t>(v.size()), missing);
  for (const auto& [k, value] : v.entries())
    all[static_cast<std::size_t>(k)] = internal::converted<value_of<Map>>(value);
  internal::for_each_vertex(g, [&](const auto& u) {
    put(map, internal::key_for<Map>(u), static_cast<value_of<Map>>(all[number(u)]));
  });
}
/// The same by the graph's own vertex_index.
template <value_type T, vertex_list_graph Graph, class Map>
void to_property_map(const vector<T>& v, const Graph& g, Map map, const value_of<Map>& missing) {
  to_property_map(v, g, map, missing, internal::default_index(g));
}

/// The parents of bfs or sssp (position k: the index of the parent of vertex k) as a predecessor
/// map, from vertices to vertices: a vertex without an entry is its own predecessor, as the
/// library's searches have it. Throws usage_error as to_property_map does, and for a parent that is
/// no vertex; then nothing is put.
template <vertex_list_graph Graph, class Map, class IndexMap>
void to_predecessor_map(const vector<index_t>& parent, const Graph& g, Map map, IndexMap index) {
  using boost::put;
  const internal::vertex_numbers<Graph, IndexMap> number("to_predecessor_map", g, index);
  internal::check_size("to_predecessor_map", number, parent);
  std::vector<vertex_of<Graph>> vertex(static_cast<std::size_t>(number.size()));
  internal::for_each_vertex(g, [&](const auto& u) { vertex[number(u)] = u; });
  std::vector<vertex_of<Graph>> before = vertex;
  for (const auto& [k, p] : parent.entries()) {
    if (p < 0 || p >= number.size())
      throw usage_error("to_predecessor_map: the parent of " + std::to_string(k) + " is " +
                        std::to_string(p) + ", the graph has " + std::to_string(number.size()) +
                        " vertices");
    before[static_cast<std::size_t>(k)] = vertex[static_cast<std::size_t>(p)];
  }
  internal::for_each_vertex(
      g, [&](const auto& u) { put(map, internal::key_for<Map>(u), before[number(u)]); });
}
/// The same by the graph's own vertex_index.
template <vertex_list_graph Graph, class Map>
void to_predecessor_map(const vector<index_t>& parent, const Graph& g, Map map) {
  to_predecessor_map(parent, g, map, internal::default_index(g));
}

/// get(map, u) at position index(u) for every vertex u of `g`: a full vector. Throws usage_error
/// where `index` does not number the vertices from 0; out_of_memory.
template <vertex_list_graph Graph, class Map, class IndexMap>
  requires value_type<value_of<Map>>
vector<value_of<Map>> from_property_map(const context& where, const Graph& g, Map map,
                                        IndexMap index) {
  return internal::gather(where, g, map, index, [](const auto&) { return true; });
}
/// The same by the graph's own vertex_index.
template <vertex_list_graph Graph, class Map>
  requires value_type<value_of<Map>>
vector<value_of<Map>> from_property_map(const context& where, const Graph& g, Map map) {
  return from_property_map(where, g, map, internal::default_index(g));
}

/// As from_property_map, but vertices whose value equals `missing` get no entry.
template <vertex_list_graph Graph, class Map, class IndexMap>
  requires value_type<value_of<Map>>
vector<value_of<Map>> from_sparse_property_map(const context& where, const Graph& g, Map map,
                                               const value_of<Map>& missing, IndexMap index) {
  return internal::gather(where, g, map, index,
                          [&](const auto& value) { return !(value == missing); });
}
/// The same by the graph's own vertex_index.
template <vertex_list_graph Graph, class Map>
  requires value_type<value_of<Map>>
vector<value_of<Map>> from_sparse_property_map(const context& where, const Graph& g, Map map,
                                               const value_of<Map>& missing) {
  return from_sparse_property_map(where, g, map, missing, internal::default_index(g));
}

}  // namespace tropic::bgl
