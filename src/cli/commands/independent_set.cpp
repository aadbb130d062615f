// SPDX-License-Identifier: Apache-2.0

// `tropic independent-set`: a maximal independent set of a graph.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/maximal_independent_set.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct independent_set_arguments {
  std::string file, members;
  std::uint64_t seed = 0;
  permute_options permute;
  trial_options trial;
};

exit_code run_independent_set(const program& p, const independent_set_arguments& o) {
  check_outputs(p, {o.members}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "independent-set", where, graph);
  const permute_options permute = chosen(o.permute, graph.matrix, {.x_bytes = 8, .z_bytes = 8}, 4);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::maximal_independent_set(input, o.seed); },
      [](const independent_set_result& result) { return result.members.dense(false); });
  const independent_set_result& result = found.result;
  const std::vector<bool>& members = found.values;
  r.seconds.run = found.seconds;
  r.iterations = result.rounds;
  r.extra["seed"] = o.seed;
  r.extra["size"] = result.size;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} of {} vertices, by seed {}\n", grouped(result.size),
                        grouped(r.rows), o.seed);
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "independent_set",
               algorithms::verify_maximal_independent_set(input, result), found.alike);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.members, [&](auto& to, std::size_t v) { append(to, static_cast<int>(members[v])); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_independent_set(CLI::App& app, program& p) {
  auto o = std::make_shared<independent_set_arguments>();
  command cmd(app, p, "independent-set",
              "maximal independent set: vertices of which no two are linked",
              {.device = true, .reading = true, .type = true},
              {"tropic independent-set kron:16 --verify",
               "tropic independent-set graph.mtx --seed 3 --output members.txt",
               "tropic independent-set grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<std::uint64_t>("--seed", o->seed, "another seed gives another set (default 0)");
  cmd.text("--output", "FILE", o->members, "write `vertex 1` for members, `vertex 0` for others");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against the definition");
  cmd.runs([&p, o] { return run_independent_set(p, *o); });
}

}  // namespace tropic::cli
