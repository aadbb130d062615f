// SPDX-License-Identifier: Apache-2.0

// Closeness, eigenvector and Katz centrality, hubs and authorities in the C ABI.

#include "algorithms/centrality.hpp"

#include <utility>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

namespace {
// The weights, or the pattern, which is kept with the matrix.
any_graph edges_of(const tropic_matrix& graph, bool weighted) {
  return any_graph(weighted ? graph.base() : pattern_of(graph));
}

template <class Options>
Options power_options(const tropic_power_options& given) {
  Options wanted;
  wanted.tolerance = given.tolerance;
  wanted.max_iterations = given.max_iterations;
  wanted.weighted = given.weighted != 0;
  return wanted;
}
}  // namespace

tropic_status tropic_closeness(const tropic_matrix* graph, int wf_improved,
                               tropic_vector** centrality) {
  return guarded(context_of(graph), "tropic_closeness", [&](const call& c) {
    c.need(centrality, "centrality") = nullptr;
    c.need(graph, "graph");
    c.begin(*graph->of);
    tropic::closeness_result found = closeness(edges_of(*graph, false), {wf_improved != 0});
    *centrality = new_vector(graph->of, std::move(found.centrality.base()));
  });
}

tropic_status tropic_eigenvector_centrality(const tropic_matrix* graph,
                                            const tropic_power_options* options,
                                            tropic_vector** centrality, int64_t* iterations) {
  return guarded(context_of(graph), "tropic_eigenvector_centrality", [&](const call& c) {
    c.need(centrality, "centrality") = nullptr;
    c.need(graph, "graph");
    c.distinct("centrality, iterations", centrality, iterations);
    static const tropic_power_options defaults = TROPIC_EIGENVECTOR_OPTIONS_INIT;
    const auto wanted =
        power_options<tropic::eigenvector_options>(c.options(options, defaults, "options"));
    c.begin(*graph->of);
    tropic::power_result found = eigenvector_centrality(edges_of(*graph, wanted.weighted), wanted);
    *centrality = new_vector(graph->of, std::move(found.centrality.base()));
    if (iterations != nullptr) *iterations = found.iterations;
  });
}

tropic_status tropic_katz_centrality(const tropic_matrix* graph,
                                     const tropic_power_options* options,
                                     tropic_vector** centrality, int64_t* iterations) {
  return guarded(context_of(graph), "tropic_katz_centrality", [&](const call& c) {
    c.need(centrality, "centrality") = nullptr;
    c.need(graph, "graph");
    c.distinct("centrality, iterations", centrality, iterations);
    static const tropic_power_options defaults = TROPIC_KATZ_OPTIONS_INIT;
    const tropic_power_options given = c.options(options, defaults, "options");
    auto wanted = power_options<tropic::katz_options>(given);
    wanted.alpha = given.alpha;
    wanted.beta = given.beta;
    wanted.normalized = given.normalized != 0;
    c.begin(*graph->of);
    tropic::power_result found = katz_centrality(edges_of(*graph, wanted.weighted), wanted);
    *centrality = new_vector(graph->of, std::move(found.centrality.base()));
    if (iterations != nullptr) *iterations = found.iterations;
  });
}

tropic_status tropic_hits(const tropic_matrix* graph, const tropic_power_options* options,
                          tropic_vector** hubs, tropic_vector** authorities, int64_t* iterations) {
  return guarded(context_of(graph), "tropic_hits", [&](const call& c) {
    c.distinct("hubs, authorities, iterations", hubs, authorities, iterations);
    if (hubs != nullptr) *hubs = nullptr;
    if (authorities != nullptr) *authorities = nullptr;
    c.need(graph, "graph");
    static const tropic_power_options defaults = TROPIC_HITS_OPTIONS_INIT;
    const tropic_power_options given = c.options(options, defaults, "options");
    auto wanted = power_options<tropic::hits_options>(given);
    wanted.normalized = given.normalized != 0;
    c.begin(*graph->of);
    tropic::hits_result found = tropic::algorithms::hits(edges_of(*graph, wanted.weighted), wanted);
    hand_over(graph->of, hubs, std::move(found.hubs.base()), authorities,
              std::move(found.authorities.base()));
    if (iterations != nullptr) *iterations = found.iterations;
  });
}
