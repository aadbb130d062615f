// SPDX-License-Identifier: Apache-2.0

// Similarity of vertices in the C ABI.

#include "algorithms/similarity.hpp"

#include <span>
#include <string>
#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

namespace {

tropic::similarity_measure measure_of(const call& c, tropic_similarity_measure given) {
  switch (given) {
    case TROPIC_JACCARD: return tropic::similarity_measure::jaccard;
    case TROPIC_OVERLAP: return tropic::similarity_measure::overlap;
    case TROPIC_COSINE: return tropic::similarity_measure::cosine;
  }
  c.refuse("measure is " + std::to_string(static_cast<int>(given)) + ", expected 0, 1 or 2");
}

}  // namespace

tropic_status tropic_similarity(const tropic_matrix* graph, tropic_similarity_measure measure,
                                const int64_t* from, const int64_t* to, int64_t pairs,
                                tropic_vector** value) {
  return guarded(context_of(graph), "tropic_similarity", [&](const call& c) {
    c.need(value, "value") = nullptr;
    c.need(graph, "graph");
    if (pairs < 0) c.refuse("pairs is " + std::to_string(pairs));
    const auto count = static_cast<std::size_t>(pairs);
    c.need_array(from, count, "from");
    c.need_array(to, count, "to");
    const tropic::similarity_measure wanted = measure_of(c, measure);
    c.begin(*graph->of);
    *value = new_vector(graph->of, std::move(similarity(pattern_of(*graph), std::span(from, count),
                                                        std::span(to, count), wanted)
                                                 .base()));
  });
}

tropic_status tropic_similar_pairs(const tropic_matrix* graph, tropic_similarity_measure measure,
                                   double threshold, int64_t top, tropic_matrix** value) {
  return guarded(context_of(graph), "tropic_similar_pairs", [&](const call& c) {
    c.need(value, "value") = nullptr;
    c.need(graph, "graph");
    const tropic::similarity_measure wanted = measure_of(c, measure);
    c.begin(*graph->of);
    *value = new_matrix(
        graph->of, std::move(similar_pairs(pattern_of(*graph),
                                           {.measure = wanted, .threshold = threshold, .top = top})
                                 .value.base()));
  });
}
