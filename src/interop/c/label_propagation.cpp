// SPDX-License-Identifier: Apache-2.0

// Label propagation in the C ABI.

#include "algorithms/label_propagation.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_label_propagation(const tropic_matrix* graph, int64_t iterations,
                                       tropic_vector** label, int64_t* labels) {
  return guarded(context_of(graph), "tropic_label_propagation", [&](const call& c) {
    c.distinct("label, labels", label, labels);
    if (label != nullptr) *label = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::label_propagation_result found =
        label_propagation(any_graph(pattern_of(*graph)), iterations);
    if (label != nullptr) *label = new_vector(graph->of, std::move(found.label.base()));
    if (labels != nullptr) *labels = found.labels;
  });
}
