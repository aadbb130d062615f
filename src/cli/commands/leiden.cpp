// SPDX-License-Identifier: Apache-2.0

// `tropic leiden`: connected communities of large modularity.

#include "algorithms/leiden.hpp"

#include <memory>
#include <string>

#include "cli/commands/communities.hpp"

namespace tropic::cli {

namespace {

struct method_of_leiden {
  static constexpr const char *name = "leiden", *round = "iteration";

  static leiden_result find(const detail::matrix_base& graph, const leiden_options& options) {
    return algorithms::leiden(graph, options);
  }
  static index_t rounds(const leiden_result& result) { return result.iterations; }
  static std::string verify(const detail::matrix_base& graph, const leiden_result& result,
                            const leiden_options& options) {
    return algorithms::verify_leiden(graph, result, options);
  }
};

}  // namespace

void add_leiden(CLI::App& app, program& p) {
  auto o = std::make_shared<community_arguments<leiden_options>>();
  command cmd(
      app, p, "leiden",
      "connected communities of high modularity by the Leiden method; edges count both ways",
      {.device = true, .reading = true, .type = true},
      {"tropic leiden kron:12 --verify",
       "tropic leiden graph.mtx --weighted --output communities.txt",
       "tropic leiden grid:50 --resolution 2 --json"});
  add_community_options(cmd, *o);
  cmd.number<index_t>("--iterations", o->algorithm.iterations,
                      "repeat until no vertex moves, N times at most [10]", 1);
  add_trial_options(cmd, o->trial,
                    "check the modularity, that no union of two communities has more, and that "
                    "each is connected");
  cmd.runs([&p, o] { return run_communities<method_of_leiden>(p, *o); });
}

}  // namespace tropic::cli
