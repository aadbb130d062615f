// SPDX-License-Identifier: Apache-2.0

// `tropic label-propagation`: communities by the most frequent label around each vertex.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/label_propagation.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct label_propagation_arguments : vertex_options {
  index_t iterations = 10;
};

struct label_propagation {
  static constexpr const char *name = "label-propagation", *check = "labels";
  static constexpr auto append = append_vertex;
  index_t limit;

  expected_products products() const { return {.calls = limit}; }
  auto find(const algorithms::any_graph& input) const {
    return algorithms::label_propagation(input, limit);
  }
  static auto values(const label_propagation_result& result) { return result.label.dense(-1); }
  static index_t iterations(const label_propagation_result& result) { return result.iterations; }
  std::string describe(const label_propagation_result& result, const std::vector<index_t>&,
                       report& r) const {
    r.extra["labels"] = result.labels;
    return fmt::format("found    {} label{} after {} iteration{}{}\n", grouped(result.labels),
                       result.labels == 1 ? "" : "s", result.iterations,
                       result.iterations == 1 ? "" : "s",
                       result.iterations < limit ? ", the next ones change nothing" : "");
  }
  std::string verify(const algorithms::any_graph& input,
                     const label_propagation_result& result) const {
    return algorithms::verify_label_propagation(input, result, limit);
  }
};

}  // namespace

void add_label_propagation(CLI::App& app, program& p) {
  auto o = std::make_shared<label_propagation_arguments>();
  command cmd(app, p, "label-propagation",
              "communities: the most frequent label around each vertex (LDBC's CDLP)",
              {.device = true, .reading = true, .type = true},
              {"tropic label-propagation kron:12 --verify",
               "tropic label-propagation graph.mtx --iterations 5 --output labels.txt",
               "tropic label-propagation grid:50 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<index_t>("--iterations", o->iterations,
                      "run at most N iterations, stop when no label changes [10]", 0);
  add_vertex_options(cmd, *o, "write `vertex label` lines; a label is a vertex",
                     "check against serial iterations");
  cmd.runs([&p, o] { return run_search(p, *o, label_propagation{o->iterations}); });
}

}  // namespace tropic::cli
