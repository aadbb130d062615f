// SPDX-License-Identifier: Apache-2.0

// The algorithms of the C ABI.

#include <memory>
#include <optional>
#include <utility>

#include "algorithms/bfs.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/sssp.hpp"
#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;
using tropic::type_code;

tropic_status tropic_bfs(const tropic_matrix* graph, int64_t source, tropic_vector** level,
                         tropic_vector** parent) {
  return guarded(context_of(graph), "tropic_bfs", [&](const call& c) {
    if (level != nullptr) *level = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.need(graph, "graph");
    c.distinct("level, parent", level, parent);
    c.begin(*graph->of);
    tropic::bfs_result found = bfs(any_graph(pattern_of(*graph)), source);
    std::unique_ptr<tropic_vector> levels, parents;
    if (level != nullptr) levels.reset(new_vector(graph->of, std::move(found.level.base())));
    if (parent != nullptr) parents.reset(new_vector(graph->of, std::move(found.parent.base())));
    if (level != nullptr) *level = levels.release();
    if (parent != nullptr) *parent = parents.release();
  });
}

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

tropic_status tropic_sssp(const tropic_matrix* graph, int64_t source,
                          const tropic_sssp_options* options, tropic_vector** distance,
                          tropic_vector** parent) {
  return guarded(context_of(graph), "tropic_sssp", [&](const call& c) {
    if (distance != nullptr) *distance = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.need(graph, "graph");
    static const tropic_sssp_options defaults = TROPIC_SSSP_OPTIONS_INIT;
    const tropic_sssp_options given = c.options(options, defaults, "options");
    const type_code type = given.choose_type != 0 ? c.type(given.type, "options->type").code
                                                  : distance_type_of(graph->base().type->code);
    c.distinct("distance, parent, options->saturated", distance, parent, given.saturated);
    c.begin(*graph->of);
    tropic::sssp_options wanted;
    wanted.delta = given.delta;
    wanted.parents = parent != nullptr;
    if (type == type_code::boolean)
      throw tropic::usage_error("tropic_sssp: options->type is bool, which holds no distances");
    any_sssp_result found = sssp(any_graph(graph->base()), type, source, wanted);
    std::unique_ptr<tropic_vector> distances, parents;
    if (distance != nullptr) distances.reset(new_vector(graph->of, std::move(found.distance)));
    if (parent != nullptr) parents.reset(new_vector(graph->of, std::move(found.parent)));
    if (distance != nullptr) *distance = distances.release();
    if (parent != nullptr) *parent = parents.release();
    if (given.saturated != nullptr) *given.saturated = found.saturated;
  });
}
