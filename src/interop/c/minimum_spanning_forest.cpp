// SPDX-License-Identifier: Apache-2.0

// Minimum spanning forests in the C ABI.

#include "algorithms/minimum_spanning_forest.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_minimum_spanning_forest(const tropic_matrix* graph, tropic_matrix** forest,
                                             double* weight, int64_t* trees) {
  return guarded(context_of(graph), "tropic_minimum_spanning_forest", [&](const call& c) {
    c.distinct("forest, weight, trees", forest, weight, trees);
    if (forest != nullptr) *forest = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    any_spanning_forest_result found = minimum_spanning_forest(graph->base());
    if (forest != nullptr) *forest = new_matrix(graph->of, std::move(found.forest));
    if (weight != nullptr) *weight = found.weight;
    if (trees != nullptr) *trees = found.trees;
  });
}
