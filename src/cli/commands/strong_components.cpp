// SPDX-License-Identifier: Apache-2.0

// `tropic strong-components`: the strong components of a graph.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/strong_components.hpp"
#include "cli/commands/component_labels.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct strong_components {
  static constexpr const char *name = "strong-components", *check = "labels";
  static constexpr auto append = append_vertex;
  static expected_products products() { return {}; }
  static auto find(const algorithms::any_graph& input) {
    return algorithms::strong_components(input);
  }
  static auto values(const strong_components_result& result) { return result.label.dense(-1); }
  static index_t iterations(const strong_components_result& result) {
    return passes_of(result.rounds);
  }
  static std::string describe(const strong_components_result& result,
                              const std::vector<index_t>& labels, report& r) {
    return describe_components(result.components, labels, r);
  }
  static std::string verify(const algorithms::any_graph& input,
                            const strong_components_result& result) {
    return algorithms::verify_strong_components(input, result);
  }
};

}  // namespace

void add_strong_components(CLI::App& app, program& p) {
  auto o = std::make_shared<vertex_options>();
  command cmd(app, p, "strong-components",
              "strongly connected components: which vertices reach each other",
              {.device = true, .reading = true, .type = true},
              {"tropic strong-components kron:16 --verify",
               "tropic strong-components graph.mtx --output labels.txt",
               "tropic strong-components grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  add_vertex_options(cmd, *o,
                     "write `vertex label` lines; the label is the component's first vertex",
                     "check against a serial search");
  cmd.runs([&p, o] { return run_search(p, *o, strong_components{}); });
}

}  // namespace tropic::cli
