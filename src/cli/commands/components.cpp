// SPDX-License-Identifier: Apache-2.0

// `tropic components`: the weak components of a graph.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/connected_components.hpp"
#include "cli/commands/component_labels.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct weak_components {
  static constexpr const char *name = "components", *check = "labels";
  static constexpr auto append = append_vertex;
  static expected_products products() { return {}; }
  static auto find(const algorithms::any_graph& input) {
    return algorithms::connected_components(input);
  }
  static auto values(const components_result& result) { return result.label.dense(-1); }
  static index_t iterations(const components_result& result) { return passes_of(result.rounds); }
  static std::string describe(const components_result& result, const std::vector<index_t>& labels,
                              report& r) {
    return describe_components(result.components, labels, r);
  }
  static std::string verify(const algorithms::any_graph& input, const components_result& result) {
    return algorithms::verify_connected_components(input, result);
  }
};

}  // namespace

void add_components(CLI::App& app, program& p) {
  auto o = std::make_shared<vertex_options>();
  command cmd(
      app, p, "components", "connected components: which vertices are connected by paths",
      {.device = true, .reading = true, .type = true},
      {"tropic components kron:16 --verify", "tropic components graph.mtx --output labels.txt",
       "tropic components grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  add_vertex_options(cmd, *o,
                     "write `vertex label` lines; the label is the component's first vertex",
                     "check against a serial union of the edges");
  cmd.runs([&p, o] { return run_search(p, *o, weak_components{}); });
}

}  // namespace tropic::cli
