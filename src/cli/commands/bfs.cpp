// SPDX-License-Identifier: Apache-2.0

// `tropic bfs`: levels and parents from a source, or from many at once.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/bfs.hpp"
#include "algorithms/bfs_batch.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/input/vertex_lines.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct bfs_arguments {
  std::string file, levels, parents, sources;
  std::optional<std::string> source;
  permute_options permute;
  trial_options trial;
};

exit_code run_bfs(const program& p, const bfs_arguments& o) {
  check_source(p, o.source);
  check_outputs(p, {o.levels, o.parents}, {o.file});
  const context where = p.make_context();
  loaded graph = load(p, where, bfs_input(o.file));
  const index_t source = source_of(graph, o.source, o.file);

  report r = start_report(p, "bfs", where, graph);
  // One or two pulls visit all entries; their rows exit early.
  const permute_options permute =
      chosen(o.permute, graph.matrix, {.x_bytes = 1, .z_bytes = 8, .exits_early = true}, 2);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::bfs(input, source); },
      [](const bfs_result& result) {
        return std::pair(result.level.dense(-1), result.parent.dense(-1));
      });
  const bfs_result& result = found.result;
  const std::vector<index_t>&levels = found.values.first, &parents = found.values.second;
  r.seconds.run = found.seconds;
  r.iterations = result.depth + 1;
  r.extra["source"] = graph.vertices.json(source);
  r.extra["reached"] = result.reached;
  r.extra["depth"] = result.depth;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("bfs      from vertex {} reaches {} of {} vertices, depth {}\n",
                        graph.vertices.label(source), grouped(result.reached), grouped(r.rows),
                        grouped(result.depth));
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "levels_and_parents", algorithms::verify_bfs(input, source, result),
               found.alike);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.levels, [&](auto& to, std::size_t v) { append(to, levels[v]); }},
       {o.parents, [&](auto& to, std::size_t v) { graph.vertices.append(to, parents[v]); }}});
  return finish(p, r, outputs);
}

exit_code run_bfs_batch(const program& p, const bfs_arguments& o) {
  check_vertex_file("--sources", o.sources, o.file);
  check_outputs(p, {o.levels, o.parents}, {o.file, o.sources});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));
  const std::vector<index_t> sources = read_vertex_list(p, where, o.sources, graph.vertices);
  const std::size_t count = sources.size();

  report r = start_report(p, "bfs", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::bfs_batch(graph.matrix, sources); },
      [](const bfs_batch_result& result) {
        return std::pair(result.level.dense(-1), result.parent.dense(-1));
      });
  const std::vector<index_t>&levels = found.values.first, &parents = found.values.second;
  std::vector<index_t> reached(count, 0), depth(count, 0);
  for (std::size_t at = 0; at < levels.size(); ++at) {
    reached[at % count] += levels[at] >= 0;
    depth[at % count] = std::max(depth[at % count], levels[at]);
  }
  r.seconds.run = found.seconds;
  r.extra["at_once"] = found.result.at_once;
  r.extra["searches"] = nlohmann::ordered_json::array();
  for (std::size_t s = 0; s < count; ++s)
    r.extra["searches"].push_back({{"source", graph.vertices.json(sources[s])},
                                   {"reached", reached[s]},
                                   {"depth", depth[s]}});

  r.text = headline(o.file, r, where);
  r.text +=
      fmt::format("bfs      from {} vertices {}; they reach {} to {} of {} vertices\n", count,
                  found.result.at_once ? "at once" : "one after the other",
                  grouped(*std::min_element(reached.begin(), reached.end())),
                  grouped(*std::max_element(reached.begin(), reached.end())), grouped(r.rows));
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "levels_and_parents",
               algorithms::verify_bfs_batch(graph.matrix, sources, found.result), found.alike);
  const auto row_of = [&](auto& to, const std::vector<index_t>& values, std::size_t v,
                          const auto& append_one) {
    for (std::size_t s = 0; s < count; ++s) {
      if (s > 0) to.push_back(' ');
      append_one(to, values[v * count + s]);
    }
  };
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.levels,
        [&](auto& to, std::size_t v) {
          row_of(to, levels, v, [](auto& text, index_t level) { append(text, level); });
        }},
       {o.parents, [&](auto& to, std::size_t v) {
          row_of(to, parents, v,
                 [&](auto& text, index_t parent) { graph.vertices.append(text, parent); });
        }}});
  return finish(p, r, outputs);
}

}  // namespace

void add_bfs(CLI::App& app, program& p) {
  auto o = std::make_shared<bfs_arguments>();
  command cmd(app, p, "bfs", "breadth-first search: the number of edges to every vertex",
              {.device = true, .reading = true, .type = true},
              {"tropic bfs kron:16 --source 3 --verify",
               "tropic bfs graph.mtx --source 0 --output levels.txt --output-parents parents.txt",
               "tropic bfs graph.mtx --sources sources.txt --output levels.txt --verify",
               "tropic bfs grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.word("--source", "V", source_help, [o](const std::string& text) { o->source = text; });
  cmd.text("--sources", "FILE", o->sources,
           "search from all vertices listed in FILE at once; outputs have one value per source on "
           "each line");
  cmd.excludes("--sources", "--source");
  cmd.text("--output", "FILE", o->levels, "write `vertex level` lines, -1 where unreachable");
  cmd.text("--output-parents", "FILE", o->parents,
           "write `vertex parent` lines, -1 where unreachable");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check against a serial search");
  cmd.excludes("--sources", "--permute");
  cmd.runs([&p, o] { return o->sources.empty() ? run_bfs(p, *o) : run_bfs_batch(p, *o); });
}

}  // namespace tropic::cli
