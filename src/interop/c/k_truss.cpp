// SPDX-License-Identifier: Apache-2.0

// The k-truss in the C ABI.

#include "algorithms/k_truss.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_k_truss(const tropic_matrix* graph, int64_t k, tropic_matrix** support,
                             int64_t* edges) {
  return guarded(context_of(graph), "tropic_k_truss", [&](const call& c) {
    c.distinct("support, edges", support, edges);
    if (support != nullptr) *support = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::k_truss_result found = k_truss(pattern_of(*graph), k);
    if (support != nullptr) *support = new_matrix(graph->of, std::move(found.support.base()));
    if (edges != nullptr) *edges = found.edges;
  });
}
