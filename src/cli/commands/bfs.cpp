// SPDX-License-Identifier: Apache-2.0

// `tropic bfs`: levels and parents from a source.

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/relabelled/bfs.hpp>
#include <tropic/algorithms/verify/bfs.hpp>

#include "cli/bench/trials.hpp"
#include "cli/commands/permute.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, levels, parents;
  std::optional<std::string> source;
  permute_options permute;
  trial_options trial;
};

exit_code run(const program& p, const options& o) {
  check_source(p, o.source);
  check_outputs(p, {o.levels, o.parents}, {o.file});
  const context where = p.make_context();
  loaded graph = load(p, where, bfs_input(o.file));
  const index_t source = source_of(graph, o.source, o.file);
  const matrix<bool> a(graph.matrix);

  report r = start_report(p, "bfs", where, graph);
  // Over all entries goes a pull or two, whose rows end early.
  const permute_options permute =
      chosen(o.permute, graph.matrix, {.x_bytes = 1, .z_bytes = 8, .exits_early = true}, 2);
  const std::optional<relabelled_graph<bool>> relabelled = relabel(a, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return relabelled ? bfs(*relabelled, source) : bfs(a, source); },
      [](const bfs_result& result) {
        return std::pair(result.level.dense(-1), result.parent.dense(-1));
      });
  const bfs_result& result = found.result;
  const std::vector<index_t>&levels = found.values.first, &parents = found.values.second;
  r.seconds.run = found.seconds;
  r.iterations = result.depth + 1;
  r.more["source"] = graph.vertices.json(source);
  r.more["reached"] = result.reached;
  r.more["depth"] = result.depth;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("bfs      from vertex {} reaches {} of {} vertices, depth {}\n",
                        graph.vertices.label(source), grouped(result.reached), grouped(r.rows),
                        grouped(result.depth));
  tell_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "levels_and_parents", verify_bfs(a, source, result), found.alike);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.levels, [&](auto& to, std::size_t v) { append(to, levels[v]); }},
       {o.parents, [&](auto& to, std::size_t v) { graph.vertices.append(to, parents[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_bfs(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command made(app, p, "bfs", "breadth-first search: how many edges away every vertex is",
               {.device = true, .reading = true, .type = true},
               {"tropic bfs kron:16 --source 3 --verify",
                "tropic bfs graph.mtx --source 0 --output levels.txt --output-parents parents.txt",
                "tropic bfs grid:300 --trials 5 --json"});
  made.argument("FILE", o->file, file_help);
  made.word("--source", "V", source_help, [o](const std::string& text) { o->source = text; });
  made.text("--output", "FILE", o->levels, "write `vertex level` lines, -1 where unreachable");
  made.text("--output-parents", "FILE", o->parents,
            "write `vertex parent` lines, -1 where unreachable");
  add_permute_options(made, o->permute);
  add_trial_options(made, o->trial, "check against a serial search");
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
