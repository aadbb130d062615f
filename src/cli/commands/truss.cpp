// SPDX-License-Identifier: Apache-2.0

// `tropic truss`: the k-truss of a graph.

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/k_truss.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/edges.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct truss_arguments {
  std::string file, edges;
  index_t k = 3;
  trial_options trial;
};

exit_code run_truss(const program& p, const truss_arguments& o) {
  check_outputs(p, {o.edges}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, "truss", where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::k_truss(graph.matrix, o.k); },
      [](const k_truss_result& result) {
        const auto csr = result.support.to_csr<index_t>();
        return std::tuple(std::vector(csr.offsets.data.begin(), csr.offsets.data.end()),
                          std::vector(csr.indices.data.begin(), csr.indices.data.end()),
                          std::vector(csr.values.data.begin(), csr.values.data.end()));
      });
  const k_truss_result& result = found.result;
  index_t vertices = 0;
  for (index_t v = 0; v < result.support.rows(); ++v)
    vertices += result.support.offset(v + 1) > result.support.offset(v);
  r.seconds.run = found.seconds;
  r.iterations = result.rounds;
  r.extra["k"] = o.k;
  r.extra["edges"] = result.edges;
  r.extra["vertices"] = vertices;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    the {}-truss has {} edge{} and {} of {} vertices\n", o.k,
                        grouped(result.edges), result.edges == 1 ? "" : "s", grouped(vertices),
                        grouped(r.rows));
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "truss", algorithms::verify_k_truss(graph.matrix, o.k, result),
               found.alike);
  if (o.edges.empty()) return finish(p, r);
  return finish(p, r, write_text(p, o.edges, edge_lines(graph.vertices, result.support)));
}

}  // namespace

void add_truss(CLI::App& app, program& p) {
  auto o = std::make_shared<truss_arguments>();
  command cmd(
      app, p, "truss",
      "k-truss: the largest subgraph in which every edge is in k - 2 triangles or more",
      {.device = true, .reading = true, .type = true},
      {"tropic truss kron:12 --k 5 --verify", "tropic truss graph.mtx --k 4 --output edges.txt",
       "tropic truss grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<index_t>("--k", o->k,
                      "the k of the k-truss: every edge is in at least N - 2 triangles [3]", 3);
  cmd.text("--output", "FILE", o->edges, "write `from to triangles` lines");
  add_trial_options(cmd, o->trial, "check against a serial removal of edges");
  cmd.runs([&p, o] { return run_truss(p, *o); });
}

}  // namespace tropic::cli
