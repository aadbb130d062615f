// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of arguments that the graph algorithms share. A message begins with the algorithm's name.

#include <string>

#include <tropic/error.hpp>
#include <tropic/matrix.hpp>

namespace tropic::detail {

/// Throws usage_error unless a matrix of that size is square.
inline void check_square(const char* algorithm, index_t rows, index_t columns) {
  if (rows != columns)
    throw usage_error(std::string(algorithm) + ": a graph's matrix is square, this one is " +
                      std::to_string(rows) + "x" + std::to_string(columns));
}
template <value_type T>
void check_square(const char* algorithm, const matrix<T>& graph) {
  check_square(algorithm, graph.rows(), graph.columns());
}

/// Throws usage_error unless a graph with that many vertices has the vertex `source`.
inline void check_source(const char* algorithm, index_t vertices, index_t source) {
  if (vertices == 0)
    throw usage_error(std::string(algorithm) + ": source " + std::to_string(source) +
                      ", the graph has no vertices");
  if (source < 0 || source >= vertices)
    throw usage_error(std::string(algorithm) + ": source " + std::to_string(source) +
                      ", the graph has vertices 0 to " + std::to_string(vertices - 1));
}
/// The same, and unless `graph` is square.
template <value_type T>
void check_source(const char* algorithm, const matrix<T>& graph, index_t source) {
  check_square(algorithm, graph);
  check_source(algorithm, graph.rows(), source);
}

}  // namespace tropic::detail
