// SPDX-License-Identifier: Apache-2.0

// `tropic coloring`: a greedy colouring of the vertices of a graph.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/greedy_coloring.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct coloring_arguments {
  std::string file, colors;
  std::uint64_t seed = 0;
  permute_options permute;
  trial_options trial;
};

exit_code run_coloring(const program& p, const coloring_arguments& o) {
  check_outputs(p, {o.colors}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "coloring", where, graph);
  const permute_options permute = chosen(o.permute, graph.matrix, {.x_bytes = 8, .z_bytes = 8}, 2);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::greedy_coloring(input, o.seed); },
      [](const coloring_result& result) { return result.color.dense(-1); });
  const coloring_result& result = found.result;
  const std::vector<index_t>& colors = found.values;
  r.seconds.run = found.seconds;
  r.iterations = result.rounds;
  r.extra["seed"] = o.seed;
  r.extra["colors"] = result.colors;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} color{} in {} rounds, by seed {}\n", grouped(result.colors),
                        result.colors == 1 ? "" : "s", grouped(result.rounds), o.seed);
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "colors", algorithms::verify_greedy_coloring(input, result),
               found.alike);
  const written outputs = write_outputs(
      p, graph.vertices, {{o.colors, [&](auto& to, std::size_t v) { append(to, colors[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_coloring(CLI::App& app, program& p) {
  auto o = std::make_shared<coloring_arguments>();
  command cmd(
      app, p, "coloring", "greedy coloring: linked vertices have different colors",
      {.device = true, .reading = true, .type = true},
      {"tropic coloring kron:16 --verify", "tropic coloring graph.mtx --seed 3 --output colors.txt",
       "tropic coloring grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<std::uint64_t>("--seed", o->seed, "another seed gives another order (default 0)");
  cmd.text("--output", "FILE", o->colors, "write `vertex color` lines; colors are numbered from 0");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against the definition");
  cmd.runs([&p, o] { return run_coloring(p, *o); });
}

}  // namespace tropic::cli
