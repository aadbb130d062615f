// SPDX-License-Identifier: Apache-2.0

// Connected communities of large modularity in the C ABI.

#include "algorithms/leiden.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_leiden(const tropic_matrix* graph, const tropic_leiden_options* options,
                            tropic_vector** community, int64_t* communities, double* modularity) {
  return guarded(context_of(graph), "tropic_leiden", [&](const call& c) {
    c.distinct("community, communities, modularity", community, communities, modularity);
    if (community != nullptr) *community = nullptr;
    c.need(graph, "graph");
    static const tropic_leiden_options defaults = TROPIC_LEIDEN_OPTIONS_INIT;
    const tropic_leiden_options given = c.options(options, defaults, "options");
    c.begin(*graph->of);
    tropic::leiden_result found = leiden(given.weighted != 0 ? graph->base() : pattern_of(*graph),
                                         {.resolution = given.resolution,
                                          .weighted = given.weighted != 0,
                                          .iterations = given.iterations});
    if (community != nullptr) *community = new_vector(graph->of, std::move(found.community.base()));
    if (communities != nullptr) *communities = found.communities;
    if (modularity != nullptr) *modularity = found.modularity;
  });
}
