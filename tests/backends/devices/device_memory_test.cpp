// SPDX-License-Identifier: Apache-2.0

// An algorithm on a device that runs out of memory midway: the error names the step, nothing leaks,
// and the graph stays usable.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backends/devices/algorithm_runs.hpp"
#include "containers/context_state.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace {

constexpr std::size_t limit = std::size_t{16} << 20;

class DeviceMemory : public OnContext {
 protected:
  context_options options() override {
    context_options result;
    result.memory_limit = limit;
    result.progress = [this](std::string_view, double) {
      if (++checkpoints_ == scarce_from_ && at_checkpoint_) at_checkpoint_();
    };
    return result;
  }
  // The step before "memory limit: N bytes required, M bytes free".
  void expect_step(const out_of_memory& e) {
    static const std::set<std::string> known{"betweenness",
                                             "bfs",
                                             "components",
                                             "strong components",
                                             "coloring",
                                             "cores",
                                             "spanning forest",
                                             "diagonal",
                                             "from_sparse",
                                             "from_entries",
                                             "to_csr",
                                             "to_coo",
                                             "copy of a matrix",
                                             "label_propagation",
                                             "louvain",
                                             "pagerank",
                                             "leiden",
                                             "diameter",
                                             "permute",
                                             "similarity",
                                             "sssp",
                                             "step_list",
                                             "vxm",
                                             "mxv",
                                             "mxm",
                                             "reduce_mxm",
                                             "extract",
                                             "transpose",
                                             "triangles",
                                             "from_csr",
                                             "ewise_add",
                                             "ewise_multiply",
                                             "apply",
                                             "select",
                                             "assign",
                                             "reduce",
                                             "vector",
                                             "set",
                                             "nvals",
                                             "get",
                                             "conversion of a vector",
                                             "offsets of a matrix"};
    const std::string text = e.what(), step = text.substr(0, text.find(':'));
    EXPECT_TRUE(known.contains(step)) << text;
    EXPECT_NE(text.find(std::to_string(e.required) + " bytes required"), std::string::npos) << text;
    steps_.insert(step);
  }
  // In a quick run on PoCL each algorithm is in one of two tests, which the seed selects.
  std::vector<named_algorithm> algorithms_of(std::size_t test) const {
    std::vector<named_algorithm> some;
    std::uint64_t number = base_seed() + test;
    for (const named_algorithm& algorithm : algorithms())
      if (number++ % 2 == 0 || !is_sample()) some.push_back(algorithm);
    return some;
  }
  bool is_sample() const { return is_on_pocl(where()) && is_quick_run(); }

  int checkpoints_ = 0, scarce_from_ = 2;
  std::function<void()> at_checkpoint_;            // of that number
  std::unique_ptr<vector<std::uint8_t>> ballast_;  // an allocation that fails
  std::set<std::string> steps_;
};

TEST_P(DeviceMemory, AFailedAllocationOfARunHarmsNothing) {
  const io::coordinates entries = kron(5, 4, 1, {.weighted = true});
  const auto step = static_cast<long>(is_sample() ? 3 : every_nth());
  const auto first = static_cast<long>(is_sample() ? base_seed() % 3 : first_of_every_nth());
  auto& account = where().state()->account;
  for (const named_algorithm& algorithm : algorithms_of(0)) {
    SCOPED_TRACE(algorithm.name);
    const auto expected = algorithm.on(context::cpu(), entries)();
    EXPECT_TRUE(is_right(algorithm, expected, algorithm.on(where(), entries)()));
    const std::size_t used = where().memory_used();
    bool succeeded = false;
    long failures = 0;
    for (long n = first; n < 3000 && !succeeded; n += step) {
      {
        const algorithm_run run = algorithm.on(where(), entries);
        account.fail_after(n);
        try {
          run();
          succeeded = true;
        } catch (const out_of_memory& e) {
          expect_step(e);
          ++failures;
        }
        account.fail_after(-1);
        ASSERT_TRUE(is_right(algorithm, expected, run())) << "after allocation " << n;
      }
      ASSERT_EQ(where().memory_used(), used) << "after allocation " << n;
    }
    EXPECT_TRUE(succeeded);
    EXPECT_GT(failures, 0);
    RecordProperty(algorithm.name + "_failures", static_cast<int>(failures));
  }
  EXPECT_GT(steps_.size(), 2u);
}

// From the second iteration on: memory for more and more of its vectors, finally for all. Steps
// grow with the room, as some algorithms need a hundred times what others do.
TEST_P(DeviceMemory, ARunEndsWhenItReachesTheLimit) {
  const int scale = is_sample() ? 10 : 12;
  const io::coordinates entries = kron(scale, 16, 5, {.weighted = true});
  const std::size_t vertices = std::size_t{1} << scale;
  for (const named_algorithm& algorithm : algorithms_of(1)) {
    SCOPED_TRACE(algorithm.name);
    const auto expected = algorithm.on(context::cpu(), entries)();
    const algorithm_run run = algorithm.on(where(), entries);
    EXPECT_TRUE(is_right(algorithm, expected, run()));
    const std::size_t used = where().memory_used();
    int failures = 0;
    bool succeeded = false;
    // All rounds of a bfs have their memory before the first.
    scarce_from_ = algorithm.iterates && algorithm.name != "bfs" ? 2 : 1;
    const std::size_t least_step = 2 * vertices * every_nth();
    // The part of the room that the next try has more.
    const std::size_t part = !is_quick_run() ? 8 : is_sample() ? 1 : 2;
    for (std::size_t room = 0; room < limit / 2 && !succeeded;
         room += std::max(least_step, room / part)) {
      checkpoints_ = 0;
      at_checkpoint_ = [&, this] {
        const auto bytes = static_cast<index_t>(limit - where().memory_used() - room);
        ballast_ = std::make_unique<vector<std::uint8_t>>(where(), bytes, std::uint8_t{1});
      };
      try {
        const auto found = run();
        succeeded = true;
        EXPECT_TRUE(is_right(algorithm, expected, found));
      } catch (const out_of_memory& e) {
        expect_step(e);
        ++failures;
      }
      EXPECT_GE(checkpoints_, scarce_from_);
      at_checkpoint_ = nullptr;
      ballast_ = nullptr;
      EXPECT_LE(where().memory_used(), used) << "after " << room << " bytes of room";
      ASSERT_TRUE(is_right(algorithm, expected, run())) << "after " << room << " bytes of room";
    }
    EXPECT_TRUE(succeeded);
    EXPECT_GT(failures, every_nth() > 1 ? 0 : 1);
    RecordProperty(algorithm.name + "_failures", failures);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceMemory, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
