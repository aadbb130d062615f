// SPDX-License-Identifier: Apache-2.0

// PageRank in the C ABI.

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/pagerank.hpp"
#include "algorithms/pagerank_batch.hpp"
#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;

namespace {

tropic::pagerank_options wanted_by(const tropic_pagerank_options& given) {
  tropic::pagerank_options wanted;
  wanted.damping = given.damping;
  wanted.tolerance = given.tolerance;
  wanted.max_iterations = given.max_iterations;
  wanted.weighted = given.weighted != 0;
  wanted.lose_dangling = given.lose_dangling != 0;
  wanted.single = given.single != 0;
  if (given.iterations != -1) wanted.iterations = given.iterations;
  return wanted;
}

tropic_pagerank_options options_of(const call& c, const tropic_pagerank_options* options) {
  static const tropic_pagerank_options defaults = TROPIC_PAGERANK_OPTIONS_INIT;
  return c.options(options, defaults, "options");
}

}  // namespace

tropic_status tropic_pagerank(const tropic_matrix* graph, const tropic_pagerank_options* options,
                              tropic_vector** rank, int64_t* iterations, double* change) {
  return guarded(context_of(graph), "tropic_pagerank", [&](const call& c) {
    c.need(rank, "rank") = nullptr;
    c.need(graph, "graph");
    c.distinct("rank, iterations, change", rank, iterations, change);
    const tropic_pagerank_options given = options_of(c, options);
    if (given.preference != nullptr)
      c.same_type("options->preference", *given.preference->base.type, TROPIC_FP64);
    c.begin(*graph->of);
    const tropic::pagerank_options wanted = wanted_by(given);
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

tropic_status tropic_pagerank_batch(const tropic_matrix* graph, const tropic_full* preferences,
                                    const tropic_pagerank_options* options, tropic_full** rank,
                                    int64_t* iterations, double* change) {
  return guarded(context_of(graph, preferences), "tropic_pagerank_batch", [&](const call& c) {
    c.need(rank, "rank") = nullptr;
    c.need(graph, "graph");
    c.need(preferences, "preferences");
    c.distinct("rank, iterations, change", rank, iterations, change);
    const tropic_pagerank_options given = options_of(c, options);
    if (given.preference != nullptr)
      c.refuse("options->preference is not NULL; preferences are the columns of the full matrix");
    c.same_type("preferences", *preferences->base.cells.type, TROPIC_FP64);
    c.begin(*graph->of);
    const tropic::pagerank_options wanted = wanted_by(given);
    tropic::pagerank_batch_result found =
        pagerank_batch(wanted.weighted ? graph->base() : pattern_of(*graph),
                       tropic::full_matrix<double>(preferences->base), wanted);
    *rank = new_full(graph->of, std::move(found.rank.base()));
    if (iterations != nullptr) std::ranges::copy(found.iterations, iterations);
    if (change != nullptr) std::ranges::copy(found.change, change);
  });
}
