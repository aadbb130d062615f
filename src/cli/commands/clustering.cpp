// SPDX-License-Identifier: Apache-2.0

// `tropic clustering`: the local clustering coefficient of every vertex.

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/local_clustering.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct clustering_arguments {
  std::string file, coefficients;
  permute_options permute;
  trial_options trial;
};

exit_code run_clustering(const program& p, const clustering_arguments& o) {
  check_outputs(p, {o.coefficients}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "clustering", where, graph);
  const permute_options permute = chosen(o.permute, graph.matrix, {.x_bytes = 8, .z_bytes = 8}, 1);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::local_clustering(input); },
      [](const vector<double>& result) { return result.dense(-1); });
  const std::vector<double>& values = found.values;
  const double mean = values.empty() ? 0
                                     : std::accumulate(values.begin(), values.end(), 0.0) /
                                           static_cast<double>(values.size());
  r.seconds.run = found.seconds;
  r.iterations = 1;  // one product
  r.extra["mean"] = mean;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("mean     {:.6g}\n", mean);
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "coefficients", algorithms::verify_local_clustering(input, found.result),
               found.alike);
  const written outputs =
      write_outputs(p, graph.vertices,
                    {{o.coefficients, [&](auto& to, std::size_t v) { append(to, values[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_clustering(CLI::App& app, program& p) {
  auto o = std::make_shared<clustering_arguments>();
  command cmd(app, p, "clustering", "clustering coefficients: how many neighbours are linked",
              {.device = true, .reading = true, .type = true},
              {"tropic clustering kron:12 --verify",
               "tropic clustering graph.mtx --output coefficients.txt",
               "tropic clustering grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->coefficients,
           "write `vertex coefficient` lines: the share of pairs of neighbours with an edge");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against a serial search");
  cmd.runs([&p, o] { return run_clustering(p, *o); });
}

}  // namespace tropic::cli
