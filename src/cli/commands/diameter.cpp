// SPDX-License-Identifier: Apache-2.0

// `tropic diameter`: bounds of the longest shortest path.

#include <memory>
#include <string>
#include <tuple>

#include "algorithms/diameter.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"

namespace tropic::cli {

namespace {

struct diameter_arguments {
  std::string file;
  diameter_options diameter;
  trial_options trial;
};

exit_code run_diameter(const program& p, const diameter_arguments& o) {
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "diameter", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::diameter(graph.matrix, o.diameter); },
      [](const diameter_result& result) {
        return std::tuple(result.lower, result.upper, result.from, result.to);
      });
  const diameter_result& result = found.result;
  r.seconds.run = found.seconds;
  r.iterations = result.searches;
  r.extra["lower"] = result.lower;
  r.extra["upper"] = result.upper;
  const bool has_path = result.from >= 0;
  r.extra["from"] = has_path ? graph.vertices.json(result.from) : nullptr;
  r.extra["to"] = has_path ? graph.vertices.json(result.to) : nullptr;

  r.text = headline(o.file, r, where);
  if (result.lower == result.upper)
    r.text += fmt::format("diameter {}", grouped(result.lower));
  else
    r.text += fmt::format("diameter {} to {}", grouped(result.lower), grouped(result.upper));
  if (has_path)
    r.text +=
        fmt::format("; vertices {} and {} are {} edges apart", graph.vertices.label(result.from),
                    graph.vertices.label(result.to), grouped(result.lower));
  r.text += fmt::format("\nsearches {}\n", grouped(result.searches));
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "diameter",
               algorithms::verify_diameter(graph.matrix, result, o.diameter), found.alike);
  return finish(p, r);
}

}  // namespace

void add_diameter(CLI::App& app, program& p) {
  auto o = std::make_shared<diameter_arguments>();
  command cmd(app, p, "diameter", "bounds of the longest shortest path, counted in edges",
              {.device = true, .reading = true, .type = true},
              {"tropic diameter kron:12 --verify", "tropic diameter grid:50 --exact --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.flag("--exact", o->diameter.exact, "search until the bounds are equal");
  add_trial_options(cmd, o->trial, "check the bounds by at most 1,024 serial searches");
  cmd.runs([&p, o] { return run_diameter(p, *o); });
}

}  // namespace tropic::cli
