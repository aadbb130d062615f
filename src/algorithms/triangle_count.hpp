// SPDX-License-Identifier: Apache-2.0
#pragma once

// Triangles of a graph of any value type. Only the pattern is used. The count relabels the graph by
// itself where that pays.

#include <cstdint>
#include <string>

#include <tropic/algorithms/triangle_count.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::triangle_count.
std::int64_t triangle_count(const detail::matrix_base& graph);
/// As tropic::triangles_per_vertex.
vector<std::int64_t> triangles_per_vertex(const detail::matrix_base& graph);
/// As tropic::verify_triangle_count.
std::string verify_triangle_count(const detail::matrix_base& graph, std::int64_t count);
/// As tropic::verify_triangles_per_vertex.
std::string verify_triangles_per_vertex(const detail::matrix_base& graph,
                                        const vector<std::int64_t>& count);

}  // namespace tropic::algorithms
