// SPDX-License-Identifier: Apache-2.0

// Maximal independent sets in the C ABI.

#include "algorithms/maximal_independent_set.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_maximal_independent_set(const tropic_matrix* graph, uint64_t seed,
                                             tropic_vector** members, int64_t* size) {
  return guarded(context_of(graph), "tropic_maximal_independent_set", [&](const call& c) {
    c.distinct("members, size", members, size);
    if (members != nullptr) *members = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::independent_set_result found =
        maximal_independent_set(any_graph(pattern_of(*graph)), seed);
    if (members != nullptr) *members = new_vector(graph->of, std::move(found.members.base()));
    if (size != nullptr) *size = found.size;
  });
}
