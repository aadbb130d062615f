// SPDX-License-Identifier: Apache-2.0

// Core numbers in the C ABI.

#include "algorithms/core_numbers.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_core_numbers(const tropic_matrix* graph, tropic_vector** core,
                                  int64_t* degeneracy) {
  return guarded(context_of(graph), "tropic_core_numbers", [&](const call& c) {
    c.distinct("core, degeneracy", core, degeneracy);
    if (core != nullptr) *core = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::core_numbers_result found = core_numbers(any_graph(pattern_of(*graph)));
    if (core != nullptr) *core = new_vector(graph->of, std::move(found.core.base()));
    if (degeneracy != nullptr) *degeneracy = found.degeneracy;
  });
}
