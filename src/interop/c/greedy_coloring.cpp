// SPDX-License-Identifier: Apache-2.0

// Greedy colourings in the C ABI.

#include "algorithms/greedy_coloring.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_greedy_coloring(const tropic_matrix* graph, uint64_t seed,
                                     tropic_vector** color, int64_t* colors) {
  return guarded(context_of(graph), "tropic_greedy_coloring", [&](const call& c) {
    c.distinct("color, colors", color, colors);
    if (color != nullptr) *color = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::coloring_result found = greedy_coloring(any_graph(pattern_of(*graph)), seed);
    if (color != nullptr) *color = new_vector(graph->of, std::move(found.color.base()));
    if (colors != nullptr) *colors = found.colors;
  });
}
