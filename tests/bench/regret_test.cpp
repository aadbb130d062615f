// SPDX-License-Identifier: Apache-2.0

// tropic_bench_regret: a regret for every matrix, product and number of calls.

#include <nlohmann/json.hpp>

#include "../cli/program.hpp"
#include "../support/surroundings.hpp"

namespace cli_tests {
namespace {

class RegretBench : public Program {
 protected:
  RegretBench() : Program("tropic_bench_regret", TROPIC_BENCH_REGRET) {}

 private:
  const tropic::testing::environment_variable cache_{"TROPIC_CACHE_DIR", path("cache").string()};
  const tropic::testing::environment_variable cache_on_{"TROPIC_CACHE", "on"};
};

TEST_F(RegretBench, ComparesTheChoiceWithEveryCandidate) {
  const auto found = parse("kron:8 grid:20 --device cpu --rounds 3");
  EXPECT_EQ(found["command"], "bench regret");
  EXPECT_EQ(found["cases"], 2 * 4 * 3);
  EXPECT_EQ(found["regrets"].size(), 2U * 4 * 3);
  for (const auto& one : found["regrets"]) {
    EXPECT_GE(one["regret"], 1.0);
    if (one["calls"] == 1) {  // a single call is never inspected
      EXPECT_EQ(one["inspection"], 0.0);
    }
  }
  for (const auto& one : found["predictions"]) {
    EXPECT_GT(one["measured"], 0.0) << one;
    EXPECT_GT(one["predicted"], 0.0) << one;
  }
}

TEST_F(RegretBench, NeedsADeviceWithSeveralKernels) {
  expect_refused("tropic_bench_regret kron:8 --device reference", "several kernels");
  expect_refused("tropic_bench_regret", "found no FILE, expected one");
  expect_refused("tropic_bench_regret kron:8 --round 2", "expected --rounds");
}

}  // namespace
}  // namespace cli_tests
