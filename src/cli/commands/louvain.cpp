// SPDX-License-Identifier: Apache-2.0

// `tropic louvain`: communities of large modularity.

#include "algorithms/louvain.hpp"

#include <memory>
#include <string>

#include "cli/commands/communities.hpp"

namespace tropic::cli {

namespace {

struct method_of_louvain {
  static constexpr const char *name = "louvain", *round = "level";

  static louvain_result find(const detail::matrix_base& graph, const modularity_options& options) {
    return algorithms::louvain(graph, options);
  }
  static index_t rounds(const louvain_result& result) { return result.levels; }
  static std::string verify(const detail::matrix_base& graph, const louvain_result& result,
                            const modularity_options& options) {
    return algorithms::verify_louvain(graph, result, options);
  }
};

}  // namespace

void add_louvain(CLI::App& app, program& p) {
  auto o = std::make_shared<community_arguments<modularity_options>>();
  command cmd(app, p, "louvain",
              "communities of high modularity by the Louvain method; edges count both ways",
              {.device = true, .reading = true, .type = true},
              {"tropic louvain kron:12 --verify",
               "tropic louvain graph.mtx --weighted --output communities.txt",
               "tropic louvain grid:50 --resolution 2 --json"});
  add_community_options(cmd, *o);
  add_trial_options(cmd, o->trial,
                    "check the modularity, and that merging two communities never increases it");
  cmd.runs([&p, o] { return run_communities<method_of_louvain>(p, *o); });
}

}  // namespace tropic::cli
