// SPDX-License-Identifier: Apache-2.0

// Strong components in the C ABI.

#include "algorithms/strong_components.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_strong_components(const tropic_matrix* graph, tropic_vector** label,
                                       int64_t* components) {
  return guarded(context_of(graph), "tropic_strong_components", [&](const call& c) {
    c.distinct("label, components", label, components);
    if (label != nullptr) *label = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::strong_components_result found = strong_components(any_graph(pattern_of(*graph)));
    if (label != nullptr) *label = new_vector(graph->of, std::move(found.label.base()));
    if (components != nullptr) *components = found.components;
  });
}
