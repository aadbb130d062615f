// SPDX-License-Identifier: Apache-2.0

// `tropic spanning-forest`: the minimum spanning forest of a graph.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/minimum_spanning_forest.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/edges.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct spanning_forest_arguments {
  std::string file, edges;
  trial_options trial;
};

std::string lines_of(const vertex_names& vertices, const detail::matrix_base& forest) {
  return with_builtin_type(forest.type->code,
                           [&]<class T>() { return edge_lines(vertices, matrix<T>(forest)); });
}

exit_code run_spanning_forest(const program& p, const spanning_forest_arguments& o) {
  check_outputs(p, {o.edges}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, sssp_input(o.file));

  report r = start_report(p, "spanning-forest", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::minimum_spanning_forest(graph.matrix); },
      [&](const auto& result) { return lines_of(graph.vertices, result.forest); });
  const algorithms::any_spanning_forest_result& result = found.result;
  r.seconds.run = found.seconds;
  r.iterations = result.rounds;
  r.extra["type"] = graph.matrix.type->name;
  r.extra["edges"] = result.edges;
  r.extra["trees"] = result.trees;
  r.extra["weight"] = result.weight;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} edge{} in {} tree{}, weight {}\n", grouped(result.edges),
                        result.edges == 1 ? "" : "s", grouped(result.trees),
                        result.trees == 1 ? "" : "s", result.weight);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "forest",
               algorithms::verify_minimum_spanning_forest(graph.matrix, result), found.alike);
  if (o.edges.empty()) return finish(p, r);
  return finish(p, r, write_text(p, o.edges, found.values));
}

}  // namespace

void add_spanning_forest(CLI::App& app, program& p) {
  auto o = std::make_shared<spanning_forest_arguments>();
  command cmd(app, p, "spanning-forest",
              "minimum spanning forest: the lightest edges that keep components connected",
              {.device = true, .reading = true, .type = true},
              {"tropic spanning-forest kron:12 --verify",
               "tropic spanning-forest graph.mtx --type fp32 --output edges.txt",
               "tropic spanning-forest grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->edges, "write `from to weight` lines");
  add_trial_options(cmd, o->trial, "check against a serial search");
  cmd.runs([&p, o] { return run_spanning_forest(p, *o); });
}

}  // namespace tropic::cli
