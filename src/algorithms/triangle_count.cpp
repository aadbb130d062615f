// SPDX-License-Identifier: Apache-2.0
#include "algorithms/triangle_count.hpp"

#include <tropic/algorithms/verify/triangle_count.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

std::int64_t triangle_count(const detail::matrix_base& graph) {
  return tropic::triangle_count(as_pattern(graph));
}

vector<std::int64_t> triangles_per_vertex(const detail::matrix_base& graph) {
  return tropic::triangles_per_vertex(as_pattern(graph));
}

std::string verify_triangle_count(const detail::matrix_base& graph, std::int64_t count) {
  return tropic::verify_triangle_count(as_pattern(graph), count);
}

std::string verify_triangles_per_vertex(const detail::matrix_base& graph,
                                        const vector<std::int64_t>& count) {
  return tropic::verify_triangles_per_vertex(as_pattern(graph), count);
}

}  // namespace tropic::algorithms
