// SPDX-License-Identifier: Apache-2.0

// Betweenness in the C ABI.

#include "algorithms/betweenness.hpp"

#include <string>
#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_betweenness(const tropic_matrix* graph,
                                 const tropic_betweenness_options* options,
                                 tropic_vector** centrality) {
  return guarded(context_of(graph), "tropic_betweenness", [&](const call& c) {
    c.need(centrality, "centrality") = nullptr;
    c.need(graph, "graph");
    static const tropic_betweenness_options defaults = TROPIC_BETWEENNESS_OPTIONS_INIT;
    const tropic_betweenness_options given = c.options(options, defaults, "options");
    tropic::betweenness_options wanted;
    if (given.sources != nullptr) {
      if (given.source_count < 0)
        c.refuse("options->source_count is " + std::to_string(given.source_count));
      wanted.sources.emplace(given.sources, given.sources + given.source_count);
    }
    wanted.normalized = given.normalized != 0;
    wanted.endpoints = given.endpoints != 0;
    if (given.directed < -1 || given.directed > 1)
      c.refuse("options->directed is " + std::to_string(given.directed) + ", expected -1, 0 or 1");
    wanted.directed = given.directed == -1 ? !graph->base().symmetric : given.directed == 1;
    c.begin(*graph->of);
    tropic::betweenness_result found = betweenness(any_graph(pattern_of(*graph)), wanted);
    *centrality = new_vector(graph->of, std::move(found.centrality.base()));
  });
}
