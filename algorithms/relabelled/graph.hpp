// SPDX-License-Identifier: Apache-2.0
#pragma once

// A graph together with a copy whose vertices are relabelled, that is, numbered in another order.
// Algorithms that take one (bfs.hpp, sssp.hpp and pagerank.hpp in this folder) run on the copy.
// Sources, results and errors have the numbers of the original graph, and results are those of a
// run on it.
//
// Rows and columns have the same order, as both ends of an edge are vertices: a kind that orders
// only rows, such as random_row, gives the order of the vertices (docs/permutation.md). Space: a
// second matrix, and 8 bytes a vertex.

#include <cstdint>
#include <utility>

#include <tropic/matrix.hpp>
#include <tropic/permutation.hpp>
#include <tropic/permute.hpp>
#include <tropic/vector.hpp>

namespace tropic {

template <value_type T>
class relabelled_graph {
 public:
  /// In the order of `kind`; `seed` is for random kinds. Throws usage_error if the matrix is not
  /// square; cancelled.
  relabelled_graph(matrix<T> graph, permutation_kind kind, std::uint64_t seed = 0)
      : relabelled_graph(graph, make_relabelling(graph, kind, seed)) {}
  /// Vertex v of `graph` is vertex order.new_position(v) of the copy. Throws usage_error unless the
  /// graph has as many rows and columns as the order has positions.
  relabelled_graph(matrix<T> graph, permutation order)
      : graph_(std::move(graph)),
        order_(std::move(order)),
        relabelled_(permute(graph_, order_, order_)) {}
  /// With the copy permute(graph, order, order), made before, which is not checked.
  relabelled_graph(matrix<T> graph, permutation order, matrix<T> copy)
      : graph_(std::move(graph)), order_(std::move(order)), relabelled_(std::move(copy)) {}

  /// The original.
  const matrix<T>& graph() const { return graph_; }
  /// The copy that algorithms run on.
  const matrix<T>& relabelled() const { return relabelled_; }
  const permutation& order() const { return order_; }

  /// From a vector over the vertices of the graph to one over those of the copy, and back.
  template <value_type U>
  vector<U> to_relabelled(const vector<U>& u) const {
    return permute(u, order_);
  }
  template <value_type U>
  vector<U> to_given(const vector<U>& u) const {
    return permute(u, order_.inverse());
  }

 private:
  matrix<T> graph_;
  permutation order_;
  matrix<T> relabelled_;
};

}  // namespace tropic
