// SPDX-License-Identifier: Apache-2.0

// `tropic bench bfs`, `tropic bench sssp` and `tropic bench pagerank`: the commands.

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/algorithms/verify/pagerank.hpp>

#include <optional>
#include <utility>

#include "cli/bench/gap.hpp"
#include "cli/commands/sssp_run.hpp"
#include "cli/input/graph_input.hpp"

namespace tropic::cli {

namespace {

class benched_bfs : public benched_algorithm {
 public:
  explicit benched_bfs(const detail::matrix_base& graph)
      : benched_algorithm(graph), graph_(graph) {}
  void run(index_t source) override { result_.emplace(bfs(graph_, source)); }
  trial_facts look(index_t source, bool verify) override {
    const bfs_result result = std::move(*std::exchange(result_, std::nullopt));
    const std::vector<index_t> level = result.level.dense(-1);
    return {result.depth + 1, edges_of([&](std::size_t v) { return level[v] >= 0; }),
            verify ? verify_bfs(graph_, source, result) : ""};
  }

 private:
  matrix<bool> graph_;
  std::optional<bfs_result> result_;
};

// Edges traversed: all of them in every iteration.
class benched_pagerank : public benched_algorithm {
 public:
  benched_pagerank(const detail::matrix_base& graph, const pagerank_options& options)
      : benched_algorithm(graph), graph_(graph), options_(options) {}
  void run(index_t) override { result_.emplace(pagerank(graph_, options_)); }
  trial_facts look(index_t, bool verify) override {
    const pagerank_result result = std::move(*std::exchange(result_, std::nullopt));
    const double edges = edges_of([](std::size_t) { return true; });
    converged_ = result.converged;
    return {result.iterations, edges * static_cast<double>(result.iterations),
            verify ? verify_pagerank(graph_, result, options_) : ""};
  }
  void add_to(report& r) const override {
    r.extra["damping"] = options_.damping;
    r.extra["tolerance"] = options_.tolerance;
    r.extra["converged"] = converged_;
    if (!converged_) r.text += fmt::format("NOT CONVERGED to {:g}\n", options_.tolerance);
  }

 private:
  matrix<bool> graph_;
  pagerank_options options_;
  std::optional<pagerank_result> result_;
  bool converged_ = false;
};

struct options {
  graph_bench_options common;
  double delta = 0;
  std::optional<type_code> distances;
  pagerank_options pagerank{.tolerance = 1e-4};  // GAP's
};

exit_code run_bfs(const program& p, const options& o) {
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.common.file));
  return run_graph_bench(p, where, graph, o.common,
                         {.name = "bfs", .check = "levels_and_parents", .make = [](const auto& a) {
                            return std::make_unique<benched_bfs>(a);
                          }});
}

exit_code run_sssp(const program& p, const options& o) {
  const context where = p.make_context();
  const loaded graph = load(p, where, sssp_input(o.common.file));
  using algorithm = std::unique_ptr<benched_algorithm>;
  const auto make = [&](const detail::matrix_base& a) -> algorithm {
    return with_distance_types<algorithm>(a.type->code, o.distances, [&]<class D, class T>() {
      return make_benched_sssp<D, T>(a, o.delta);
    });
  };
  return naming_vertices(p, o.common.file, graph.vertices, [&] {
    return run_graph_bench(p, where, graph, o.common,
                           {.name = "sssp", .check = "shortest_paths", .make = make});
  });
}

exit_code run_pagerank(const program& p, const options& o) {
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
  auto o = std::make_shared<options>();
  command cmd(bench, p, "bfs", "breadth-first search by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true},
              {"tropic bench bfs kron:14 --device cpu --profile",
               "tropic bench bfs graph.mtx --sources 16 --json"});
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, true);
  cmd.runs([&p, o] { return run_bfs(p, *o); });
}

void add_bench_sssp(CLI::App& bench, program& p) {
  auto o = std::make_shared<options>();
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
    return run_sssp(p, *o);
  });
}

void add_bench_pagerank(CLI::App& bench, program& p) {
  auto o = std::make_shared<options>();
  command cmd(bench, p, "pagerank", "PageRank by the rules of the GAP benchmark suite",
              {.device = true, .reading = true, .type = true},
              {"tropic bench pagerank kron:14 --device cpu --trials 4 --profile",
               "tropic bench pagerank graph.mtx --tolerance 1e-6 --json"});
  cmd.argument("FILE", o->common.file, file_help);
  add_graph_bench_options(cmd, o->common, false);
  cmd.number<double>("--damping", o->pagerank.damping, "probability of following an edge [0.85]", 0,
                     1);
  cmd.number<double>("--tolerance", o->pagerank.tolerance,
                     "stop when the ranks change by less than X in sum [1e-4]", 0);
  cmd.number<index_t>("--max-iterations", o->pagerank.max_iterations,
                      "stop after N iterations [100]", 0);
  cmd.runs([&p, o] { return run_pagerank(p, *o); });
}

}  // namespace tropic::cli
