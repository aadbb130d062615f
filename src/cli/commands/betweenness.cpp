// SPDX-License-Identifier: Apache-2.0

// `tropic betweenness`: the part of the shortest paths that pass through each vertex.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/betweenness.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/top.hpp"

namespace tropic::cli {

namespace {

struct betweenness_arguments {
  std::string file, values;
  std::optional<index_t> samples;
  std::uint64_t seed = 1;
  bool raw = false;
  bool endpoints = false;
  permute_options permute;
  trial_options trial;
};

exit_code run_betweenness(const program& p, const betweenness_arguments& o) {
  check_outputs(p, {o.values}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));
  betweenness_options wanted;
  wanted.normalized = !o.raw;
  wanted.endpoints = o.endpoints;
  if (o.samples) {
    if (*o.samples > graph.matrix.rows)
      refuse_option("--samples", std::to_string(*o.samples),
                    "at most the number of vertices, " + std::to_string(graph.matrix.rows));
    wanted.sources = sample_of_vertices(graph.matrix.rows, *o.samples, o.seed);
  }

  report r = start_report(p, "betweenness", where, graph);
  const permute_options permute =
      chosen(o.permute, graph.matrix, {.x_bytes = 8, .z_bytes = 8},
             2 * o.trial.trials * (o.samples ? *o.samples : graph.matrix.rows));
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::betweenness(input, wanted); },
      [](const betweenness_result& result) { return result.centrality.dense(-1); });
  const betweenness_result& result = found.result;
  r.seconds.run = found.seconds;
  r.iterations = result.sources;
  r.extra["sources"] = result.sources;
  r.extra["by_logarithms"] = result.by_logarithms;
  r.extra["normalized"] = wanted.normalized;

  r.text = headline(o.file, r, where);
  r.text += fmt::format(
      "sources  {} of {} vertices{}\n", grouped(result.sources), grouped(r.rows),
      result.by_logarithms > 0
          ? fmt::format(", {} with logarithms of path counts", grouped(result.by_logarithms))
          : "");
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "betweenness", algorithms::verify_betweenness(input, result, wanted),
               found.alike);
  r.text += top_ten(graph.vertices, found.values, "betweenness", r.extra["top"]);
  const written outputs =
      write_outputs(p, graph.vertices,
                    {{o.values, [&](auto& to, std::size_t v) { append(to, found.values[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_betweenness(CLI::App& app, program& p) {
  auto o = std::make_shared<betweenness_arguments>();
  command cmd(app, p, "betweenness",
              "betweenness centrality: the share of shortest paths through each vertex",
              {.device = true, .reading = true, .type = true},
              {"tropic betweenness grid:20 --verify",
               "tropic betweenness kron:12 --samples 16 --output betweenness.txt",
               "tropic betweenness graph.mtx --raw --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->values, "write `vertex betweenness` lines");
  cmd.number<index_t>("--samples", o->samples,
                      "estimate from the paths from N random vertices [all vertices]", 1);
  cmd.number<std::uint64_t>("--seed", o->seed, "seed of the random vertices [1]", 0);
  cmd.flag("--raw", o->raw, "sums over pairs, not divided by the number of pairs");
  cmd.flag("--endpoints", o->endpoints, "a path also passes through its two ends");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against a serial computation");
  cmd.runs([&p, o] { return run_betweenness(p, *o); });
}

}  // namespace tropic::cli
