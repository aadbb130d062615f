// SPDX-License-Identifier: Apache-2.0

// Breadth-first search and PageRank of the C ABI. They look at no values, or at those of fp64: one
// instance of each does for all types.

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;

tropic_status tropic_bfs(const tropic_matrix* graph, int64_t source, tropic_vector** level,
                         tropic_vector** parent) {
  return guarded(context_of(graph), "tropic_bfs", [&](const call& c) {
    if (level != nullptr) *level = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.need(graph, "graph");
    c.distinct("level, parent", level, parent);
    c.begin(*graph->of);
    tropic::bfs_result found = bfs(tropic::matrix<bool>(pattern_of(*graph)), source);
    std::unique_ptr<tropic_vector> levels, parents;
    if (level != nullptr) levels.reset(new_vector(graph->of, std::move(found.level.base())));
    if (parent != nullptr) parents.reset(new_vector(graph->of, std::move(found.parent.base())));
    if (level != nullptr) *level = levels.release();
    if (parent != nullptr) *parent = parents.release();
  });
}

namespace {

template <class T>
tropic::pagerank_result ranks(const tropic::matrix<T>& graph, const tropic_vector* preference,
                              const tropic::pagerank_options& options) {
  if (preference == nullptr) return tropic::pagerank(graph, options);
  return tropic::pagerank(graph, tropic::vector<double>(preference->base), options);
}

}  // namespace

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
    tropic::pagerank_result found =
        wanted.weighted
            ? ranks(tropic::matrix<double>(converted(graph->base(), tropic::type_code::fp64)),
                    given.preference, wanted)
            : ranks(tropic::matrix<bool>(pattern_of(*graph)), given.preference, wanted);
    *rank = new_vector(graph->of, std::move(found.rank.base()));
    if (iterations != nullptr) *iterations = found.iterations;
    if (change != nullptr) *change = found.change;
  });
}
