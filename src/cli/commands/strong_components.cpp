// SPDX-License-Identifier: Apache-2.0

// `tropic strong-components`: the strong components of a graph.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/strong_components.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct strong_components_arguments {
  std::string file, labels;
  permute_options permute;
  trial_options trial;
};

// The number of vertices of the largest component.
index_t largest_of(const std::vector<index_t>& labels) {
  std::vector<index_t> size(labels.size());
  for (const index_t label : labels) ++size[static_cast<std::size_t>(label)];
  return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

exit_code run_strong_components(const program& p, const strong_components_arguments& o) {
  check_outputs(p, {o.labels}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "strong-components", where, graph);
  const permute_options permute = chosen(o.permute, graph.matrix, {.x_bytes = 8, .z_bytes = 8}, 2);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::strong_components(input); },
      [](const strong_components_result& result) { return result.label.dense(-1); });
  const strong_components_result& result = found.result;
  const std::vector<index_t>& labels = found.values;
  const index_t largest = largest_of(labels);
  r.seconds.run = found.seconds;
  r.iterations = result.rounds;
  r.extra["components"] = result.components;
  r.extra["largest"] = largest;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} component{}, the largest has {} of {} vertices\n",
                        grouped(result.components), result.components == 1 ? "" : "s",
                        grouped(largest), grouped(r.rows));
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "labels", algorithms::verify_strong_components(input, result),
               found.alike);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.labels, [&](auto& to, std::size_t v) { graph.vertices.append(to, labels[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_strong_components(CLI::App& app, program& p) {
  auto o = std::make_shared<strong_components_arguments>();
  command cmd(app, p, "strong-components", "strong components: which vertices reach each other",
              {.device = true, .reading = true, .type = true},
              {"tropic strong-components kron:16 --verify",
               "tropic strong-components graph.mtx --output labels.txt",
               "tropic strong-components grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->labels,
           "write `vertex label` lines; the label is the component's first vertex");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against a serial search");
  cmd.runs([&p, o] { return run_strong_components(p, *o); });
}

}  // namespace tropic::cli
