// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by the other headers: concepts of readable graphs, numbers of vertices.

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/graph/vector_as_graph.hpp>  // whose functions are not found by their arguments
#include <boost/property_map/property_map.hpp>

#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::bgl {

template <class Graph>
using vertex_of = typename boost::graph_traits<Graph>::vertex_descriptor;
template <class Map>
using value_of = typename boost::property_traits<Map>::value_type;

namespace internal {

template <class Graph, class Tag>
concept traversed_as =
    std::convertible_to<typename boost::graph_traits<Graph>::traversal_category, Tag>;
template <class Graph>
concept undirected = std::convertible_to<typename boost::graph_traits<Graph>::directed_category,
                                         boost::undirected_tag>;

}  // namespace internal

/// A model of VertexListGraph.
template <class Graph>
concept vertex_list_graph = internal::traversed_as<Graph, boost::vertex_list_graph_tag>;

/// A model of VertexListGraph whose edges can be listed: of EdgeListGraph, or, where it is
/// directed, of IncidenceGraph.
template <class Graph>
concept readable_graph =
    vertex_list_graph<Graph> &&
    (internal::traversed_as<Graph, boost::edge_list_graph_tag> ||
     (internal::traversed_as<Graph, boost::incidence_graph_tag> && !internal::undirected<Graph>));

namespace internal {

/// bool is one byte, and std::vector<bool> is not an array.
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class Graph>
auto default_index(const Graph& g) {
  using boost::get;
  return get(boost::vertex_index, g);
}

/// A pointer as a property map takes signed keys.
template <class Map, class Vertex>
decltype(auto) key_for(const Vertex& u) {
  using key = typename boost::property_traits<Map>::key_type;
  if constexpr (std::is_integral_v<Vertex> && std::is_integral_v<key>)
    return static_cast<key>(u);
  else
    return (u);
}

template <class Graph, class Visit>
void for_each_vertex(const Graph& g, Visit visit) {
  using boost::vertices;
  auto range = vertices(g);
  for (; range.first != range.second; ++range.first) visit(*range.first);
}

/// Numbers of vertices, checked to be 0 to n - 1.
template <class Graph, class IndexMap>
class vertex_numbers {
 public:
  /// Throws usage_error, naming `call`, for an index that is too large or given twice.
  vertex_numbers(const char* call, const Graph& g, IndexMap map) : map_(map) {
    using boost::get, boost::num_vertices;
    size_ = static_cast<index_t>(num_vertices(g));
    tropic::detail::check_dimensions(size_, size_);
    std::vector<bool> seen(static_cast<std::size_t>(size_));
    index_t found = 0;
    for_each_vertex(g, [&](const auto& v) {
      const index_t k = static_cast<index_t>(get(map_, key_for<IndexMap>(v)));
      if (k < 0 || k >= size_)
        throw usage_error(std::string(call) + ": vertex_index gives " + std::to_string(k) +
                          ", the graph has " + std::to_string(size_) + " vertices");
      if (seen[static_cast<std::size_t>(k)])
        throw usage_error(std::string(call) + ": vertex_index gives " + std::to_string(k) +
                          " to two vertices");
      seen[static_cast<std::size_t>(k)] = true;
      ++found;
    });
    if (found != size_)
      throw usage_error(std::string(call) + ": num_vertices says " + std::to_string(size_) +
                        ", the graph lists " + std::to_string(found) + " vertices");
  }

  index_t size() const { return size_; }
  std::uint32_t operator()(const vertex_of<Graph>& v) const {
    using boost::get;
    return static_cast<std::uint32_t>(get(map_, key_for<IndexMap>(v)));
  }

 private:
  IndexMap map_;
  index_t size_ = 0;
};

}  // namespace internal
}  // namespace tropic::bgl
