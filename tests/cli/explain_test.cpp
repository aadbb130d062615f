// SPDX-License-Identifier: Apache-2.0

// `tropic calibrate` and `explain`, and the plans of `spmv --calls`. The first of them measures the
// CPU once; the results are kept in a cache of the test.

#include <nlohmann/json.hpp>

#include "../support/surroundings.hpp"
#include "program.hpp"

namespace cli_tests {
namespace {

using nlohmann::json;

class Explain : public Program {
 protected:
  const tropic::testing::environment_variable cache_{"TROPIC_CACHE_DIR", path("cache").string()};
  const tropic::testing::environment_variable cache_on_{"TROPIC_CACHE", "on"};
};

TEST_F(Explain, MeasuresOnceThenSaysWhatWasWeighedAndWhy) {
  expect_refused("tropic calibrate --device cpu --show", "not measured yet");
  const outcome first = run("tropic explain kron:8 --device cpu --calls 100 --type fp32 --json");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.err.find("measuring cpu once"), std::string::npos) << first.err;
  const json found = json::parse(first.out);
  EXPECT_EQ(found["command"], "explain");
  EXPECT_EQ(found["kernel"], found["choice"]["kernel"]);
  EXPECT_EQ(found["features"]["nnz"], found["nnz"]);
  EXPECT_EQ(found["features"]["sampled"], found["nnz"]);
  ASSERT_EQ(found["candidates"].size(), 3u);
  EXPECT_EQ(found["candidates"][0]["kernel"], found["kernel"]);
  double before = 0;
  for (const json& candidate : found["candidates"]) {
    ASSERT_TRUE(candidate.contains("predicted")) << candidate;
    const double total = candidate["predicted"]["total"];
    EXPECT_GT(candidate["predicted"]["call"], 0.0);
    EXPECT_GE(total * 1.06, before);  // among ties the cheapest conversion comes first
    before = total;
  }

  const outcome second =
      run("tropic explain kron:8 --device cpu --calls 100 --type fp32 --measure --picture p.svg");
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.err.find("measuring"), std::string::npos) << second.err;
  for (const char* part : {"features", "candidates for 100 calls", "choice", "to best", "pull"})
    EXPECT_NE(second.out.find(part), std::string::npos) << part << "\n" << second.out;
  const std::string picture = contents(path("p.svg"));
  EXPECT_EQ(picture.rfind("<svg", 0), 0u);
  EXPECT_NE(picture.find("</svg>"), std::string::npos);

  const outcome shown = run("tropic calibrate --device cpu --show --json");
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const json constants = json::parse(shown.out);
  EXPECT_GT(constants["measurement_seconds"], 0.0);
  for (const char* key : {"pull/4", "pull/8", "pull_ends/4", "push/4", "hot_columns/8"})
    EXPECT_FALSE(constants["constants"][key]["call"].empty()) << key;

  const outcome spmv =
      run("tropic spmv kron:8 --device cpu --type fp32 --calls 100 --verify --json");
  ASSERT_EQ(spmv.exit_code, 0) << spmv.err;
  const outcome planned = run("tropic explain kron:8 --device cpu --calls 100 --type fp32 --json");
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  EXPECT_EQ(json::parse(spmv.out)["kernel"], json::parse(planned.out)["kernel"]);
  const outcome ranks = run("tropic pagerank kron:8 --device cpu --permute auto --json --verify");
  ASSERT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_NE(json::parse(ranks.out)["permutation_reason"], "");
}

TEST_F(Explain, RefusesWhatMakesNoSense) {
  expect_refused("tropic explain kron:8 --calls 0", "--calls");
  expect_refused("tropic explain kron:8 --picture /nowhere/p.svg", "/nowhere/p.svg");
  expect_refused("tropic explain kron:8 --semiring pluss_times", "plus_times");
  expect_refused("tropic calibrate --device reference", "several kernels");
  const outcome found = run("tropic explain kron:8 --device reference");
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_NE(found.out.find("the only kernel"), std::string::npos) << found.out;
}

}  // namespace
}  // namespace cli_tests
