// SPDX-License-Identifier: Apache-2.0

// Algorithms on devices tell of every iteration by name, and end with `cancelled` at whichever of
// them the token is set; the graph is there for the next run.

#include <gtest/gtest.h>

#include "backends/algorithm_runs.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class DeviceCancel : public OnContext {
 protected:
  context_options options() override {
    context_options made;
    made.cancel = cancel_;
    made.progress = [this](std::string_view step, double) {
      steps_.emplace_back(step);
      if (steps_.size() == stop_at_) cancel_.cancel();
    };
    return made;
  }
  void let_run() {
    cancel_.reset();
    stop_at_ = 0;
    steps_.clear();
  }
  std::ptrdiff_t reported(const std::string& step) const {
    return std::ranges::count(steps_, step);
  }

  const cancel_token cancel_;
  std::size_t stop_at_ = 0;
  std::vector<std::string> steps_;
};

// One launch runs many rounds of BFS and of shortest paths (iterate_until), and is told of once.
TEST_P(DeviceCancel, ProgressNamesTheAlgorithmAtEveryLookBetweenIterations) {
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

TEST_P(DeviceCancel, EndsARunAtAnyIterationAndTheGraphIsUsableAfterwards) {
  const io::coordinates entries = kron(12, 16, 5, {.weighted = true});
  for (const named_algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    const auto expected = algorithm.on(context::cpu(), entries)();
    const algorithm_run run = algorithm.on(where(), entries);
    let_run();
    EXPECT_TRUE(is_right(algorithm, expected, run()));
    const std::size_t checkpoints = steps_.size();
    EXPECT_GE(checkpoints, 2u);
    for (std::size_t n = 1; n <= checkpoints; ++n) {
      let_run();
      stop_at_ = n;
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
