// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of arguments that the graph algorithms share. A message begins with the algorithm's name.

#include <string>

#include <tropic/error.hpp>
#include <tropic/matrix.hpp>

namespace tropic::detail {

/// Throws usage_error unless `graph` is square.
template <value_type T>
void check_square(const char* algorithm, const matrix<T>& graph) {
  if (graph.rows() != graph.columns())
    throw usage_error(std::string(algorithm) + ": a graph's matrix is square, this one is " +
                      std::to_string(graph.rows()) + "x" + std::to_string(graph.columns()));
}

/// Throws usage_error unless `graph` is square and has the vertex `source`.
template <value_type T>
void check_source(const char* algorithm, const matrix<T>& graph, index_t source) {
  check_square(algorithm, graph);
  if (graph.rows() == 0)
    throw usage_error(std::string(algorithm) + ": source " + std::to_string(source) +
                      ", the graph has no vertices");
  if (source < 0 || source >= graph.rows())
    throw usage_error(std::string(algorithm) + ": source " + std::to_string(source) +
                      ", the graph has vertices 0 to " + std::to_string(graph.rows() - 1));
}

}  // namespace tropic::detail
