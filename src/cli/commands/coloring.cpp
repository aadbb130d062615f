// SPDX-License-Identifier: Apache-2.0

// `tropic coloring`: a greedy colouring of the vertices of a graph.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/greedy_coloring.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct coloring_arguments : vertex_options {
  std::uint64_t seed = 0;
};

struct coloring {
  static constexpr const char *name = "coloring", *check = "colors";
  static constexpr auto append = append_number;
  std::uint64_t seed;

  static expected_products products() { return {}; }
  auto find(const algorithms::any_graph& input) const {
    return algorithms::greedy_coloring(input, seed);
  }
  static auto values(const coloring_result& result) { return result.color.dense(-1); }
  static index_t iterations(const coloring_result& result) { return result.rounds; }
  std::string describe(const coloring_result& result, const std::vector<index_t>&,
                       report& r) const {
    r.extra["seed"] = seed;
    r.extra["colors"] = result.colors;
    return fmt::format("found    {} color{} in {} rounds, by seed {}\n", grouped(result.colors),
                       result.colors == 1 ? "" : "s", grouped(result.rounds), seed);
  }
  static std::string verify(const algorithms::any_graph& input, const coloring_result& result) {
    return algorithms::verify_greedy_coloring(input, result);
  }
};

}  // namespace

void add_coloring(CLI::App& app, program& p) {
  auto o = std::make_shared<coloring_arguments>();
  command cmd(
      app, p, "coloring", "greedy coloring: adjacent vertices have different colors",
      {.device = true, .reading = true, .type = true},
      {"tropic coloring kron:16 --verify", "tropic coloring graph.mtx --seed 3 --output colors.txt",
       "tropic coloring grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<std::uint64_t>(
      "--seed", o->seed, "seed of the order of vertices; another seed gives another coloring [0]");
  add_vertex_options(cmd, *o, "write `vertex color` lines; colors are numbered from 0",
                     "check against the definition");
  cmd.runs([&p, o] { return run_search(p, *o, coloring{o->seed}); });
}

}  // namespace tropic::cli
