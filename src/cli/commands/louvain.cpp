// SPDX-License-Identifier: Apache-2.0

// `tropic louvain`: communities of large modularity.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/louvain.hpp"
#include "cli/commands/component_labels.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, communities;
  modularity_options modularity;
  trial_options trial;
};

exit_code run(const program& p, const options& o) {
  check_outputs(p, {o.communities}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.file, o.modularity.weighted));

  report r = start_report(p, "louvain", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::louvain(graph.matrix, o.modularity); },
      [](const louvain_result& result) { return result.community.dense(-1); });
  const louvain_result& result = found.result;
  const index_t largest = largest_of(found.values);
  r.seconds.run = found.seconds;
  r.iterations = result.levels;
  r.extra["communities"] = result.communities;
  r.extra["largest"] = largest;
  r.extra["modularity"] = result.modularity;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} communit{} in {} level{}, the largest has {} vertices\n",
                        grouped(result.communities), result.communities == 1 ? "y" : "ies",
                        result.levels, result.levels == 1 ? "" : "s", grouped(largest));
  r.text += fmt::format("quality  modularity {:.6f}\n", result.modularity);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "communities",
               algorithms::verify_louvain(graph.matrix, result, o.modularity), found.alike);
  const written outputs =
      write_outputs(p, graph.vertices, {{o.communities, [&](auto& to, std::size_t v) {
                                           graph.vertices.append(to, found.values[v]);
                                         }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_louvain(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command cmd(app, p, "louvain", "communities of large modularity, by the method of Louvain",
              {.device = true, .reading = true, .type = true},
              {"tropic louvain kron:12 --verify",
               "tropic louvain graph.mtx --weighted --output communities.txt",
               "tropic louvain grid:50 --resolution 2 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->communities,
           "write `vertex community` lines; a community is its first vertex");
  cmd.number<double>("--resolution", o->modularity.resolution,
                     "above 1 for more communities, below 1 for fewer [1]", 0);
  cmd.flag("--weighted", o->modularity.weighted, "count edges by their weights");
  add_trial_options(cmd, o->trial, "check the modularity, and that no two communities unite");
  cmd.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
