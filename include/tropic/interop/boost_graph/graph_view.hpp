// SPDX-License-Identifier: Apache-2.0
#pragma once

// A square matrix as a graph of Boost.Graph: entry (i, j) is an edge from i to j, and its value is
// the edge_weight. The view reads the matrix's arrays in place. It holds a (cheap) copy of the
// matrix, so the view may outlive the matrix that it was made from.

#include <algorithm>
#include <concepts>
#include <utility>

#include <boost/functional/hash.hpp>
#include <boost/graph/graph_selectors.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>

#include <tropic/interop/boost_graph/support.hpp>

namespace tropic::bgl {

/// An edge as it was met: of an undirected graph the same edge has either end as its source, and
/// compares equal.
template <bool Undirected>
struct entry_edge {
  std::uint32_t source = 0, target = 0;
  std::uint64_t position = 0;  // of the entry, among all of the matrix

  std::pair<std::uint32_t, std::uint32_t> ends() const {
    if (Undirected && target < source) return {target, source};
    return {source, target};
  }
  friend bool operator==(const entry_edge& a, const entry_edge& b) { return a.ends() == b.ends(); }
  friend bool operator!=(const entry_edge& a, const entry_edge& b) { return !(a == b); }
  friend bool operator<(const entry_edge& a, const entry_edge& b) { return a.ends() < b.ends(); }
  friend std::size_t hash_value(const entry_edge& e) {
    return boost::hash<std::pair<std::uint32_t, std::uint32_t>>()(e.ends());
  }
};

namespace internal {

/// Where the arrays of a matrix lie; those who hold the matrix keep them.
struct csr_arrays {
  const std::uint32_t* columns = nullptr;
  const std::uint32_t* narrow = nullptr;  // offsets of either width
  const std::uint64_t* wide = nullptr;
  std::uint32_t rows = 0;

  std::uint64_t offset(std::uint32_t row) const {
    return wide != nullptr ? wide[row] : narrow[row];
  }
};

/// The edges of one vertex; with it as their target instead where `Incoming`.
template <bool Undirected, bool Incoming>
class incident_edges
    : public boost::iterator_facade<incident_edges<Undirected, Incoming>, entry_edge<Undirected>,
                                    boost::random_access_traversal_tag, entry_edge<Undirected>,
                                    std::ptrdiff_t> {
 public:
  incident_edges() = default;
  incident_edges(const std::uint32_t* columns, std::uint32_t vertex, std::uint64_t position)
      : columns_(columns), vertex_(vertex), position_(position) {}

 private:
  friend class boost::iterator_core_access;
  entry_edge<Undirected> dereference() const {
    if (Incoming) return {columns_[position_], vertex_, position_};
    return {vertex_, columns_[position_], position_};
  }
  bool equal(const incident_edges& other) const { return position_ == other.position_; }
  void increment() { ++position_; }
  void decrement() { --position_; }
  void advance(std::ptrdiff_t n) { position_ += static_cast<std::uint64_t>(n); }
  std::ptrdiff_t distance_to(const incident_edges& other) const {
    return static_cast<std::ptrdiff_t>(other.position_ - position_);
  }

  const std::uint32_t* columns_ = nullptr;
  std::uint32_t vertex_ = 0;
  std::uint64_t position_ = 0;
};

/// All edges by row; undirected ones once, from their smaller end.
template <bool Undirected>
class all_edges
    : public boost::iterator_facade<all_edges<Undirected>, entry_edge<Undirected>,
                                    boost::forward_traversal_tag, entry_edge<Undirected>> {
 public:
  all_edges() = default;
  all_edges(const csr_arrays& arrays, std::uint32_t row, std::uint64_t position)
      : arrays_(arrays), row_(row), position_(position) {
    settle();
  }

 private:
  friend class boost::iterator_core_access;
  entry_edge<Undirected> dereference() const {
    return {row_, arrays_.columns[position_], position_};
  }
  bool equal(const all_edges& other) const { return position_ == other.position_; }
  void increment() {
    ++position_;
    settle();
  }
  // To the next entry that counts, past the ends of rows.
  void settle() {
    while (row_ < arrays_.rows) {
      const std::uint64_t end = arrays_.offset(row_ + 1);
      while (Undirected && position_ < end && arrays_.columns[position_] < row_) ++position_;
      if (position_ < end) return;
      ++row_;
    }
  }

  csr_arrays arrays_;
  std::uint32_t row_ = 0;
  std::uint64_t position_ = 0;
};

/// Throws usage_error, naming an entry, unless the matrix equals its transpose.
template <value_type T>
void check_symmetry(const csr_arrays& a, const T* values, bool iso) {
  // Rows are read in order, so each row meets its own entries in order from the other side.
  std::vector<std::uint64_t> next(a.rows);
  for (std::uint32_t i = 0; i < a.rows; ++i) next[i] = a.offset(i);
  const auto refuse = [](std::uint32_t i, std::uint32_t j) {
    throw usage_error("as_undirected_graph: (" + std::to_string(i) + ", " + std::to_string(j) +
                      ") has no equal entry at (" + std::to_string(j) + ", " + std::to_string(i) +
                      ")");
  };
  for (std::uint32_t i = 0; i < a.rows; ++i)
    for (std::uint64_t e = a.offset(i); e < a.offset(i + 1); ++e) {
      const std::uint32_t j = a.columns[e];
      const std::uint64_t mirror = next[j]++;
      if (mirror == a.offset(j + 1)) refuse(i, j);
      if (a.columns[mirror] < i) refuse(j, a.columns[mirror]);
      if (a.columns[mirror] > i || (!iso && !(values[e] == values[mirror]))) refuse(i, j);
    }
}

}  // namespace internal

/// The values of a matrix by its edges: a readable property map.
template <builtin_value_type T, class Edge>
class weight_map {
 public:
  using key_type = Edge;
  using value_type = T;
  using reference = const T&;
  using category = boost::readable_property_map_tag;

  weight_map() = default;
  /// `stride`: 1, or 0 if all edges share one value.
  weight_map(const T* values, std::uint64_t stride) : values_(values), stride_(stride) {}
  reference at(std::uint64_t position) const { return values_[position * stride_]; }

 private:
  const T* values_ = nullptr;
  std::uint64_t stride_ = 1;
};
template <class T, class Edge>
const T& get(const weight_map<T, Edge>& map, const Edge& e) {
  return map.at(e.position);
}

/// Models VertexListGraph, EdgeListGraph, IncidenceGraph, AdjacencyGraph and AdjacencyMatrix, with
/// edge_weight and vertex_index; undirected also BidirectionalGraph. Read only. Iterators and
/// property maps are good as long as one view of the same matrix lives. Made by as_graph and
/// as_undirected_graph.
template <builtin_value_type T, class Directed = boost::directedS>
class graph_view {
  static constexpr bool is_undirected = std::is_same_v<Directed, boost::undirectedS>;
  static_assert(is_undirected || std::is_same_v<Directed, boost::directedS>);

 public:
  using vertex_descriptor = std::uint32_t;
  using edge_descriptor = entry_edge<is_undirected>;
  using directed_category =
      std::conditional_t<is_undirected, boost::undirected_tag, boost::directed_tag>;
  using edge_parallel_category = boost::disallow_parallel_edge_tag;
  struct traversal_category : boost::vertex_list_graph_tag,
                              boost::edge_list_graph_tag,
                              boost::adjacency_graph_tag,
                              boost::adjacency_matrix_tag,
                              std::conditional_t<is_undirected, boost::bidirectional_graph_tag,
                                                 boost::incidence_graph_tag> {};

  using vertices_size_type = std::uint32_t;
  using edges_size_type = std::uint64_t;
  using degree_size_type = std::uint32_t;
  using vertex_iterator = boost::counting_iterator<vertex_descriptor>;
  using adjacency_iterator = const vertex_descriptor*;
  using out_edge_iterator = internal::incident_edges<is_undirected, false>;
  using in_edge_iterator =
      std::conditional_t<is_undirected, internal::incident_edges<is_undirected, true>, void>;
  using edge_iterator = internal::all_edges<is_undirected>;
  static vertex_descriptor null_vertex() { return ~vertex_descriptor{0}; }

  explicit graph_view(matrix<T> m)
      : matrix_(std::move(m)),
        columns_(matrix_.column_indices()),
        values_(matrix_.values()),
        narrow_(matrix_.template offsets<std::uint32_t>()),
        wide_(matrix_.template offsets<std::uint64_t>()) {
    const char* const name = is_undirected ? "as_undirected_graph" : "as_graph";
    if (matrix_.rows() != matrix_.columns())
      throw usage_error(std::string(name) + ": a graph's matrix is square, this one is " +
                        std::to_string(matrix_.rows()) + "x" + std::to_string(matrix_.columns()));
    if (matrix_.rows() >= index_t{null_vertex()})
      throw usage_error(std::string(name) + ": " + std::to_string(matrix_.rows()) +
                        " vertices, needed less than 4294967295");
    arrays_ = {columns_.data.data(), narrow_.data.data(), wide_.data.data(),
               static_cast<std::uint32_t>(matrix_.rows())};
    edges_ = static_cast<std::uint64_t>(matrix_.nvals());
    if constexpr (is_undirected) {
      if (!matrix_.is_symmetric())
        internal::check_symmetry(arrays_, values_.data.data(), matrix_.is_iso());
      std::uint64_t loops = 0;
      for (vertex_descriptor u = 0; u < arrays_.rows; ++u) loops += find(u, u) ? 1 : 0;
      edges_ = (edges_ + loops) / 2;
    }
  }

  const matrix<T>& base() const { return matrix_; }
  const std::uint32_t* columns() const { return arrays_.columns; }
  /// The positions of the entries of row u: from first to before second.
  std::pair<std::uint64_t, std::uint64_t> row(vertex_descriptor u) const {
    return {arrays_.offset(u), arrays_.offset(u + 1)};
  }

  const internal::csr_arrays& arrays() const { return arrays_; }
  edges_size_type edge_count() const { return edges_; }
  weight_map<T, edge_descriptor> weights() const {
    return {values_.data.data(), matrix_.is_iso() ? 0U : 1U};
  }
  /// The entry (u, v) among columns(), null where there is none.
  const std::uint32_t* find(vertex_descriptor u, vertex_descriptor v) const {
    const auto [begin, end] = row(u);
    const std::uint32_t* const last = columns() + end;
    const std::uint32_t* const at = std::lower_bound(columns() + begin, last, v);
    return at != last && *at == v ? at : nullptr;
  }

 private:
  matrix<T> matrix_;
  array_view<std::uint32_t> columns_;
  array_view<T> values_;
  array_view<std::uint32_t> narrow_;
  array_view<std::uint64_t> wide_;
  internal::csr_arrays arrays_;
  std::uint64_t edges_ = 0;
};

// The functions of the concepts.

template <class T, class D>
auto vertices(const graph_view<T, D>& g) {
  using iterator = typename graph_view<T, D>::vertex_iterator;
  return std::pair(iterator(0), iterator(g.arrays().rows));
}
template <class T, class D>
std::uint32_t num_vertices(const graph_view<T, D>& g) {
  return g.arrays().rows;
}
template <class T, class D>
auto edges(const graph_view<T, D>& g) {
  using iterator = typename graph_view<T, D>::edge_iterator;
  const auto nnz = static_cast<std::uint64_t>(g.base().nvals());
  return std::pair(iterator(g.arrays(), 0, 0), iterator(g.arrays(), g.arrays().rows, nnz));
}
template <class T, class D>
std::uint64_t num_edges(const graph_view<T, D>& g) {
  return g.edge_count();
}
template <class T, class D>
std::uint32_t source(const typename graph_view<T, D>::edge_descriptor& e, const graph_view<T, D>&) {
  return e.source;
}
template <class T, class D>
std::uint32_t target(const typename graph_view<T, D>::edge_descriptor& e, const graph_view<T, D>&) {
  return e.target;
}
template <class T, class D>
auto out_edges(std::uint32_t u, const graph_view<T, D>& g) {
  using iterator = typename graph_view<T, D>::out_edge_iterator;
  const auto [begin, end] = g.row(u);
  return std::pair(iterator(g.columns(), u, begin), iterator(g.columns(), u, end));
}
/// Entries in the row: a loop counts once.
template <class T, class D>
std::uint32_t out_degree(std::uint32_t u, const graph_view<T, D>& g) {
  const auto [begin, end] = g.row(u);
  return static_cast<std::uint32_t>(end - begin);
}
template <class T, class D>
std::pair<const std::uint32_t*, const std::uint32_t*> adjacent_vertices(std::uint32_t u,
                                                                        const graph_view<T, D>& g) {
  const auto [begin, end] = g.row(u);
  return {g.columns() + begin, g.columns() + end};
}
template <class T, class D>
std::pair<typename graph_view<T, D>::edge_descriptor, bool> edge(std::uint32_t u, std::uint32_t v,
                                                                 const graph_view<T, D>& g) {
  const std::uint32_t* const found = g.find(u, v);
  if (found == nullptr) return {{}, false};
  return {{u, v, static_cast<std::uint64_t>(found - g.columns())}, true};
}

// Of a matrix that equals its transpose, rows are columns.
template <class T>
auto in_edges(std::uint32_t v, const graph_view<T, boost::undirectedS>& g) {
  using iterator = typename graph_view<T, boost::undirectedS>::in_edge_iterator;
  const auto [begin, end] = g.row(v);
  return std::pair(iterator(g.columns(), v, begin), iterator(g.columns(), v, end));
}
template <class T>
std::uint32_t in_degree(std::uint32_t v, const graph_view<T, boost::undirectedS>& g) {
  return out_degree(v, g);
}
template <class T>
std::uint32_t degree(std::uint32_t v, const graph_view<T, boost::undirectedS>& g) {
  return out_degree(v, g);
}

template <class T, class D>
auto get(boost::edge_weight_t, const graph_view<T, D>& g) {
  return g.weights();
}
template <class T, class D>
const T& get(boost::edge_weight_t, const graph_view<T, D>& g,
             const typename graph_view<T, D>::edge_descriptor& e) {
  return g.weights().at(e.position);
}
template <class T, class D>
boost::typed_identity_property_map<std::uint32_t> get(boost::vertex_index_t,
                                                      const graph_view<T, D>&) {
  return {};
}
template <class T, class D>
std::uint32_t get(boost::vertex_index_t, const graph_view<T, D>&, std::uint32_t v) {
  return v;
}

/// The matrix as a directed graph. Copies nothing on the host; from a device it is copied there
/// once. Throws usage_error for a rectangular matrix, or one of 2^32 - 1 rows or more.
template <builtin_value_type T>
graph_view<T> as_graph(const matrix<T>& m) {
  return graph_view<T>(m);
}
/// The matrix as an undirected graph: entries (i, j) and (j, i) are one edge. Throws usage_error
/// also where the matrix does not equal its transpose, naming an entry; that is checked in
/// O(rows + entries) unless the matrix is known to (is_symmetric()).
template <builtin_value_type T>
graph_view<T, boost::undirectedS> as_undirected_graph(const matrix<T>& m) {
  return graph_view<T, boost::undirectedS>(m);
}

}  // namespace tropic::bgl

namespace boost {

// Programs call them by this name, too.
using tropic::bgl::adjacent_vertices, tropic::bgl::degree, tropic::bgl::edge, tropic::bgl::edges,
    tropic::bgl::get, tropic::bgl::in_degree, tropic::bgl::in_edges, tropic::bgl::num_edges,
    tropic::bgl::num_vertices, tropic::bgl::out_degree, tropic::bgl::out_edges, tropic::bgl::source,
    tropic::bgl::target, tropic::bgl::vertices;

template <class T, class Directed>
struct property_map<tropic::bgl::graph_view<T, Directed>, edge_weight_t> {
  using type = decltype(std::declval<tropic::bgl::graph_view<T, Directed>>().weights());
  using const_type = type;
};
template <class T, class Directed>
struct property_map<tropic::bgl::graph_view<T, Directed>, vertex_index_t> {
  using type = typed_identity_property_map<std::uint32_t>;
  using const_type = type;
};

}  // namespace boost
