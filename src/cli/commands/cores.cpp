// SPDX-License-Identifier: Apache-2.0

// `tropic cores`: the core number of every vertex.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/core_numbers.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct cores {
  static constexpr const char *name = "cores", *check = "cores";
  static constexpr auto append = append_number;
  static expected_products products() { return {.traits = {.x_bytes = 4, .z_bytes = 4}}; }
  static auto find(const algorithms::any_graph& input) { return algorithms::core_numbers(input); }
  static auto values(const core_numbers_result& result) { return result.core.dense(-1); }
  static index_t iterations(const core_numbers_result& result) { return result.rounds; }
  static std::string describe(const core_numbers_result& result, const std::vector<index_t>& values,
                              report& r) {
    const index_t innermost = std::count(values.begin(), values.end(), result.degeneracy);
    r.extra["degeneracy"] = result.degeneracy;
    r.extra["innermost"] = innermost;
    return fmt::format("found    degeneracy {}, the {}-core has {} of {} vertices\n",
                       grouped(result.degeneracy), grouped(result.degeneracy), grouped(innermost),
                       grouped(r.rows));
  }
  static std::string verify(const algorithms::any_graph& input, const core_numbers_result& result) {
    return algorithms::verify_core_numbers(input, result);
  }
};

}  // namespace

void add_cores(CLI::App& app, program& p) {
  auto o = std::make_shared<vertex_options>();
  command cmd(app, p, "cores", "core numbers: the largest k for which each vertex is in the k-core",
              {.device = true, .reading = true, .type = true},
              {"tropic cores kron:16 --verify", "tropic cores graph.mtx --output cores.txt",
               "tropic cores grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  add_vertex_options(cmd, *o,
                     "write `vertex core` lines: the largest k whose k-core has the vertex",
                     "check against a serial removal of vertices");
  cmd.runs([&p, o] { return run_search(p, *o, cores{}); });
}

}  // namespace tropic::cli
