// SPDX-License-Identifier: Apache-2.0

// `tropic bench bfs`, `tropic bench sssp` and `tropic bench pagerank`: the commands.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/bfs.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/sssp.hpp"
#include "cli/bench/gap.hpp"
#include "cli/commands/sssp.hpp"
#include "cli/input/graph_input.hpp"

namespace tropic::cli {

namespace {

class benched_bfs : public benched_algorithm {
 public:
  explicit benched_bfs(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(index_t source) override { result_.emplace(algorithms::bfs(graph_, source)); }
  trial_facts look(index_t source, bool verify) override {
    const bfs_result result = std::move(*std::exchange(result_, std::nullopt));
    const std::vector<index_t> level = result.level.dense(-1);
    return {result.depth + 1, edges_of([&](std::size_t v) { return level[v] >= 0; }),
            verify ? algorithms::verify_bfs(graph_, source, result) : ""};
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
  void run(index_t source) override {
    result_.emplace(algorithms::sssp(graph_, type_, source, options_));
    // The width belongs to the graph: GAP allows to choose it once, outside the time.
    options_.delta = result_->delta;
  }
  trial_facts look(index_t source, bool verify) override {
    const algorithms::any_sssp_result result = std::move(*std::exchange(result_, std::nullopt));
    return with_distance_type<trial_facts>(
        type_, [&]<class D>() { return look_at<D>(result, source, verify); });
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
  void run(index_t) override { result_.emplace(algorithms::pagerank(graph_, nullptr, options_)); }
  trial_facts look(index_t, bool verify) override {
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

struct bench_arguments {
  graph_bench_options common;
  double delta = 0;
  std::optional<type_code> distances;
  pagerank_options pagerank{.tolerance = 1e-4};  // GAP's
};

exit_code bench_bfs(const program& p, const bench_arguments& o) {
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.common.file));
  return run_graph_bench(p, where, graph, o.common,
                         {.name = "bfs", .check = "levels_and_parents", .make = [](const auto& a) {
                            return std::make_unique<benched_bfs>(a);
                          }});
}

exit_code bench_sssp(const program& p, const bench_arguments& o) {
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
      {.name = "pagerank", .check = "ranks", .sources = false, .make = [&](const auto& a) {
         return std::make_unique<benched_pagerank>(a, o.pagerank);
       }});
}

}  // namespace

void add_bench_bfs(CLI::App& bench, program& p) {
  auto o = std::make_shared<bench_arguments>();
  command cmd(bench, p, "bfs", "breadth-first search by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true},
              {"tropic bench bfs kron:14 --device cpu --profile",
               "tropic bench bfs graph.mtx --sources 16 --json"});
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, true);
  cmd.runs([&p, o] { return bench_bfs(p, *o); });
}

void add_bench_sssp(CLI::App& bench, program& p) {
  auto o = std::make_shared<bench_arguments>();
  command cmd(bench, p, "sssp", "shortest paths by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true},
              {"tropic bench sssp roads.gr --sources 8 --profile",
               "tropic bench sssp kron:12 --type fp32 --no-verify --json",
               "tropic bench sssp kron:14 --distances int32"});
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, true);
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
  add_graph_bench_options(cmd, o->common, false);
  cmd.number<double>("--damping", o->pagerank.damping, "probability of following an edge [0.85]", 0,
                     1);
  cmd.number<double>("--tolerance", o->pagerank.tolerance,
                     "stop when the ranks change by less than X in sum [1e-4]", 0);
  cmd.number<index_t>("--max-iterations", o->pagerank.max_iterations,
                      "stop after N iterations [100]", 0);
  cmd.flag("--lose-dangling", o->pagerank.lose_dangling,
           "leave the rank of vertices without outgoing edges out, as GAP's code does");
  cmd.flag("--single", o->pagerank.single, "compute with ranks of fp32, as GAP's code does");
  cmd.runs([&p, o] { return bench_pagerank(p, *o); });
}

}  // namespace tropic::cli
