// SPDX-License-Identifier: Apache-2.0

// Triangles in the C ABI.

#include "algorithms/triangle_count.hpp"

#include <memory>
#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_triangle_count(const tropic_matrix* graph, int64_t* count,
                                    tropic_vector** per_vertex) {
  return guarded(context_of(graph), "tropic_triangle_count", [&](const call& c) {
    c.distinct("count, per_vertex", count, per_vertex);
    if (per_vertex != nullptr) *per_vertex = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    std::unique_ptr<tropic_vector> of_vertices;
    if (per_vertex != nullptr)
      of_vertices.reset(
          new_vector(graph->of, std::move(triangles_per_vertex(pattern_of(*graph)).base())));
    if (count != nullptr) *count = triangle_count(pattern_of(*graph));
    if (per_vertex != nullptr) *per_vertex = of_vertices.release();
  });
}
