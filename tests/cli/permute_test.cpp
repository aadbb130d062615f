// SPDX-License-Identifier: Apache-2.0

// --permute: outputs are the same as without it, byte by byte, and reports name the permutation.

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace cli_tests {
namespace {

const std::vector<std::string> kinds{"none",         "random-row",          "random-row-column",
                                     "gradient-row", "gradient-row-column", "degree",
                                     "rcm",          "dense-last"};

class Permute : public Program {
 protected:
  Permute() {
    // A directed graph with arbitrary vertex numbers and an unreachable vertex.
    write("roads.gr", "p sp 6 7\na 1 3 4\na 1 2 4\na 2 4 1\na 3 4 1\na 4 5 2\na 5 2 7\na 6 1 1\n");
    write("minus.mtx",
          "%%MatrixMarket matrix coordinate integer general\n5 5 6\n1 2 4\n1 3 4\n2 4 -1\n"
          "3 4 -1\n4 5 -2\n2 5 1\n");
    write("cycle.mtx",
          "%%MatrixMarket matrix coordinate integer general\n9 9 9\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n"
          "5 6 1\n6 7 1\n7 8 1\n8 9 1\n9 6 -9\n");
    write("wide.mtx",
          "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 1.5\n2 3 2\n3 1 4\n");
  }
  std::string result(const std::string& command) const {
    const outcome found =
        run("tropic " + command + " --device cpu --quiet --output o --output-parents p");
    EXPECT_EQ(found.exit_code, 0) << command << "\n" << found.err;
    return contents(path("o")) + "parents\n" + contents(path("p"));
  }
};

TEST_F(Permute, LeavesLevelsDistancesAndParentsAsTheyAre) {
  EXPECT_EQ(run("tropic generate kron 9 k.tropic --weights --seed 3").exit_code, 0);
  for (const std::string command :
       {"bfs roads.gr --source 1", "sssp roads.gr --source 1", "sssp minus.mtx --source 0",
        "bfs k.tropic --source 5", "sssp k.tropic --source 5 --type fp32"}) {
    const std::string expected = result(command);
    for (const std::string& kind : kinds)
      for (const std::string seed : {"1", "2"})
        EXPECT_EQ(result(command + " --permute " + kind + " --permute-seed " + seed), expected)
            << command << ", " << kind;
  }
}

TEST_F(Permute, VerifiesOnEveryDevice) {
  write("seeds.txt", "3 1\n7 2\n");
  std::vector<std::string> lines{
      "pagerank kron:7 --tolerance 1e-9", "pagerank kron:7 --weighted --personalize seeds.txt",
      "spmv kron:7 --trials 1",
      "spmv kron:7 --trials 1 --kernel all --semiring min_plus --type fp32"};
  for (const std::string& command : graph_commands()) lines.push_back(command + " kron:7");
  for (const std::string& device : devices())
    for (const std::string& command : lines) {
      const auto found =
          parse(command + " --verify --permute gradient-row-column --device " + device);
      EXPECT_EQ(found["permutation"], "gradient-row-column");
      EXPECT_EQ(found["permute_seed"], 1);
      EXPECT_FALSE(found["checks"].empty());
      for (const auto& [check, passed] : found["checks"].items())
        EXPECT_EQ(passed, true) << command << " on " << device << ": " << check;
    }
  for (const std::string& kind : kinds)
    EXPECT_EQ(run("tropic spmv kron:7 --device cpu --verify --permute " + kind).exit_code, 0)
        << kind;
  EXPECT_EQ(run("tropic spmv wide.mtx --verify --permute random-row-column").exit_code, 0);
}

TEST_F(Permute, IsReportedWithItsTime) {
  for (const std::string& name : joined(graph_commands(), {"spmv"})) {
    const std::string command = name + " kron:8";
    const auto plain = parse(command + " --device cpu"),
               permuted = parse(command + " --device cpu --permute degree");
    EXPECT_EQ(plain["permutation"], "none");
    EXPECT_EQ(plain["seconds"]["convert"], 0);
    EXPECT_EQ(permuted["permutation"], "degree");
    EXPECT_GT(permuted["seconds"]["convert"], 0);
    EXPECT_FALSE(permuted.contains("permute_seed"));
    const outcome text =
        run("tropic " + command + " --device cpu --permute random-row --permute-seed 4");
    EXPECT_NE(text.out.find("\npermute  random-row by seed 4; "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find(", convert "), std::string::npos) << text.out;
  }
  EXPECT_EQ(run("tropic bfs kron:8").out.find("permute"), std::string::npos);
}

TEST_F(Permute, RefusesWhatIsNoKindOrDoesNotFit) {
  for (const std::string& command : joined(graph_commands(), {"spmv"})) {
    expect_refused("tropic " + command + " roads.gr --permute random",
                   "--permute: found 'random', expected one of auto, none, random-row, ");
    expect_refused("tropic " + command + " roads.gr --permute gradient-rows",
                   "; did you mean 'gradient-row'?");
    expect_refused("tropic " + command + " roads.gr --permute degree --permute-seed -1",
                   "--permute-seed: found '-1', expected a whole number");
  }
  expect_refused("tropic spmv wide.mtx --permute rcm",
                 "--permute: found 'rcm' for a 3x4 matrix, expected a square matrix");
  expect_refused("tropic spmv roads.gr --permute degree --semiring min_firstj",
                 "--permute: found a product of positions");
  // Vertices have the same names as without a permutation: 5 to 8 are on the cycle.
  const outcome plain = run("tropic sssp cycle.mtx --quiet");
  for (const std::string& kind : kinds)
    EXPECT_EQ(run("tropic sssp cycle.mtx --device cpu --quiet --permute " + kind).err, plain.err)
        << kind;
  expect_refused("tropic bfs roads.gr --source 7 --permute rcm",
                 "--source: found 7, expected a vertex of roads.gr, which has 1 to 6");
}

}  // namespace
}  // namespace cli_tests
