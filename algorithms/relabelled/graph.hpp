// SPDX-License-Identifier: Apache-2.0
#pragma once

// A graph together with a copy of it whose vertices are numbered in another order. Algorithms that
// take one (relabelled_bfs.hpp, relabelled_sssp.hpp, relabelled_pagerank.hpp) run on the copy and
// speak of the graph: sources, results and errors have the caller's numbers, and results are those
// of a run without it.
//
// Rows and columns take the same order, as an edge's two ends are vertices both: a kind that orders
// rows alone, say at random, numbers the vertices so, and the columns follow
// (docs/permutation.md). Space: the matrix once more, and 8 bytes a vertex.

#include <utility>

#include <tropic/permute.hpp>

namespace tropic {

template <value_type T>
class relabelled_graph {
 public:
  /// In the kind's order. Throws usage_error for a rectangular matrix; cancelled.
  relabelled_graph(matrix<T> graph, permutation_kind kind, std::uint64_t seed = 0)
      : relabelled_graph(graph, make_relabelling(graph, kind, seed)) {}
  /// Vertex v of `graph` is vertex order.new_position(v) of the copy. Throws usage_error where the
  /// graph does not have as many rows and columns as the order has positions.
  relabelled_graph(matrix<T> graph, permutation order)
      : graph_(std::move(graph)),
        order_(std::move(order)),
        relabelled_(permute(graph_, order_, order_)) {}

  /// As it was given.
  const matrix<T>& graph() const { return graph_; }
  /// The copy that is worked on.
  const matrix<T>& relabelled() const { return relabelled_; }
  const permutation& order() const { return order_; }

  /// A vector over the graph's vertices for the copy's, and back.
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
