// SPDX-License-Identifier: Apache-2.0

// `tropic bfs`: levels and parents from a source.

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/bfs_verify.hpp>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, levels, parents;
  std::optional<index_t> source;
  bool verify = false;
  int trials = 1;
};

exit_code run(const program& p, const options& o) {
  check_outputs(p, {o.levels, o.parents});
  const context where = p.make_context();
  load_options wanted;
  wanted.file = o.file;
  wanted.ignore_values = true;
  loaded graph = load(p, where, wanted);
  const index_t source = source_of(graph, o.source, o.file);
  const matrix<bool> a(graph.matrix);

  report r;
  r.command = "bfs";
  r.device = where.name();
  r.set_matrix(graph.matrix);
  r.kernel = kernel_name(where);
  r.seconds.load = graph.seconds;
  p.speak();
  r.seconds.transfer = transfer(where, graph.matrix);

  std::optional<bfs_result> result;
  std::vector<index_t> first_levels, first_parents;
  bool alike = true;
  for (int trial = 0; trial < o.trials; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    result = bfs(a, source);
    where.synchronize();
    r.seconds.run.push_back(seconds_since(start));
    if (!o.verify || o.trials == 1) continue;
    if (trial == 0) {
      first_levels = result->level.dense(-1);
      first_parents = result->parent.dense(-1);
    } else {
      alike = alike && result->level.dense(-1) == first_levels &&
              result->parent.dense(-1) == first_parents;
    }
  }
  r.iterations = result->depth + 1;
  r.more["source"] = graph.vertices.name(source);
  r.more["reached"] = result->reached;
  r.more["depth"] = result->depth;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("bfs      from vertex {} reaches {} of {} vertices, depth {}\n",
                        graph.vertices.name(source), grouped(result->reached), grouped(r.rows),
                        grouped(result->depth));
  r.text += timing_line(r.seconds);
  if (o.verify) {
    std::string complaint = verify_bfs(a, source, *result);
    r.check("levels_and_parents", complaint);
    if (o.trials > 1)
      r.check("same_in_every_trial", alike ? "" : "a later trial gives another result");
  }
  if (!o.levels.empty() || !o.parents.empty()) {
    const std::vector<index_t> levels = result->level.dense(-1);
    const std::vector<index_t> parents = result->parent.dense(-1);
    write_outputs(p, graph.vertices,
                  {{o.levels, [&](auto& to, std::size_t v) { append(to, levels[v]); }},
                   {o.parents, [&](auto& to, std::size_t v) {
                      append(to, parents[v] < 0 ? -1 : graph.vertices.name(parents[v]));
                    }}});
  }
  return finish(p, r, uses_standard_output({o.levels, o.parents}));
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
  made.number<index_t>("--source", o->source, source_help);
  made.text("--output", "FILE", o->levels, "write `vertex level` lines, -1 where unreachable");
  made.text("--output-parents", "FILE", o->parents,
            "write `vertex parent` lines, -1 where unreachable");
  made.flag("--verify", o->verify, "check against a serial search");
  made.number<int>("--trials", o->trials, "run N times", 1);
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
