// SPDX-License-Identifier: Apache-2.0

// The algorithms of src/algorithms. One more takes a function here, which runs it by run_on, and a
// function in python/tropic/_algorithms.

#include <nanobind/stl/vector.h>

#include "algorithms/betweenness.hpp"
#include "algorithms/bfs.hpp"
#include "algorithms/bfs_batch.hpp"
#include "algorithms/centrality.hpp"
#include "algorithms/connected_components.hpp"
#include "algorithms/core_numbers.hpp"
#include "algorithms/diameter.hpp"
#include "algorithms/greedy_coloring.hpp"
#include "algorithms/k_truss.hpp"
#include "algorithms/label_propagation.hpp"
#include "algorithms/leiden.hpp"
#include "algorithms/local_clustering.hpp"
#include "algorithms/louvain.hpp"
#include "algorithms/maximal_independent_set.hpp"
#include "algorithms/minimum_spanning_forest.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/pagerank_batch.hpp"
#include "algorithms/similarity.hpp"
#include "algorithms/sssp.hpp"
#include "algorithms/sssp_between.hpp"
#include "algorithms/strong_components.hpp"
#include "algorithms/triangle_count.hpp"
#include "algorithms/values.hpp"
#include "core.hpp"

namespace tropic::python {

namespace {

using algorithms::any_graph;

enum class uses { values, pattern };
uses used(bool weighted) {
  return weighted ? uses::values : uses::pattern;
}

// work(matrix) without the GIL, on the graph or on its pattern, which is kept with it.
// Other operands are registered with the call before.
template <class F>
auto run_on(call& c, matrix_handle& graph, uses what, nb::handle progress, F&& work) {
  c.read(graph);
  if (what == uses::pattern && !graph.pattern) {
    // A second thread may be here as well: the first pattern stays.
    auto pattern = c.run(*graph.of, [&] { return algorithms::pattern_of(graph.base()); });
    if (!graph.pattern) graph.pattern.emplace(std::move(pattern));
  }
  const detail::matrix_base input = what == uses::pattern ? *graph.pattern : graph.base();
  return c.run(*graph.of, progress, [&] { return work(input); });
}
template <class F>
auto run_on(const char* name, matrix_handle& graph, uses what, nb::handle progress, F&& work) {
  call c(name);
  return run_on(c, graph, what, progress, std::forward<F>(work));
}

std::unique_ptr<vector_handle> handed(const matrix_handle& graph, detail::vector_base base) {
  return std::make_unique<vector_handle>(graph.of, std::move(base));
}
template <class T>
std::unique_ptr<vector_handle> handed(const matrix_handle& graph, vector<T>&& result) {
  return handed(graph, std::move(result.base()));
}
std::unique_ptr<matrix_handle> handed(const matrix_handle& graph, detail::matrix_base base) {
  return std::make_unique<matrix_handle>(graph.of, std::move(base));
}

nb::tuple bfs(matrix_handle& graph, index_t source, nb::handle progress) {
  auto found = run_on("bfs", graph, uses::pattern, progress,
                      [&](const auto& m) { return algorithms::bfs(any_graph(m), source); });
  return nb::make_tuple(handed(graph, std::move(found.level)),
                        handed(graph, std::move(found.parent)), found.depth, found.reached);
}

// Levels and parents by vertices, and in each vertex by searches.
nb::tuple bfs_batch(matrix_handle& graph, const std::vector<index_t>& sources,
                    nb::handle progress) {
  const auto found = run_on("bfs_batch", graph, uses::pattern, progress,
                            [&](const auto& m) { return algorithms::bfs_batch(m, sources); });
  return nb::make_tuple(handed(graph, found.level.base().flat()),
                        handed(graph, found.parent.base().flat()));
}

type_code distances_of(const matrix_handle& graph, std::optional<int> type) {
  return type ? type_of(*type).code : algorithms::distance_type_of(graph.changes.type().code);
}

nb::tuple sssp_between(matrix_handle& graph, const std::vector<index_t>& sources,
                       const std::vector<index_t>& targets, std::optional<int> type, double delta,
                       double limit, nb::handle progress) {
  const type_code distances = distances_of(graph, type);
  sssp_options options;
  options.delta = delta;
  options.limit = limit;
  auto found = run_on("sssp_between", graph, uses::values, progress, [&](const auto& m) {
    return algorithms::sssp_between(any_graph(m), distances, sources, targets, options);
  });
  return nb::make_tuple(handed(graph, std::move(found.distance)), found.searches, found.saturated);
}

nb::tuple sssp(matrix_handle& graph, index_t source, std::optional<int> type, double delta,
               truth parents, double limit, nb::handle progress) {
  const type_code distances = distances_of(graph, type);
  sssp_options options;
  options.delta = delta;
  options.limit = limit;
  options.parents = parents;
  auto found = run_on("shortest_paths", graph, uses::values, progress, [&](const auto& m) {
    return algorithms::sssp(any_graph(m), distances, source, options);
  });
  return nb::make_tuple(handed(graph, std::move(found.distance)),
                        handed(graph, std::move(found.parent)), found.steps, found.saturated);
}

pagerank_options walk_of(double damping, double tolerance, index_t max_iterations,
                         std::optional<index_t> iterations, truth weighted, truth lose_dangling,
                         truth single) {
  pagerank_options options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.iterations = iterations;
  options.weighted = weighted;
  options.lose_dangling = lose_dangling;
  options.single = single;
  return options;
}

nb::tuple pagerank(matrix_handle& graph, double damping, double tolerance, index_t max_iterations,
                   std::optional<index_t> iterations, truth weighted, vector_handle* preference,
                   truth lose_dangling, truth single, nb::handle progress) {
  const pagerank_options options =
      walk_of(damping, tolerance, max_iterations, iterations, weighted, lose_dangling, single);
  call c("pagerank");
  std::optional<vector<double>> to;
  if (preference != nullptr) {
    c.read(*preference);
    if (preference->base.type->code != type_code::fp64)
      c.refuse("the preferences hold " + std::string(preference->base.type->name) +
               ", needed fp64");
    to.emplace(preference->base);
  }
  auto found = run_on(c, graph, used(weighted), progress, [&](const auto& m) {
    return algorithms::pagerank(any_graph(m), to ? &*to : nullptr, options);
  });
  return nb::make_tuple(handed(graph, std::move(found.rank)), found.iterations, found.change,
                        found.converged);
}

// The ranks by vertices, and in each vertex by runs.
using preferences_array = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
nb::tuple pagerank_batch(matrix_handle& graph, const preferences_array& preferences, double damping,
                         double tolerance, index_t max_iterations,
                         std::optional<index_t> iterations, truth weighted, truth lose_dangling,
                         truth single, nb::handle progress) {
  const pagerank_options options =
      walk_of(damping, tolerance, max_iterations, iterations, weighted, lose_dangling, single);
  detail::given_array given;
  given.data = preferences.data();
  given.size = preferences.size();
  given.bytes = given.alignment = sizeof(double);
  given.owner = keep(nb::capsule(new preferences_array(preferences), [](void* held) noexcept {
    delete static_cast<preferences_array*>(held);
  }));
  auto found = run_on("pagerank_batch", graph, used(weighted), progress, [&](const auto& m) {
    return algorithms::pagerank_batch(
        m,
        full_matrix<double>(detail::full_from_array(
            m.context, describe<double>(), static_cast<index_t>(preferences.shape(0)),
            static_cast<index_t>(preferences.shape(1)), given, 0)),
        options);
  });
  const std::vector<bool>& converged = found.converged;
  return nb::make_tuple(handed(graph, found.rank.base().flat()), std::move(found.iterations),
                        std::move(found.change),
                        std::vector<int>(converged.begin(), converged.end()));
}

nb::tuple connected_components(matrix_handle& graph, nb::handle progress) {
  auto found = run_on("connected_components", graph, uses::pattern, progress, [&](const auto& m) {
    return algorithms::connected_components(any_graph(m));
  });
  return nb::make_tuple(handed(graph, std::move(found.label)), found.components);
}

std::int64_t triangle_count(matrix_handle& graph, nb::handle progress) {
  return run_on("triangle_count", graph, uses::pattern, progress,
                [&](const auto& m) { return algorithms::triangle_count(m); });
}

std::unique_ptr<vector_handle> triangles_per_vertex(matrix_handle& graph, nb::handle progress) {
  return handed(graph, run_on("triangles_per_vertex", graph, uses::pattern, progress,
                              [&](const auto& m) { return algorithms::triangles_per_vertex(m); }));
}

nb::tuple strong_components(matrix_handle& graph, nb::handle progress) {
  auto found = run_on("strong_components", graph, uses::pattern, progress,
                      [&](const auto& m) { return algorithms::strong_components(any_graph(m)); });
  return nb::make_tuple(handed(graph, std::move(found.label)), found.components);
}

nb::tuple core_numbers(matrix_handle& graph, nb::handle progress) {
  auto found = run_on("core_numbers", graph, uses::pattern, progress,
                      [&](const auto& m) { return algorithms::core_numbers(any_graph(m)); });
  return nb::make_tuple(handed(graph, std::move(found.core)), found.degeneracy, found.rounds);
}

std::unique_ptr<vector_handle> local_clustering(matrix_handle& graph, nb::handle progress) {
  return handed(graph,
                run_on("local_clustering", graph, uses::pattern, progress,
                       [&](const auto& m) { return algorithms::local_clustering(any_graph(m)); }));
}

nb::tuple k_truss(matrix_handle& graph, index_t k, nb::handle progress) {
  auto found = run_on("k_truss", graph, uses::pattern, progress,
                      [&](const auto& m) { return algorithms::k_truss(m, k); });
  return nb::make_tuple(handed(graph, std::move(found.support.base())), found.edges, found.rounds);
}

nb::tuple maximal_independent_set(matrix_handle& graph, std::uint64_t seed, nb::handle progress) {
  auto found = run_on(
      "maximal_independent_set", graph, uses::pattern, progress,
      [&](const auto& m) { return algorithms::maximal_independent_set(any_graph(m), seed); });
  return nb::make_tuple(handed(graph, std::move(found.members)), found.size, found.rounds);
}

nb::tuple greedy_coloring(matrix_handle& graph, std::uint64_t seed, nb::handle progress) {
  auto found = run_on("greedy_coloring", graph, uses::pattern, progress, [&](const auto& m) {
    return algorithms::greedy_coloring(any_graph(m), seed);
  });
  return nb::make_tuple(handed(graph, std::move(found.color)), found.colors, found.rounds);
}

nb::tuple minimum_spanning_forest(matrix_handle& graph, nb::handle progress) {
  auto found = run_on("minimum_spanning_forest", graph, uses::values, progress,
                      [&](const auto& m) { return algorithms::minimum_spanning_forest(m); });
  return nb::make_tuple(handed(graph, std::move(found.forest)), found.edges, found.trees,
                        found.weight, found.rounds);
}

nb::tuple betweenness(matrix_handle& graph, std::optional<std::vector<index_t>> sources,
                      truth normalized, truth endpoints, std::optional<truth> directed,
                      nb::handle progress) {
  betweenness_options options;
  options.sources = std::move(sources);
  options.normalized = normalized;
  options.endpoints = endpoints;
  if (directed) options.directed = directed->value;
  auto found = run_on("betweenness", graph, uses::pattern, progress, [&](const auto& m) {
    return algorithms::betweenness(any_graph(m), options);
  });
  return nb::make_tuple(handed(graph, std::move(found.centrality)), found.sources,
                        found.by_logarithms);
}

std::unique_ptr<vector_handle> closeness(matrix_handle& graph, truth wf_improved,
                                         nb::handle progress) {
  closeness_options options;
  options.wf_improved = wf_improved;
  return handed(graph, run_on("closeness", graph, uses::pattern, progress, [&](const auto& m) {
                  return algorithms::closeness(any_graph(m), options).centrality;
                }));
}

nb::tuple eigenvector_centrality(matrix_handle& graph, double tolerance, index_t max_iterations,
                                 truth weighted, nb::handle progress) {
  eigenvector_options options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.weighted = weighted;
  auto found = run_on(
      "eigenvector_centrality", graph, used(weighted), progress,
      [&](const auto& m) { return algorithms::eigenvector_centrality(any_graph(m), options); });
  return nb::make_tuple(handed(graph, std::move(found.centrality)), found.iterations);
}

nb::tuple katz_centrality(matrix_handle& graph, double alpha, double beta, double tolerance,
                          index_t max_iterations, truth normalized, truth weighted,
                          nb::handle progress) {
  katz_options options;
  options.alpha = alpha;
  options.beta = beta;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.normalized = normalized;
  options.weighted = weighted;
  auto found = run_on("katz_centrality", graph, used(weighted), progress, [&](const auto& m) {
    return algorithms::katz_centrality(any_graph(m), options);
  });
  return nb::make_tuple(handed(graph, std::move(found.centrality)), found.iterations);
}

nb::tuple hits(matrix_handle& graph, double tolerance, index_t max_iterations, truth normalized,
               truth weighted, nb::handle progress) {
  hits_options options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.normalized = normalized;
  options.weighted = weighted;
  auto found = run_on("hits", graph, used(weighted), progress,
                      [&](const auto& m) { return algorithms::hits(any_graph(m), options); });
  return nb::make_tuple(handed(graph, std::move(found.hubs)),
                        handed(graph, std::move(found.authorities)), found.iterations);
}

nb::tuple label_propagation(matrix_handle& graph, index_t iterations, nb::handle progress) {
  auto found = run_on("label_propagation", graph, uses::pattern, progress, [&](const auto& m) {
    return algorithms::label_propagation(any_graph(m), iterations);
  });
  return nb::make_tuple(handed(graph, std::move(found.label)), found.iterations, found.labels);
}

nb::tuple louvain(matrix_handle& graph, double resolution, truth weighted, nb::handle progress) {
  modularity_options options;
  options.resolution = resolution;
  options.weighted = weighted;
  auto found = run_on("louvain", graph, used(weighted), progress,
                      [&](const auto& m) { return algorithms::louvain(m, options); });
  return nb::make_tuple(handed(graph, std::move(found.community)), found.communities, found.levels,
                        found.modularity);
}

nb::tuple leiden(matrix_handle& graph, double resolution, truth weighted, index_t iterations,
                 nb::handle progress) {
  leiden_options options;
  options.resolution = resolution;
  options.weighted = weighted;
  options.iterations = iterations;
  auto found = run_on("leiden", graph, used(weighted), progress,
                      [&](const auto& m) { return algorithms::leiden(m, options); });
  return nb::make_tuple(handed(graph, std::move(found.community)), found.communities, found.levels,
                        found.iterations, found.modularity);
}

nb::tuple diameter(matrix_handle& graph, truth exact, nb::handle progress) {
  diameter_options options;
  options.exact = exact;
  const auto found = run_on("diameter", graph, uses::pattern, progress,
                            [&](const auto& m) { return algorithms::diameter(m, options); });
  return nb::make_tuple(found.lower, found.upper, found.from, found.to, found.searches);
}

similarity_measure measure_of(const std::string& name) {
  if (name == "jaccard") return similarity_measure::jaccard;
  if (name == "overlap") return similarity_measure::overlap;
  if (name == "cosine") return similarity_measure::cosine;
  throw usage_error("similarity: the measure '" + name + "', needed jaccard, overlap or cosine");
}

std::unique_ptr<vector_handle> similarity(matrix_handle& graph, const std::vector<index_t>& from,
                                          const std::vector<index_t>& to,
                                          const std::string& measure, nb::handle progress) {
  const similarity_measure wanted = measure_of(measure);
  return handed(graph, run_on("similarity", graph, uses::pattern, progress, [&](const auto& m) {
                  return algorithms::similarity(m, from, to, wanted);
                }));
}

std::unique_ptr<matrix_handle> similar_pairs(matrix_handle& graph, const std::string& measure,
                                             double threshold, index_t top, nb::handle progress) {
  similar_pairs_options options;
  options.measure = measure_of(measure);
  options.threshold = threshold;
  options.top = top;
  auto found = run_on("similar_pairs", graph, uses::pattern, progress,
                      [&](const auto& m) { return algorithms::similar_pairs(m, options); });
  return handed(graph, std::move(found.value.base()));
}

double modularity(matrix_handle& graph, vector_handle& community, double resolution, truth weighted,
                  nb::handle progress) {
  call c("modularity");
  c.read(community);
  if (community.base.type->code != type_code::int64)
    c.refuse("the communities hold " + std::string(community.base.type->name) + ", needed int64");
  const vector<index_t> given(community.base);
  modularity_options options;
  options.resolution = resolution;
  options.weighted = weighted;
  return run_on(c, graph, used(weighted), progress,
                [&](const auto& m) { return algorithms::modularity(m, given, options); });
}

}  // namespace

void bind_algorithms(nb::module_& m) {
  m.def("bfs", bfs, nb::arg("graph"), nb::arg("source"), nb::arg("progress").none());
  m.def("sssp", sssp, nb::arg("graph"), nb::arg("source"), nb::arg("type").none(), nb::arg("delta"),
        nb::arg("parents"), nb::arg("limit"), nb::arg("progress").none());
  m.def("bfs_batch", bfs_batch, nb::arg("graph"), nb::arg("sources"), nb::arg("progress").none());
  m.def("sssp_between", sssp_between, nb::arg("graph"), nb::arg("sources"), nb::arg("targets"),
        nb::arg("type").none(), nb::arg("delta"), nb::arg("limit"), nb::arg("progress").none());
  m.def("pagerank", pagerank, nb::arg("graph"), nb::arg("damping"), nb::arg("tolerance"),
        nb::arg("max_iterations"), nb::arg("iterations").none(), nb::arg("weighted"),
        nb::arg("preference").none(), nb::arg("lose_dangling"), nb::arg("single"),
        nb::arg("progress").none());
  m.def("pagerank_batch", pagerank_batch, nb::arg("graph"), nb::arg("preferences"),
        nb::arg("damping"), nb::arg("tolerance"), nb::arg("max_iterations"),
        nb::arg("iterations").none(), nb::arg("weighted"), nb::arg("lose_dangling"),
        nb::arg("single"), nb::arg("progress").none());
  m.def("connected_components", connected_components, nb::arg("graph"), nb::arg("progress").none());
  m.def("triangle_count", triangle_count, nb::arg("graph"), nb::arg("progress").none());
  m.def("triangles_per_vertex", triangles_per_vertex, nb::arg("graph"), nb::arg("progress").none());
  m.def("strong_components", strong_components, nb::arg("graph"), nb::arg("progress").none());
  m.def("core_numbers", core_numbers, nb::arg("graph"), nb::arg("progress").none());
  m.def("local_clustering", local_clustering, nb::arg("graph"), nb::arg("progress").none());
  m.def("k_truss", k_truss, nb::arg("graph"), nb::arg("k"), nb::arg("progress").none());
  m.def("maximal_independent_set", maximal_independent_set, nb::arg("graph"), nb::arg("seed"),
        nb::arg("progress").none());
  m.def("greedy_coloring", greedy_coloring, nb::arg("graph"), nb::arg("seed"),
        nb::arg("progress").none());
  m.def("minimum_spanning_forest", minimum_spanning_forest, nb::arg("graph"),
        nb::arg("progress").none());
  m.def("betweenness", betweenness, nb::arg("graph"), nb::arg("sources").none(),
        nb::arg("normalized"), nb::arg("endpoints"), nb::arg("directed").none(),
        nb::arg("progress").none());
  m.def("closeness", closeness, nb::arg("graph"), nb::arg("wf_improved"),
        nb::arg("progress").none());
  m.def("eigenvector_centrality", eigenvector_centrality, nb::arg("graph"), nb::arg("tolerance"),
        nb::arg("max_iterations"), nb::arg("weighted"), nb::arg("progress").none());
  m.def("katz_centrality", katz_centrality, nb::arg("graph"), nb::arg("alpha"), nb::arg("beta"),
        nb::arg("tolerance"), nb::arg("max_iterations"), nb::arg("normalized"), nb::arg("weighted"),
        nb::arg("progress").none());
  m.def("hits", hits, nb::arg("graph"), nb::arg("tolerance"), nb::arg("max_iterations"),
        nb::arg("normalized"), nb::arg("weighted"), nb::arg("progress").none());
  m.def("label_propagation", label_propagation, nb::arg("graph"), nb::arg("iterations"),
        nb::arg("progress").none());
  m.def("louvain", louvain, nb::arg("graph"), nb::arg("resolution"), nb::arg("weighted"),
        nb::arg("progress").none());
  m.def("leiden", leiden, nb::arg("graph"), nb::arg("resolution"), nb::arg("weighted"),
        nb::arg("iterations"), nb::arg("progress").none());
  m.def("diameter", diameter, nb::arg("graph"), nb::arg("exact"), nb::arg("progress").none());
  m.def("similarity", similarity, nb::arg("graph"), nb::arg("sources"), nb::arg("targets"),
        nb::arg("measure"), nb::arg("progress").none());
  m.def("similar_pairs", similar_pairs, nb::arg("graph"), nb::arg("measure"), nb::arg("threshold"),
        nb::arg("top"), nb::arg("progress").none());
  m.def("modularity", modularity, nb::arg("graph"), nb::arg("community"), nb::arg("resolution"),
        nb::arg("weighted"), nb::arg("progress").none());
}

}  // namespace tropic::python
