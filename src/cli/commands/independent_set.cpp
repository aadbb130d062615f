// SPDX-License-Identifier: Apache-2.0

// `tropic independent-set`: a maximal independent set of a graph.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/maximal_independent_set.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct independent_set_arguments : vertex_options {
  std::uint64_t seed = 0;
};

struct independent_set {
  static constexpr const char *name = "independent-set", *check = "independent_set";
  static constexpr auto append = append_number;
  std::uint64_t seed;

  static expected_products products() { return {.calls = 4}; }
  auto find(const algorithms::any_graph& input) const {
    return algorithms::maximal_independent_set(input, seed);
  }
  static auto values(const independent_set_result& result) { return result.members.dense(false); }
  static index_t iterations(const independent_set_result& result) { return result.rounds; }
  std::string describe(const independent_set_result& result, const std::vector<bool>&,
                       report& r) const {
    r.extra["seed"] = seed;
    r.extra["size"] = result.size;
    return fmt::format("found    {} of {} vertices, by seed {}\n", grouped(result.size),
                       grouped(r.rows), seed);
  }
  static std::string verify(const algorithms::any_graph& input,
                            const independent_set_result& result) {
    return algorithms::verify_maximal_independent_set(input, result);
  }
};

}  // namespace

void add_independent_set(CLI::App& app, program& p) {
  auto o = std::make_shared<independent_set_arguments>();
  command cmd(app, p, "independent-set",
              "maximal independent set: vertices of which no two are adjacent",
              {.device = true, .reading = true, .type = true},
              {"tropic independent-set kron:16 --verify",
               "tropic independent-set graph.mtx --seed 3 --output members.txt",
               "tropic independent-set grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<std::uint64_t>("--seed", o->seed,
                            "seed of the random choices; another seed gives another set [0]");
  add_vertex_options(cmd, *o, "write `vertex 1` for members, `vertex 0` for others",
                     "check against the definition");
  cmd.runs([&p, o] { return run_search(p, *o, independent_set{o->seed}); });
}

}  // namespace tropic::cli
