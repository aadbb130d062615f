// SPDX-License-Identifier: Apache-2.0

// `tropic label-propagation`: communities by the most frequent label around each vertex.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/label_propagation.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct label_propagation_arguments {
  std::string file, labels;
  index_t iterations = 10;
  permute_options permute;
  trial_options trial;
};

exit_code run_label_propagation(const program& p, const label_propagation_arguments& o) {
  check_outputs(p, {o.labels}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "label-propagation", where, graph);
  const permute_options permute =
      chosen(o.permute, graph.matrix, {.x_bytes = 8, .z_bytes = 8}, o.iterations);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::label_propagation(input, o.iterations); },
      [](const label_propagation_result& result) { return result.label.dense(-1); });
  const label_propagation_result& result = found.result;
  r.seconds.run = found.seconds;
  r.iterations = result.iterations;
  r.extra["labels"] = result.labels;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} label{} after {} iteration{}{}\n", grouped(result.labels),
                        result.labels == 1 ? "" : "s", result.iterations,
                        result.iterations == 1 ? "" : "s",
                        result.iterations < o.iterations ? ", the next ones change nothing" : "");
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "labels",
               algorithms::verify_label_propagation(input, result, o.iterations), found.alike);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.labels, [&](auto& to, std::size_t v) { graph.vertices.append(to, found.values[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_label_propagation(CLI::App& app, program& p) {
  auto o = std::make_shared<label_propagation_arguments>();
  command cmd(app, p, "label-propagation",
              "communities: the most frequent label around each vertex (LDBC's CDLP)",
              {.device = true, .reading = true, .type = true},
              {"tropic label-propagation kron:12 --verify",
               "tropic label-propagation graph.mtx --iterations 5 --output labels.txt",
               "tropic label-propagation grid:50 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->labels, "write `vertex label` lines; a label is a vertex");
  cmd.number<index_t>("--iterations", o->iterations,
                      "take new labels N times, or until none changes [10]", 0);
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against serial iterations");
  cmd.runs([&p, o] { return run_label_propagation(p, *o); });
}

}  // namespace tropic::cli
