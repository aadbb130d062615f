// SPDX-License-Identifier: Apache-2.0

// `tropic bench ALGORITHM`: the commands of the six algorithms of the GAP benchmark suite, and of
// core numbers.

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/betweenness.hpp"
#include "algorithms/bfs.hpp"
#include "algorithms/connected_components.hpp"
#include "algorithms/core_numbers.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/sssp.hpp"
#include "algorithms/triangle_count.hpp"
#include "cli/bench/gap.hpp"
#include "cli/commands/component_labels.hpp"
#include "cli/commands/sssp.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/input/vertex_lines.hpp"

namespace tropic::cli {

namespace {

class benched_bfs : public benched_algorithm {
 public:
  explicit benched_bfs(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(std::span<const index_t> sources) override {
    result_.emplace(algorithms::bfs(graph_, sources[0]));
  }
  trial_facts look(std::span<const index_t> sources, bool verify) override {
    const bfs_result result = std::move(*std::exchange(result_, std::nullopt));
    const std::vector<index_t> level = result.level.dense(-1);
    return {result.depth + 1, edges_of([&](std::size_t v) { return level[v] >= 0; }),
            verify ? algorithms::verify_bfs(graph_, sources[0], result) : ""};
  }

 private:
  algorithms::any_graph graph_;
  std::optional<bfs_result> result_;
};

// Distances without parents are timed, as in GAP. The verifier needs parents: another run finds
// them, and its distances must equal those of the first.
class benched_sssp : public benched_algorithm {
 public:
  benched_sssp(const detail::matrix_base& graph, type_code distances, double delta)
      : benched_algorithm(graph), graph_(graph), type_(distances) {
    options_.delta = delta;
    options_.parents = false;
  }
  void run(std::span<const index_t> sources) override {
    result_.emplace(algorithms::sssp(graph_, type_, sources[0], options_));
    // The width belongs to the graph: GAP allows to choose it once, outside the time.
    options_.delta = result_->delta;
  }
  trial_facts look(std::span<const index_t> sources, bool verify) override {
    const algorithms::any_sssp_result result = std::move(*std::exchange(result_, std::nullopt));
    return with_distance_type<trial_facts>(
        type_, [&]<class D>() { return look_at<D>(result, sources[0], verify); });
  }
  void add_to(report& r) const override {
    r.extra["delta"] = options_.delta;
    r.extra["type"] = describe(type_).name;
  }

 private:
  template <class D>
  trial_facts look_at(const algorithms::any_sssp_result& result, index_t source, bool verify) {
    constexpr D unreached = arithmetic::largest<D>();
    const std::vector<D> distance = vector<D>(result.distance).dense(unreached);
    trial_facts facts{result.steps,
                      edges_of([&](std::size_t v) { return distance[v] != unreached; })};
    if (!verify) return facts;
    sssp_options with_parents = options_;
    with_parents.parents = true;
    const algorithms::any_sssp_result again = algorithms::sssp(graph_, type_, source, with_parents);
    facts.complaint = vector<D>(again.distance).dense(unreached) == distance
                          ? algorithms::verify_sssp(graph_, source, again, {})
                          : "a second run gives other distances";
    return facts;
  }

  algorithms::any_graph graph_;
  type_code type_;
  sssp_options options_;
  std::optional<algorithms::any_sssp_result> result_;
};

// Edges traversed: all of them in every iteration.
class benched_pagerank : public benched_algorithm {
 public:
  benched_pagerank(const detail::matrix_base& graph, const pagerank_options& options)
      : benched_algorithm(graph), graph_(graph), options_(options) {}
  void run(std::span<const index_t>) override {
    result_.emplace(algorithms::pagerank(graph_, nullptr, options_));
  }
  trial_facts look(std::span<const index_t>, bool verify) override {
    const pagerank_result result = std::move(*std::exchange(result_, std::nullopt));
    const double edges = edges_of([](std::size_t) { return true; });
    converged_ = result.converged;
    return {result.iterations, edges * static_cast<double>(result.iterations),
            verify ? algorithms::verify_pagerank(graph_, result, options_) : ""};
  }
  void add_to(report& r) const override {
    r.extra["damping"] = options_.damping;
    r.extra["tolerance"] = options_.tolerance;
    r.extra["lose_dangling"] = options_.lose_dangling;
    r.extra["single"] = options_.single;
    r.extra["converged"] = converged_;
    if (!converged_) r.text += fmt::format("NOT CONVERGED to {:g}\n", options_.tolerance);
  }

 private:
  algorithms::any_graph graph_;
  pagerank_options options_;
  std::optional<pagerank_result> result_;
  bool converged_ = false;
};

// Edges traversed: all of them, once.
class benched_components : public benched_algorithm {
 public:
  explicit benched_components(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(std::span<const index_t>) override {
    result_.emplace(algorithms::connected_components(graph_));
  }
  trial_facts look(std::span<const index_t>, bool verify) override {
    const components_result result = std::move(*std::exchange(result_, std::nullopt));
    components_ = result.components;
    return {passes_of(result.rounds), edges_of([](std::size_t) { return true; }),
            verify ? algorithms::verify_connected_components(graph_, result) : ""};
  }
  void add_to(report& r) const override { r.extra["components"] = components_; }

 private:
  algorithms::any_graph graph_;
  std::optional<components_result> result_;
  index_t components_ = 0;
};

// Edges traversed: all of them, once. Ordering the vertices is part of the time.
class benched_triangles : public benched_algorithm {
 public:
  explicit benched_triangles(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(std::span<const index_t>) override { count_ = algorithms::triangle_count(graph_); }
  trial_facts look(std::span<const index_t>, bool verify) override {
    return {1, edges_of([](std::size_t) { return true; }),
            verify ? algorithms::verify_triangle_count(graph_, count_) : ""};
  }
  void add_to(report& r) const override { r.extra["triangles"] = count_; }

 private:
  detail::matrix_base graph_;
  std::int64_t count_ = 0;
};

// Edges traversed: all of them, once.
class benched_cores : public benched_algorithm {
 public:
  explicit benched_cores(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(std::span<const index_t>) override { result_.emplace(algorithms::core_numbers(graph_)); }
  trial_facts look(std::span<const index_t>, bool verify) override {
    const core_numbers_result result = std::move(*std::exchange(result_, std::nullopt));
    degeneracy_ = result.degeneracy;
    return {result.rounds, edges_of([](std::size_t) { return true; }),
            verify ? algorithms::verify_core_numbers(graph_, result) : ""};
  }
  void add_to(report& r) const override { r.extra["degeneracy"] = degeneracy_; }

 private:
  algorithms::any_graph graph_;
  std::optional<core_numbers_result> result_;
  index_t degeneracy_ = 0;
};

// Edges traversed: all of them for every source. An iteration is a source.
class benched_betweenness : public benched_algorithm {
 public:
  explicit benched_betweenness(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(std::span<const index_t> sources) override {
    options_.sources.emplace(sources.begin(), sources.end());
    result_.emplace(algorithms::betweenness(graph_, options_));
  }
  trial_facts look(std::span<const index_t>, bool verify) override {
    const betweenness_result result = std::move(*std::exchange(result_, std::nullopt));
    const double edges = edges_of([](std::size_t) { return true; });
    return {result.sources, edges * static_cast<double>(result.sources),
            verify ? algorithms::verify_betweenness(graph_, result, options_) : ""};
  }

 private:
  algorithms::any_graph graph_;
  betweenness_options options_;
  std::optional<betweenness_result> result_;
};

// What GAP runs a trial of betweenness from.
constexpr int betweenness_sources = 4;

struct bench_arguments {
  graph_bench_options common;
  double delta = 0;
  std::optional<type_code> distances;
  pagerank_options pagerank{.tolerance = 1e-4};  // GAP's
};

// The benchmark of an algorithm that reads the pattern alone and has no options of its own.
template <class Benched>
exit_code bench_pattern(const program& p, const bench_arguments& o, const char* name,
                        const char* check, int sources) {
  check_vertex_file("--from", o.common.from, o.common.file);
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.common.file));
  return run_graph_bench(
      p, where, graph, o.common,
      {.name = name, .check = check, .sources = sources, .make = [](const auto& a) {
         return std::make_unique<Benched>(a);
       }});
}

exit_code bench_sssp(const program& p, const bench_arguments& o) {
  check_vertex_file("--from", o.common.from, o.common.file);
  const context where = p.make_context();
  const loaded graph = load(p, where, sssp_input(o.common.file));
  const auto make = [&](const detail::matrix_base& a) {
    return std::make_unique<benched_sssp>(a, distances_over(a.type->code, o.distances), o.delta);
  };
  return naming_vertices(p, o.common.file, graph.vertices, [&] {
    return run_graph_bench(p, where, graph, o.common,
                           {.name = "sssp", .check = "shortest_paths", .make = make});
  });
}

exit_code bench_pagerank(const program& p, const bench_arguments& o) {
  detail::check(o.pagerank);
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.common.file, false));
  return run_graph_bench(
      p, where, graph, o.common,
      {.name = "pagerank", .check = "ranks", .sources = 0, .make = [&](const auto& a) {
         return std::make_unique<benched_pagerank>(a, o.pagerank);
       }});
}

// Adds the command of such an algorithm.
template <class Benched>
void add_pattern(CLI::App& bench, program& p, const char* name, const std::string& what,
                 const char* check, int sources, const std::vector<std::string>& examples) {
  auto o = std::make_shared<bench_arguments>();
  command cmd(bench, p, name, what + " by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true}, examples);
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, sources);
  cmd.runs([=, &p] { return bench_pattern<Benched>(p, *o, name, check, sources); });
}

}  // namespace

void add_bench_bfs(CLI::App& bench, program& p) {
  add_pattern<benched_bfs>(bench, p, "bfs", "breadth-first search", "levels_and_parents", 1,
                           {"tropic bench bfs kron:14 --device cpu --profile",
                            "tropic bench bfs graph.mtx --sources 16 --json"});
}

void add_bench_sssp(CLI::App& bench, program& p) {
  auto o = std::make_shared<bench_arguments>();
  command cmd(bench, p, "sssp", "shortest paths by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true},
              {"tropic bench sssp roads.gr --sources 8 --profile",
               "tropic bench sssp kron:12 --type fp32 --no-verify --json",
               "tropic bench sssp kron:14 --distances int32"});
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, 1);
  cmd.number<double>("--delta", o->delta, "width of a bucket; 0: chosen in the untimed run", 0);
  cmd.word("--distances", "TYPE", distances_help,
           [o](const std::string& name) { o->distances = type_named(name, "--distances"); });
  cmd.runs([&p, o] {
    settle_types(p, o->distances);
    return bench_sssp(p, *o);
  });
}

void add_bench_pagerank(CLI::App& bench, program& p) {
  auto o = std::make_shared<bench_arguments>();
  command cmd(bench, p, "pagerank", "PageRank by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true},
              {"tropic bench pagerank kron:14 --device cpu --trials 4 --profile",
               "tropic bench pagerank graph.mtx --lose-dangling --single --json"});
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, 0);
  cmd.number<double>("--damping", o->pagerank.damping, "probability of following an edge [0.85]", 0,
                     1);
  cmd.number<double>("--tolerance", o->pagerank.tolerance,
                     "stop when the changes of all ranks add up to at most X [1e-4]", 0);
  cmd.number<index_t>("--max-iterations", o->pagerank.max_iterations,
                      "stop after N iterations [100]", 0);
  cmd.flag("--lose-dangling", o->pagerank.lose_dangling,
           "drop the rank of vertices without outgoing edges, as GAP's code does");
  cmd.flag("--single", o->pagerank.single, "compute with ranks of fp32, as GAP's code does");
  cmd.runs([&p, o] { return bench_pagerank(p, *o); });
}

void add_bench_components(CLI::App& bench, program& p) {
  add_pattern<benched_components>(bench, p, "components", "connected components", "labels", 0,
                                  {"tropic bench components kron:14 --device cpu --trials 4",
                                   "tropic bench components graph.mtx --json"});
}

void add_bench_betweenness(CLI::App& bench, program& p) {
  add_pattern<benched_betweenness>(bench, p, "betweenness", "betweenness from four vertices",
                                   "betweenness", betweenness_sources,
                                   {"tropic bench betweenness kron:10 --trials 2 --profile",
                                    "tropic bench betweenness graph.mtx --seed 3 --json"});
}

void add_bench_triangles(CLI::App& bench, program& p) {
  add_pattern<benched_triangles>(bench, p, "triangles", "number of triangles", "triangles", 0,
                                 {"tropic bench triangles kron:12 --trials 3",
                                  "tropic bench triangles graph.mtx --profile --json"});
}

void add_bench_cores(CLI::App& bench, program& p) {
  add_pattern<benched_cores>(
      bench, p, "cores", "core numbers", "cores", 0,
      {"tropic bench cores kron:12 --trials 3", "tropic bench cores graph.mtx --profile --json"});
}

}  // namespace tropic::cli
