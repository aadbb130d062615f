// SPDX-License-Identifier: Apache-2.0

// Commands whose result is a set of edges.

#include "program.hpp"

namespace {

class Edges : public cli_tests::Program {};

TEST_F(Edges, OfATrussAreWrittenOnceWithTheirTriangles) {
  write("g.el", "0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n5 3\n3 5\n");
  EXPECT_EQ(run("tropic truss g.el --quiet --output - --device cpu").out,
            "0 1 1\n0 2 1\n1 2 1\n3 4 1\n3 5 1\n4 5 1\n");
  EXPECT_EQ(run("tropic truss g.el --k 4 --quiet --output - --device cpu").out, "");
  const auto found = parse("truss kron:8 --k 5 --verify --trials 3 --device cpu");
  EXPECT_EQ(found["k"], 5);
  EXPECT_EQ(found["checks"]["truss"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
  EXPECT_GT(found["edges"], 0);
  expect_refused("tropic truss g.el --k 2", "--k: found '2'");
}

TEST_F(Edges, OfAForestAreTheLightestOnesInOneDirection) {
  write("g.wel", "0 1 3\n1 2 1\n2 0 2\n2 3 5\n3 2 4\n5 4 2\n5 5 1\n");
  EXPECT_EQ(run("tropic spanning-forest g.wel --quiet --output - --device cpu").out,
            "0 2 2\n1 2 1\n2 3 4\n4 5 2\n");
  EXPECT_EQ(run("tropic spanning-forest g.wel --type fp32 --quiet --output - --device cpu").out,
            "0 2 2\n1 2 1\n2 3 4\n4 5 2\n");
  const auto found = parse("spanning-forest kron:8 --verify --trials 3 --device cpu");
  EXPECT_EQ(found["checks"]["forest"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
  EXPECT_EQ(found["edges"].get<int>() + found["trees"].get<int>(), 256);
  EXPECT_GT(found["iterations"], 0);
}

TEST_F(Edges, AreTheSameForEveryThreadCountAndDevice) {
  for (const std::string command : {"truss kron:9 --k 4", "spanning-forest kron:9"}) {
    const auto written = [&](const std::string& options) {
      return run("tropic " + command + " --quiet --output - " + options).out;
    };
    const std::string one = written("--device cpu --threads 1");
    EXPECT_GT(cli_tests::lines_of(one).size(), 100U) << command;
    for (const char* options : {"--device cpu --threads 3", "--device reference"})
      EXPECT_EQ(written(options), one) << command << " " << options;
  }
}

TEST_F(Edges, AreWrittenByTheNamesOfTheirVertices) {
  write("g.csv", "a,b\nRio de Janeiro,Bergen\nBergen,Zagreb\nZagreb,Rio de Janeiro\n");
  EXPECT_EQ(run("tropic truss g.csv --names --columns a,b --quiet --output - --device cpu").out,
            "Bergen \"Rio de Janeiro\" 1\nBergen Zagreb 1\n\"Rio de Janeiro\" Zagreb 1\n");
}

}  // namespace
