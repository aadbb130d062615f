// SPDX-License-Identifier: Apache-2.0

// tropic_bench_permute: every kind of permutation is measured, and its product is checked.

#include <nlohmann/json.hpp>

#include <set>

#include "../cli/program.hpp"

namespace cli_tests {
namespace {

const std::vector<std::string> kinds{"none",         "random-row",          "random-row-column",
                                     "gradient-row", "gradient-row-column", "degree",
                                     "rcm",          "dense-last"};

class PermuteBench : public Program {
 protected:
  PermuteBench() : Program("tropic_bench_permute", TROPIC_BENCH_PERMUTE) {
    write("wide.mtx",
          "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 1.5\n2 3 2\n3 1 4\n");
  }
};

TEST_F(PermuteBench, MeasuresEveryKind) {
  const auto found = parse("kron:8 --repeat 3 --threads 2 --device cpu --seed 5");
  EXPECT_EQ(found["command"], "bench permute");
  EXPECT_EQ(found["threads"], 2);
  EXPECT_EQ(found["repeats"], 3);
  EXPECT_EQ(found["checks"]["same_products"], true);
  ASSERT_EQ(found["kinds"].size(), kinds.size());
  for (std::size_t n = 0; n < kinds.size(); ++n) {
    const auto& kind = found["kinds"][n];
    EXPECT_EQ(kind["kind"], kinds[n]);
    std::set<std::string> engines;
    for (const auto& [name, rate] : kind["gflops"].items()) {
      engines.insert(name);
      EXPECT_GT(rate["min"], 0);
      EXPECT_LE(rate["min"], rate["mean"]);
      EXPECT_LE(rate["mean"], rate["max"]);
    }
    EXPECT_EQ(engines, (std::set<std::string>{"coo", "csr", "coo_split", "csr_split", "cpu pull"}));
    // Permuting moves rows and columns whole.
    for (const char* part : {"rows", "columns"})
      EXPECT_NEAR(kind["entropy"][part]["mean"].get<double>(),
                  found["kinds"][0]["entropy"][part]["mean"].get<double>(), 1e-9);
    EXPECT_GE(kind["imbalance"]["min"], 1);
    EXPECT_LE(kind["imbalance"]["max"], 2);
    const auto& blocks = kind["entropy"]["blocks"];
    const bool random = kinds[n].starts_with("random") || kinds[n].starts_with("gradient");
    EXPECT_EQ(blocks["min"] < blocks["max"], random) << kinds[n];
    EXPECT_GT(kind["p_value"], 0);
  }
  EXPECT_EQ(found["kinds"][0]["distance"], 0);
  EXPECT_EQ(found["kinds"][0]["p_value"], 1);
}

TEST_F(PermuteBench, MeasuresRectanglesAndDevicesAndPrintsATable) {
  const auto wide = parse("wide.mtx --repeat 1 --device reference");
  EXPECT_EQ(wide["kinds"].size(), kinds.size() - 1) << "no rcm";
  for (const auto& kind : wide["kinds"]) EXPECT_NE(kind["kind"], "rcm");
  const outcome text = run("tropic_bench_permute kron:6 --repeat 2 --threads 2 --device cpu");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"kron:6: 64 x 64, ",
                           "permute  2 repetitions, seeds from 1; min, mean, max; split: equal "
                           "rows on 2 threads",
                           "  GFlop/s ", " csr_split ", "\n  gradient-row-column ", " imbalance ",
                           "check    same_products: ok"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
  expect_refused("tropic_bench_permute kron:6 --repeat 0",
                 "--repeat: found '0', expected a whole number from 1");
  if (run("tropic spmv kron:4 --device opencl").exit_code != 0) return;
  const auto device = parse("kron:6 --repeat 1 --device opencl");
  EXPECT_EQ(device["checks"]["same_products"], true);
  for (const auto& kind : device["kinds"])
    for (const char* kernel : {"opencl:0 csr_vector", "opencl:0 coo"})
      EXPECT_GT(kind["gflops"][kernel]["min"], 0);
}

}  // namespace
}  // namespace cli_tests
