// SPDX-License-Identifier: Apache-2.0
#pragma once

// A compressed_sparse_row_graph holds the same arrays as a matrix in CSR. If its vertices have 32
// bits, a matrix can use its row starts and columns in place, provided that every vertex lists its
// targets in strictly ascending order. Boost itself sorts edges by their source only.

#include <memory>

#include <tropic/interop/boost_graph/support.hpp>

// Declared, not included: a program that has such a graph includes its header. That header declares
// boost::detail::get, which hides boost::get from the algorithms included after it: Dijkstra's
// would no longer take a pointer as a map (Boost 1.74).
namespace boost {
template <typename Directed, typename VertexProperty, typename EdgeProperty, typename GraphProperty,
          typename Vertex, typename EdgeIndex>
class compressed_sparse_row_graph;
}

namespace tropic::bgl {

/// Compressed sparse row graphs, directed or bidirectional, whose arrays a matrix can use: vertices
/// of 32 bits, edge indices of 32 or 64.
template <class EdgeIndex, class Vertex>
concept matrix_like =
    std::same_as<Vertex, std::uint32_t> &&
    (std::same_as<EdgeIndex, std::uint32_t> || std::same_as<EdgeIndex, std::uint64_t>);

namespace internal {

template <value_type T, class Graph>
matrix<T> over_arrays(const char* call, const context& where, const Graph& g,
                      const std::shared_ptr<const void>& owner, array_view<T> values) {
  const auto& offsets = g.m_forward.m_rowstart;
  const auto& columns = g.m_forward.m_column;
  using offset = typename std::decay_t<decltype(offsets)>::value_type;
  const index_t n = static_cast<index_t>(num_vertices(g));
  try {
    return matrix<T>::from_csr(where, n, n, array_view<offset>{offsets, owner},
                               array_view<std::uint32_t>{columns, owner}, values);
  } catch (const usage_error& found) {
    throw usage_error(std::string(call) + ": " + found.what() +
                      " (parallel edges, or targets out of order; copy takes them)");
  }
}

template <class Graph, class WeightMap>
matrix<value_of<WeightMap>> with_weights(const char* call, const context& where, const Graph& g,
                                         const std::shared_ptr<const void>& owner,
                                         WeightMap weight) {
  using T = value_of<WeightMap>;
  using boost::get;
  const std::size_t count = g.m_forward.m_column.size();
  const auto held = tropic::detail::make_buffer(where.state(), count * sizeof(T));
  auto* to = static_cast<T*>(count == 0 ? nullptr : held->host_write());
  auto range = edges(g);  // in the order of the rows
  for (; range.first != range.second; ++range.first) *to++ = get(weight, *range.first);
  array_view<T> values{{}, held};
  if (count > 0) values.data = {static_cast<const T*>(held->host()), count};
  return over_arrays<T>(call, where, g, owner, values);
}

template <class T, class Graph>
matrix<T> with_one_value(const char* call, const context& where, const Graph& g,
                         const std::shared_ptr<const void>& owner, const T& value) {
  const auto one = std::make_shared<const T>(value);
  return over_arrays<T>(call, where, g, owner, array_view<T>{{one.get(), 1}, one});
}

template <class T, class Graph>
matrix<T> with_edge_bundles(const char* call, const context& where, const Graph& g,
                            const std::shared_ptr<const void>& owner) {
  return over_arrays<T>(call, where, g, owner, array_view<T>{g.m_forward.m_edge_properties, owner});
}

}  // namespace internal

/// The n x n matrix of a graph with n vertices over the graph's own row starts and columns, which
/// are neither copied nor written; values are copied through `weight`, whose type is the matrix's.
/// The caller keeps `g`, unchanged, as long as the matrix or a copy of it is used. Throws
/// usage_error, naming the vertex, where targets are not strictly ascending (parallel edges, or an
/// order of their own); out_of_memory.
template <class D, class VP, class EP, class GP, class V, matrix_like<V> I, class WeightMap>
matrix<value_of<WeightMap>> borrow(const context& where,
                                   const boost::compressed_sparse_row_graph<D, VP, EP, GP, V, I>& g,
                                   WeightMap weight) {
  return internal::with_weights("borrow", where, g, nullptr, weight);
}
/// The same where an edge's property is its weight itself: no array is copied.
template <class D, class VP, value_type T, class GP, class V, matrix_like<V> I>
  requires(!std::same_as<T, bool>)
matrix<T> borrow(const context& where,
                 const boost::compressed_sparse_row_graph<D, VP, T, GP, V, I>& g) {
  return internal::with_edge_bundles<T>("borrow", where, g, nullptr);
}
/// The same without weights: all entries have the one `value`, and no array is copied.
template <value_type T = bool, class D, class VP, class EP, class GP, class V, matrix_like<V> I>
matrix<T> borrow_pattern(const context& where,
                         const boost::compressed_sparse_row_graph<D, VP, EP, GP, V, I>& g,
                         const T& value = T{1}) {
  return internal::with_one_value<T>("borrow_pattern", where, g, nullptr, value);
}

// A temporary would be gone before its matrix is used.
template <class D, class VP, class EP, class GP, class V, class I, class... Rest>
void borrow(const context&, const boost::compressed_sparse_row_graph<D, VP, EP, GP, V, I>&&,
            Rest...) = delete;
template <class T = bool, class D, class VP, class EP, class GP, class V, class I, class... Rest>
void borrow_pattern(const context&, const boost::compressed_sparse_row_graph<D, VP, EP, GP, V, I>&&,
                    Rest...) = delete;

/// As borrow; the matrix and its copies keep the graph alive.
template <class D, class VP, class EP, class GP, class V, matrix_like<V> I, class WeightMap>
matrix<value_of<WeightMap>> share(
    const context& where,
    const std::shared_ptr<const boost::compressed_sparse_row_graph<D, VP, EP, GP, V, I>>& g,
    WeightMap weight) {
  return internal::with_weights("share", where, *g, g, weight);
}
template <class D, class VP, value_type T, class GP, class V, matrix_like<V> I>
  requires(!std::same_as<T, bool>)
matrix<T> share(
    const context& where,
    const std::shared_ptr<const boost::compressed_sparse_row_graph<D, VP, T, GP, V, I>>& g) {
  return internal::with_edge_bundles<T>("share", where, *g, g);
}
/// As borrow_pattern; the matrix and its copies keep the graph alive.
template <value_type T = bool, class D, class VP, class EP, class GP, class V, matrix_like<V> I>
matrix<T> share_pattern(
    const context& where,
    const std::shared_ptr<const boost::compressed_sparse_row_graph<D, VP, EP, GP, V, I>>& g,
    const T& value = T{1}) {
  return internal::with_one_value<T>("share_pattern", where, *g, g, value);
}

}  // namespace tropic::bgl
