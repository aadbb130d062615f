// SPDX-License-Identifier: Apache-2.0

// `tropic closeness`, `tropic eigenvector`, `tropic katz` and `tropic hits`: a value for every
// vertex, each by its own definition, with one report.

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tropic/error.hpp>

#include "algorithms/centrality.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/top.hpp"

namespace tropic::cli {

namespace {

// Those of every command; each uses the algorithm's options of its own. Where the defaults of
// NetworkX fail on common graphs, those of the program differ (docs/centrality.md).
struct centrality_arguments {
  std::string file, values, authorities;
  closeness_options closeness;
  eigenvector_options eigenvector{.max_iterations = 10000};
  katz_options katz{.alpha = 0.001};
  hits_options hits{.max_iterations = 10000};
  permute_options permute;
  trial_options trial;
};

// Results as the report shows them.
const vector<double>& values_of(const closeness_result& r) {
  return r.centrality;
}
const vector<double>& values_of(const power_result& r) {
  return r.centrality;
}
const vector<double>& values_of(const hits_result& r) {
  return r.hubs;
}
index_t rounds_of(const closeness_result& r) {
  return r.batches;
}
index_t rounds_of(const power_result& r) {
  return r.iterations;
}
index_t rounds_of(const hits_result& r) {
  return r.iterations;
}

// A command: its name, what one round and several are called, and the name of a value.
struct shown {
  const char* command;
  const char* round;
  const char* rounds;
  const char* value;
};

template <class Run, class Verify>
exit_code run_on(const program& p, const centrality_arguments& o, bool weighted, const shown& text,
                 const Run& run, const Verify& verify) {
  check_outputs(p, {o.values, o.authorities}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.file, weighted));

  report r = start_report(p, text.command, where, graph);
  const permute_options permute =
      chosen(o.permute, graph.matrix,
             {.a_bytes = weighted ? graph.matrix.type->size : 0, .x_bytes = 8, .z_bytes = 8},
             50 * o.trial.trials);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return run(input); },
      [](const auto& result) { return values_of(result).dense(-1); });
  r.seconds.run = found.seconds;
  r.iterations = rounds_of(found.result);

  r.text = headline(o.file, r, where);
  r.text += fmt::format("{:<8} {} {}\n", text.command, grouped(*r.iterations),
                        *r.iterations == 1 ? text.round : text.rounds);
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, text.command, verify(input, found.result), found.alike);
  r.text += top_ten(graph.vertices, found.values, text.value, r.extra["top"]);
  std::vector<double> authorities;
  if constexpr (std::is_same_v<std::decay_t<decltype(found.result)>, hits_result>) {
    authorities = found.result.authorities.dense(-1);
    r.text += top_ten(graph.vertices, authorities, "authority", r.extra["top_authorities"]);
  }
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.values, [&](auto& to, std::size_t v) { append(to, found.values[v]); }},
       {o.authorities, [&](auto& to, std::size_t v) { append(to, authorities[v]); }}});
  return finish(p, r, outputs);
}

template <class Options>
void add_power_options(command& cmd, Options& target, const std::string& tolerance,
                       const std::string& iterations) {
  cmd.number<double>("--tolerance", target.tolerance, tolerance, 0);
  cmd.number<index_t>("--max-iterations", target.max_iterations, iterations, 0);
  cmd.flag("--weighted", target.weighted, "multiply by the weights of the edges");
}

void add_rest(command& cmd, centrality_arguments& o, const std::string& verify) {
  add_permute_options(cmd, o.permute);
  add_trial_options(cmd, o.trial, verify);
}

}  // namespace

void add_closeness(CLI::App& app, program& p) {
  auto o = std::make_shared<centrality_arguments>();
  command cmd(
      app, p, "closeness", "closeness centrality: the inverse of the mean distance to each vertex",
      {.device = true, .reading = true, .type = true},
      {"tropic closeness grid:30 --verify", "tropic closeness graph.mtx --output closeness.txt",
       "tropic closeness kron:10 --within-component --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->values, "write `vertex closeness` lines");
  auto within = std::make_shared<bool>(false);
  cmd.flag("--within-component", *within,
           "do not scale by the share of vertices that reach the vertex");
  add_rest(cmd, *o, "check against a serial search from every vertex");
  cmd.runs([&p, o, within] {
    o->closeness.wf_improved = !*within;
    return run_on(
        p, *o, false, {"closeness", "batch of 64 searches", "batches of 64 searches", "closeness"},
        [&](const auto& graph) { return algorithms::closeness(graph, o->closeness); },
        [&](const auto& graph, const auto& result) {
          return algorithms::verify_closeness(graph, result, o->closeness);
        });
  });
}

void add_eigenvector(CLI::App& app, program& p) {
  auto o = std::make_shared<centrality_arguments>();
  command cmd(app, p, "eigenvector",
              "eigenvector centrality: large where neighbours have large values",
              {.device = true, .reading = true, .type = true},
              {"tropic eigenvector kron:12 --verify",
               "tropic eigenvector graph.mtx --weighted --output values.txt",
               "tropic eigenvector grid:10 --max-iterations 1000 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->values, "write `vertex value` lines");
  add_power_options(cmd, o->eigenvector, "stop when the mean change of a value is below X [1e-6]",
                    "fail after N iterations [10000]");
  add_rest(cmd, *o, "check against serial iterations");
  cmd.runs([&p, o] {
    return run_on(
        p, *o, o->eigenvector.weighted, {"eigenvector", "iteration", "iterations", "value"},
        [&](const auto& graph) {
          return algorithms::eigenvector_centrality(graph, o->eigenvector);
        },
        [&](const auto& graph, const auto& result) {
          return algorithms::verify_eigenvector_centrality(graph, result, o->eigenvector);
        });
  });
}

void add_katz(CLI::App& app, program& p) {
  auto o = std::make_shared<centrality_arguments>();
  command cmd(app, p, "katz",
              "Katz centrality: the number of walks that end at each vertex, damped",
              {.device = true, .reading = true, .type = true},
              {"tropic katz kron:12 --alpha 0.001 --verify",
               "tropic katz graph.mtx --alpha 0.01 --output values.txt",
               "tropic katz grid:30 --alpha 0.2 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->values, "write `vertex value` lines");
  cmd.number<double>("--alpha", o->katz.alpha,
                     "factor of an edge, below 1 / the largest eigenvalue [0.001]", 0);
  cmd.number<double>("--beta", o->katz.beta, "value of a vertex without incoming edges [1]", 0);
  auto raw = std::make_shared<bool>(false);
  cmd.flag("--raw", *raw, "do not scale the values to length 1");
  add_power_options(cmd, o->katz, "stop when the mean change of a value is below X [1e-6]",
                    "fail after N iterations [1000]");
  add_rest(cmd, *o, "check against serial iterations");
  cmd.runs([&p, o, raw] {
    o->katz.normalized = !*raw;
    return run_on(
        p, *o, o->katz.weighted, {"katz", "iteration", "iterations", "value"},
        [&](const auto& graph) { return algorithms::katz_centrality(graph, o->katz); },
        [&](const auto& graph, const auto& result) {
          return algorithms::verify_katz_centrality(graph, result, o->katz);
        });
  });
}

void add_hits(CLI::App& app, program& p) {
  auto o = std::make_shared<centrality_arguments>();
  command cmd(app, p, "hits", "hubs and authorities: good hubs point to good authorities",
              {.device = true, .reading = true, .type = true},
              {"tropic hits kron:12 --verify",
               "tropic hits graph.mtx --output hubs.txt --authorities authorities.txt",
               "tropic hits grid:10 --max-iterations 1000 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->values, "write `vertex hub` lines");
  cmd.text("--authorities", "FILE", o->authorities, "write `vertex authority` lines");
  add_power_options(cmd, o->hits, "stop when the changes of all hubs add up to less than X [1e-8]",
                    "fail after N iterations [10000]");
  add_rest(cmd, *o, "check against serial iterations");
  cmd.runs([&p, o] {
    return run_on(
        p, *o, o->hits.weighted, {"hits", "iteration", "iterations", "hub"},
        [&](const auto& graph) { return algorithms::hits(graph, o->hits); },
        [&](const auto& graph, const auto& result) {
          return algorithms::verify_hits(graph, result, o->hits);
        });
  });
}

}  // namespace tropic::cli
