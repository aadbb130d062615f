// SPDX-License-Identifier: Apache-2.0

// Algorithms on devices report every iteration by name and end with `cancelled` at each of them if
// the token is set; the graph stays usable.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "backends/devices/algorithm_runs.hpp"
#include "support/cancelling.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace {

class DeviceCancel : public Cancelling<OnContext> {
 protected:
  std::ptrdiff_t reported(const std::string& step) const {
    return std::ranges::count(steps_, step);
  }
};

// One launch runs many rounds of BFS and of shortest paths (iterate_until); it is reported once.
TEST_P(DeviceCancel, ProgressNamesTheAlgorithmAtEveryCheckBetweenIterations) {
  const auto graph = make_matrix<std::int64_t>(where(), grid(20, {.weighted = true}));
  let_run();
  const bfs_result levels = bfs(graph, 1);
  EXPECT_GE(reported("bfs"), 1);
  EXPECT_LE(reported("bfs"), levels.depth + 1);
  let_run();
  const auto paths = sssp(graph, 1);
  EXPECT_GE(reported("sssp"), 1);
  EXPECT_LE(reported("sssp"), paths.steps);
  let_run();
  const pagerank_result ranks = pagerank(graph);
  EXPECT_EQ(reported("pagerank"), ranks.iterations);
}

// The numbers, from 1, of the checkpoints at which runs end: the first of each step, the last, and
// as many others as `others`, selected by the seed; all of them if there are no more. Each takes
// two runs, and some algorithms have a thousand.
std::vector<std::size_t> checkpoints_to_end_at(const std::vector<std::string>& steps,
                                               std::size_t others) {
  std::set<std::size_t> chosen;
  std::set<std::string> seen;
  dice random(base_seed());
  for (std::size_t n = 1; n <= steps.size(); ++n)
    if (seen.insert(steps[n - 1]).second || n == steps.size()) chosen.insert(n);
  const std::size_t wanted = std::min(steps.size(), chosen.size() + others);
  while (chosen.size() < wanted) chosen.insert(1 + random.next() % steps.size());
  return {chosen.begin(), chosen.end()};
}

TEST_P(DeviceCancel, EndsARunAtAnyIterationAndTheGraphIsUsableAfterwards) {
  const bool is_sample = is_on_pocl(where()) && is_quick_run();
  const std::size_t others = is_sample ? 2 : 8;
  // On a GPU, one launch runs all rounds of BFS on smaller graphs.
  const io::coordinates entries = kron(is_sample ? 9 : 12, 16, 5, {.weighted = true});
  for (const named_algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    const auto expected = algorithm.on(context::cpu(), entries)();
    const algorithm_run run = algorithm.on(where(), entries);
    let_run();
    EXPECT_TRUE(is_right(algorithm, expected, run()));
    const std::size_t checkpoints = steps_.size();
    ASSERT_GE(checkpoints, algorithm.iterates ? 2u : 1u);
    for (const std::size_t n : checkpoints_to_end_at(steps_, others)) {
      let_run(n);
      EXPECT_THROW(run(), cancelled) << "at checkpoint " << n;
      EXPECT_EQ(steps_.size(), n) << "it went on";
      let_run();
      EXPECT_TRUE(is_right(algorithm, expected, run())) << "after checkpoint " << n;
      EXPECT_EQ(steps_.size(), checkpoints);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceCancel, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
