// SPDX-License-Identifier: Apache-2.0

// The `tropic` program: its commands and its help.

#include "cli/command_line.hpp"

#include "cli/options.hpp"
#include "cli/program.hpp"

namespace tropic::cli {

namespace {

constexpr const char* description =
    "Tropic: graphs and sparse matrices over any semiring, on the CPU and on GPUs.";

constexpr const char* footer =
    "Files: Matrix Market .mtx, DIMACS .gr, edge lists .el and .wel, SNAP .txt, tables .csv and\n"
    ".tsv, METIS .graph, LDBC Graphalytics .v with .e, and Tropic's own .tropic, which is used\n"
    "in place. Each may also be compressed (.gz, .xz, .zst). As an input, '-' is standard input:\n"
    "Matrix Market and .tropic are recognised by their content, other formats need --format. As\n"
    "an output, '-' is standard output. Vertices are numbered from 0, except that DIMACS and\n"
    "LDBC files keep their own numbers, and that with --names the vertices of tables and edge\n"
    "lists have names.\n"
    "\n"
    "Instead of a file, kron:SCALE[:DEGREE[:SEED]], urand:SCALE[:DEGREE[:SEED]] or grid:SIDE\n"
    "generates a graph, and paper:NAME a matrix with the shape of one that papers use to compare\n"
    "kernels (dc2, webbase, ...). 'tropic COMMAND --help' describes a command.\n"
    "\n"
    "Examples:\n"
    "  tropic bfs kron:16 --source 3 --verify\n"
    "  tropic sssp roads.gr --source 1 --output distances.txt\n"
    "  tropic pagerank graph.mtx --tolerance 1e-9\n"
    "  tropic components graph.mtx --output labels.txt\n"
    "  tropic spmv graph.mtx --semiring min_plus --type fp32 --kernel all --verify\n"
    "  tropic spgemm graph.mtx --output square.mtx\n"
    "\n"
    "Exit codes: 0 success, 1 a check failed, 2 any other error (usage, input, memory ...),\n"
    "128 + N ended by signal N (130: Ctrl+C).";

void add_bench(CLI::App& app, program& p) {
  CLI::App& bench = add_group(
      app, p, "bench",
      "measurements: bench bfs, sssp, pagerank, components, betweenness, triangles, cores, tune");
  add_bench_bfs(bench, p);
  add_bench_sssp(bench, p);
  add_bench_pagerank(bench, p);
  add_bench_components(bench, p);
  add_bench_betweenness(bench, p);
  add_bench_triangles(bench, p);
  add_bench_cores(bench, p);
  add_bench_tune(bench, p);
}

void add_commands(CLI::App& app, program& p) {
  set_help(app, description, footer);
  add_bfs(app, p);
  add_sssp(app, p);
  add_pagerank(app, p);
  add_components(app, p);
  add_triangles(app, p);
  add_cores(app, p);
  add_strong_components(app, p);
  add_clustering(app, p);
  add_truss(app, p);
  add_independent_set(app, p);
  add_coloring(app, p);
  add_spanning_forest(app, p);
  add_betweenness(app, p);
  add_label_propagation(app, p);
  add_closeness(app, p);
  add_eigenvector(app, p);
  add_katz(app, p);
  add_hits(app, p);
  add_louvain(app, p);
  add_leiden(app, p);
  add_similarity(app, p);
  add_diameter(app, p);
  add_spmv(app, p);
  add_spgemm(app, p);
  add_info(app, p);
  add_explain(app, p);
  add_convert(app, p);
  add_generate(app, p);
  add_devices(app, p);
  add_calibrate(app, p);
  add_precompile(app, p);
  add_bench(app, p);
}

}  // namespace

int run_command_line(int count, char** arguments, bool may_restart) {
  return run_program({"tropic", add_commands}, count, arguments, may_restart);
}

}  // namespace tropic::cli
