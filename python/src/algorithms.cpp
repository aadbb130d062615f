// SPDX-License-Identifier: Apache-2.0

// The algorithms of src/algorithms. One more takes a function here, which runs it by run_on, and a
// function in python/tropic/_algorithms.py.

#include "algorithms/bfs.hpp"
#include "algorithms/connected_components.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/sssp.hpp"
#include "algorithms/triangle_count.hpp"
#include "algorithms/values.hpp"
#include "core.hpp"

namespace tropic::python {

namespace {

using algorithms::any_graph;

enum class uses { values, pattern };

// work(matrix) without the GIL, on the graph or on its pattern, which is kept with it.
template <class F>
auto run_on(const char* name, matrix_handle& graph, uses what, nb::handle progress, F&& work) {
  call c(name);
  c.read(graph);
  if (what == uses::pattern && !graph.pattern) {
    // A second thread may be here as well: the first pattern stays.
    auto made = c.run(*graph.of, [&] { return algorithms::pattern_of(graph.base()); });
    if (!graph.pattern) graph.pattern.emplace(std::move(made));
  }
  const detail::matrix_base input = what == uses::pattern ? *graph.pattern : graph.base();
  return c.run(*graph.of, progress, [&] { return work(input); });
}

std::unique_ptr<vector_handle> handed(const matrix_handle& graph, detail::vector_base base) {
  return std::make_unique<vector_handle>(graph.of, std::move(base));
}
template <class T>
std::unique_ptr<vector_handle> handed(const matrix_handle& graph, vector<T>&& result) {
  return handed(graph, std::move(result.base()));
}

nb::tuple bfs(matrix_handle& graph, index_t source, nb::handle progress) {
  auto found = run_on("bfs", graph, uses::pattern, progress,
                      [&](const auto& m) { return algorithms::bfs(any_graph(m), source); });
  return nb::make_tuple(handed(graph, std::move(found.level)),
                        handed(graph, std::move(found.parent)), found.depth, found.reached);
}

nb::tuple sssp(matrix_handle& graph, index_t source, std::optional<int> type, double delta,
               bool parents, nb::handle progress) {
  const type_code distances =
      type ? type_of(*type).code : algorithms::distance_type_of(graph.changes.type().code);
  sssp_options options;
  options.delta = delta;
  options.parents = parents;
  auto found = run_on("shortest_paths", graph, uses::values, progress, [&](const auto& m) {
    return algorithms::sssp(any_graph(m), distances, source, options);
  });
  return nb::make_tuple(handed(graph, std::move(found.distance)),
                        handed(graph, std::move(found.parent)), found.steps, found.saturated);
}

nb::tuple pagerank(matrix_handle& graph, double damping, double tolerance, index_t max_iterations,
                   std::optional<index_t> iterations, bool weighted, vector_handle* preference,
                   nb::handle progress) {
  pagerank_options options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.iterations = iterations;
  options.weighted = weighted;
  std::optional<vector<double>> to;
  if (preference != nullptr) {
    if (preference->base.type->code != type_code::fp64)
      throw usage_error("pagerank: the preferences hold " +
                        std::string(preference->base.type->name) + ", needed fp64");
    to.emplace(preference->base);
  }
  auto found = run_on("pagerank", graph, weighted ? uses::values : uses::pattern, progress,
                      [&](const auto& m) {
                        return algorithms::pagerank(any_graph(m), to ? &*to : nullptr, options);
                      });
  return nb::make_tuple(handed(graph, std::move(found.rank)), found.iterations, found.change,
                        found.converged);
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

}  // namespace

void bind_algorithms(nb::module_& m) {
  m.def("bfs", bfs, nb::arg("graph"), nb::arg("source"), nb::arg("progress").none());
  m.def("sssp", sssp, nb::arg("graph"), nb::arg("source"), nb::arg("type").none(), nb::arg("delta"),
        nb::arg("parents"), nb::arg("progress").none());
  m.def("pagerank", pagerank, nb::arg("graph"), nb::arg("damping"), nb::arg("tolerance"),
        nb::arg("max_iterations"), nb::arg("iterations").none(), nb::arg("weighted"),
        nb::arg("preference").none(), nb::arg("progress").none());
  m.def("connected_components", connected_components, nb::arg("graph"), nb::arg("progress").none());
  m.def("triangle_count", triangle_count, nb::arg("graph"), nb::arg("progress").none());
  m.def("triangles_per_vertex", triangles_per_vertex, nb::arg("graph"), nb::arg("progress").none());
}

}  // namespace tropic::python
