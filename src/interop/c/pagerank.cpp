// SPDX-License-Identifier: Apache-2.0

// PageRank in the C ABI.

#include <optional>
#include <utility>

#include "algorithms/pagerank.hpp"
#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

tropic_status tropic_pagerank(const tropic_matrix* graph, const tropic_pagerank_options* options,
                              tropic_vector** rank, int64_t* iterations, double* change) {
  return guarded(context_of(graph), "tropic_pagerank", [&](const call& c) {
    c.need(rank, "rank") = nullptr;
    c.need(graph, "graph");
    c.distinct("rank, iterations, change", rank, iterations, change);
    static const tropic_pagerank_options defaults = TROPIC_PAGERANK_OPTIONS_INIT;
    const tropic_pagerank_options given = c.options(options, defaults, "options");
    if (given.preference != nullptr)
      c.same_type("options->preference", *given.preference->base.type, TROPIC_FP64);
    c.begin(*graph->of);
    tropic::pagerank_options wanted;
    wanted.damping = given.damping;
    wanted.tolerance = given.tolerance;
    wanted.max_iterations = given.max_iterations;
    wanted.weighted = given.weighted != 0;
    wanted.lose_dangling = given.lose_dangling != 0;
    wanted.single = given.single != 0;
    if (given.iterations != -1) wanted.iterations = given.iterations;
    std::optional<tropic::vector<double>> preference;
    if (given.preference != nullptr) preference.emplace(given.preference->base);
    tropic::pagerank_result found =
        pagerank(any_graph(wanted.weighted ? graph->base() : pattern_of(*graph)),
                 preference ? &*preference : nullptr, wanted);
    *rank = new_vector(graph->of, std::move(found.rank.base()));
    if (iterations != nullptr) *iterations = found.iterations;
    if (change != nullptr) *change = found.change;
  });
}
