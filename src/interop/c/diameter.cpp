// SPDX-License-Identifier: Apache-2.0

// Bounds of the diameter in the C ABI.

#include "algorithms/diameter.hpp"

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_diameter(const tropic_matrix* graph, int exact, int64_t* lower, int64_t* upper,
                              int64_t ends[2]) {
  return guarded(context_of(graph), "tropic_diameter", [&](const call& c) {
    c.distinct("lower, upper, ends", lower, upper, ends);
    c.need(graph, "graph");
    c.begin(*graph->of);
    const tropic::diameter_result found = diameter(pattern_of(*graph), {.exact = exact != 0});
    if (lower != nullptr) *lower = found.lower;
    if (upper != nullptr) *upper = found.upper;
    if (ends != nullptr) {
      ends[0] = found.from;
      ends[1] = found.to;
    }
  });
}
