// SPDX-License-Identifier: Apache-2.0

// Communities of large modularity in the C ABI.

#include "algorithms/louvain.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_louvain(const tropic_matrix* graph, double resolution, int weighted,
                             tropic_vector** community, int64_t* communities, double* modularity) {
  return guarded(context_of(graph), "tropic_louvain", [&](const call& c) {
    c.distinct("community, communities, modularity", community, communities, modularity);
    if (community != nullptr) *community = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::louvain_result found = louvain(weighted != 0 ? graph->base() : pattern_of(*graph),
                                           {.resolution = resolution, .weighted = weighted != 0});
    if (community != nullptr) *community = new_vector(graph->of, std::move(found.community.base()));
    if (communities != nullptr) *communities = found.communities;
    if (modularity != nullptr) *modularity = found.modularity;
  });
}

tropic_status tropic_modularity(const tropic_matrix* graph, const tropic_vector* community,
                                double resolution, int weighted, double* result) {
  return guarded(context_of(graph, community), "tropic_modularity", [&](const call& c) {
    c.need(result, "result");
    c.need(graph, "graph");
    c.need(community, "community");
    c.same_type("community", *community->base.type, TROPIC_INT64);
    c.begin(*graph->of);
    *result = modularity(weighted != 0 ? graph->base() : pattern_of(*graph),
                         tropic::vector<tropic::index_t>(community->base),
                         {.resolution = resolution, .weighted = weighted != 0});
  });
}
