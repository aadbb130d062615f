// SPDX-License-Identifier: Apache-2.0

// Local clustering coefficients in the C ABI.

#include "algorithms/local_clustering.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_local_clustering(const tropic_matrix* graph, tropic_vector** coefficient) {
  return guarded(context_of(graph), "tropic_local_clustering", [&](const call& c) {
    c.need(coefficient, "coefficient") = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    *coefficient =
        new_vector(graph->of, std::move(local_clustering(any_graph(pattern_of(*graph))).base()));
  });
}
