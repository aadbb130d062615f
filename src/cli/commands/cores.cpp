// SPDX-License-Identifier: Apache-2.0

// `tropic cores`: the core number of every vertex.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/core_numbers.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct cores_arguments {
  std::string file, cores;
  permute_options permute;
  trial_options trial;
};

exit_code run_cores(const program& p, const cores_arguments& o) {
  check_outputs(p, {o.cores}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "cores", where, graph);
  const permute_options permute = chosen(o.permute, graph.matrix, {.x_bytes = 4, .z_bytes = 4}, 2);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::core_numbers(input); },
      [](const core_numbers_result& result) { return result.core.dense(-1); });
  const core_numbers_result& result = found.result;
  const std::vector<index_t>& cores = found.values;
  const index_t innermost = std::count(cores.begin(), cores.end(), result.degeneracy);
  r.seconds.run = found.seconds;
  r.iterations = result.rounds;
  r.extra["degeneracy"] = result.degeneracy;
  r.extra["innermost"] = innermost;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    degeneracy {}, the {}-core has {} of {} vertices\n",
                        grouped(result.degeneracy), grouped(result.degeneracy), grouped(innermost),
                        grouped(r.rows));
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "cores", algorithms::verify_core_numbers(input, result), found.alike);
  const written outputs = write_outputs(
      p, graph.vertices, {{o.cores, [&](auto& to, std::size_t v) { append(to, cores[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_cores(CLI::App& app, program& p) {
  auto o = std::make_shared<cores_arguments>();
  command cmd(app, p, "cores", "core numbers: how densely the surroundings of a vertex are linked",
              {.device = true, .reading = true, .type = true},
              {"tropic cores kron:16 --verify", "tropic cores graph.mtx --output cores.txt",
               "tropic cores grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->cores,
           "write `vertex core` lines: the largest k whose k-core has the vertex");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against a serial removal of vertices");
  cmd.runs([&p, o] { return run_cores(p, *o); });
}

}  // namespace tropic::cli
