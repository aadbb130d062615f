// SPDX-License-Identifier: Apache-2.0

// `tropic bench`: the commands that measure.

#include <CLI/CLI.hpp>

#include "cli/errors.hpp"
#include "cli/options.hpp"
#include "cli/program.hpp"

namespace tropic::cli {

void add_bench(CLI::App& app, program& p) {
  CLI::App* group = app.add_subcommand("bench",
                                       "measurements: bench bfs, bench sssp, bench pagerank, bench "
                                       "permute, bench tune, bench regret");
  group->require_subcommand(0, 1);
  group->callback([group, &p] {
    if (!group->get_subcommands().empty()) return;
    p.run = [group] {
      print(group->help());
      return success;
    };
  });
  add_bench_bfs(*group, p);
  add_bench_sssp(*group, p);
  add_bench_pagerank(*group, p);
  add_bench_permute(*group, p);
  add_bench_tune(*group, p);
  add_bench_regret(*group, p);
}

}  // namespace tropic::cli
