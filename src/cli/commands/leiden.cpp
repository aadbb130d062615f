// SPDX-License-Identifier: Apache-2.0

// `tropic leiden`: connected communities of large modularity.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/leiden.hpp"
#include "cli/commands/component_labels.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct leiden_arguments {
  std::string file, communities;
  leiden_options leiden;
  trial_options trial;
};

exit_code run_leiden(const program& p, const leiden_arguments& o) {
  check_outputs(p, {o.communities}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.file, o.leiden.weighted));

  report r = start_report(p, "leiden", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::leiden(graph.matrix, o.leiden); },
      [](const leiden_result& result) { return result.community.dense(-1); });
  const leiden_result& result = found.result;
  const index_t largest = largest_of(found.values);
  r.seconds.run = found.seconds;
  r.iterations = result.iterations;
  r.extra["communities"] = result.communities;
  r.extra["largest"] = largest;
  r.extra["levels"] = result.levels;
  r.extra["modularity"] = result.modularity;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} communit{} in {} iteration{}, the largest has {} vertices\n",
                        grouped(result.communities), result.communities == 1 ? "y" : "ies",
                        result.iterations, result.iterations == 1 ? "" : "s", grouped(largest));
  r.text += fmt::format("quality  modularity {:.6f}\n", result.modularity);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "communities", algorithms::verify_leiden(graph.matrix, result, o.leiden),
               found.alike);
  const written outputs =
      write_outputs(p, graph.vertices, {{o.communities, [&](auto& to, std::size_t v) {
                                           graph.vertices.append(to, found.values[v]);
                                         }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_leiden(CLI::App& app, program& p) {
  auto o = std::make_shared<leiden_arguments>();
  command cmd(app, p, "leiden",
              "connected communities of large modularity, by the method of Leiden",
              {.device = true, .reading = true, .type = true},
              {"tropic leiden kron:12 --verify",
               "tropic leiden graph.mtx --weighted --output communities.txt",
               "tropic leiden grid:50 --resolution 2 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->communities,
           "write `vertex community` lines; a community is its first vertex");
  cmd.number<double>("--resolution", o->leiden.resolution,
                     "above 1 for more communities, below 1 for fewer [1]", 0);
  cmd.flag("--weighted", o->leiden.weighted, "count edges by their weights");
  cmd.number<index_t>("--iterations", o->leiden.iterations,
                      "repeat until no vertex moves, N times at most [10]", 1);
  add_trial_options(
      cmd, o->trial,
      "check the modularity, that no two communities unite, and that each is connected");
  cmd.runs([&p, o] { return run_leiden(p, *o); });
}

}  // namespace tropic::cli
