// SPDX-License-Identifier: Apache-2.0

// `tropic clustering`: the local clustering coefficient of every vertex.

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/local_clustering.hpp"
#include "cli/commands/vertex_values.hpp"

namespace tropic::cli {

namespace {

struct clustering {
  static constexpr const char *name = "clustering", *check = "coefficients";
  static constexpr auto append = append_number;
  static expected_products products() { return {.calls = 1}; }
  static auto find(const algorithms::any_graph& input) {
    return algorithms::local_clustering(input);
  }
  static auto values(const vector<double>& result) { return result.dense(-1); }
  static index_t iterations(const vector<double>&) { return 1; }  // one product
  static std::string describe(const vector<double>&, const std::vector<double>& values, report& r) {
    const double mean = values.empty() ? 0
                                       : std::accumulate(values.begin(), values.end(), 0.0) /
                                             static_cast<double>(values.size());
    r.extra["mean"] = mean;
    return fmt::format("mean     {:.6g}\n", mean);
  }
  static std::string verify(const algorithms::any_graph& input, const vector<double>& result) {
    return algorithms::verify_local_clustering(input, result);
  }
};

}  // namespace

void add_clustering(CLI::App& app, program& p) {
  auto o = std::make_shared<vertex_options>();
  command cmd(app, p, "clustering",
              "clustering coefficients: the share of pairs of neighbours that are adjacent",
              {.device = true, .reading = true, .type = true},
              {"tropic clustering kron:12 --verify",
               "tropic clustering graph.mtx --output coefficients.txt",
               "tropic clustering grid:300 --trials 5 --json"});
  cmd.argument("FILE", o->file, file_help);
  add_vertex_options(
      cmd, *o,
      "write `vertex coefficient` lines: the share of pairs of neighbours that are adjacent",
      "check against a serial search");
  cmd.runs([&p, o] { return run_search(p, *o, clustering{}); });
}

}  // namespace tropic::cli
