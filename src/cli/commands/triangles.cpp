// SPDX-License-Identifier: Apache-2.0

// `tropic triangles`: the number of triangles, of the graph or of every vertex.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/triangle_count.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct triangles_arguments {
  std::string file, counts;
  trial_options trial;
};

exit_code run_triangles(const program& p, const triangles_arguments& o) {
  check_outputs(p, {o.counts}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "triangles", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::triangle_count(graph.matrix); },
      [](std::int64_t count) { return count; });
  r.seconds.run = found.seconds;
  r.extra["triangles"] = found.result;
  std::vector<std::int64_t> counts;
  std::string complaint;
  if (!o.counts.empty()) {
    const vector<std::int64_t> per_vertex = algorithms::triangles_per_vertex(graph.matrix);
    counts = per_vertex.dense(0);
    if (o.trial.verify)
      complaint = algorithms::verify_triangles_per_vertex(graph.matrix, per_vertex);
  }

  r.text = headline(o.file, r, where);
  r.text +=
      fmt::format("found    {} triangle{}\n", grouped(found.result), found.result == 1 ? "" : "s");
  r.text += timing_line(r.seconds);
  if (o.trial.verify) {
    add_checks(r, o.trial, "triangles",
               algorithms::verify_triangle_count(graph.matrix, found.result), found.alike);
    if (!o.counts.empty()) r.check("triangles_per_vertex", complaint);
  }
  const written outputs = write_outputs(
      p, graph.vertices, {{o.counts, [&](auto& to, std::size_t v) { append(to, counts[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_triangles(CLI::App& app, program& p) {
  auto o = std::make_shared<triangles_arguments>();
  command cmd(
      app, p, "triangles", "number of triangles of an undirected graph, or of each vertex",
      {.device = true, .reading = true, .type = true},
      {"tropic triangles kron:14 --verify", "tropic triangles graph.mtx --output triangles.txt",
       "tropic triangles grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->counts,
           "write `vertex triangles` lines, computed after the timed runs");
  add_trial_options(cmd, o->trial, "check against a serial search");
  cmd.runs([&p, o] { return run_triangles(p, *o); });
}

}  // namespace tropic::cli
