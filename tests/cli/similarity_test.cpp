// SPDX-License-Identifier: Apache-2.0

// `tropic similarity`.

#include "program.hpp"

namespace {

class Similarity : public cli_tests::Program {
 protected:
  Similarity() { write("g.el", "0 1\n1 2\n2 3\n3 0\n1 3\n4 1\n"); }
};

TEST_F(Similarity, OfGivenPairsIsWrittenInTheirOrder) {
  write("pairs.txt", "# two\n2,0\n\n1\t3\n4 4\n");
  EXPECT_EQ(run("tropic similarity g.el --undirected --pairs pairs.txt --quiet --output - "
                "--device cpu")
                .out,
            "2 0 1\n1 3 0.40000000000000002\n4 4 1\n");
  const auto found = parse(
      "similarity g.el --undirected --pairs pairs.txt --measure overlap "
      "--verify --trials 2 --device cpu");
  EXPECT_EQ(found["pairs"], 3);
  EXPECT_EQ(found["measure"], "overlap");
  EXPECT_EQ(found["checks"]["similarity"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
  EXPECT_EQ(found["top"][0]["from"], 2);
  EXPECT_EQ(found["top"][2]["similarity"].get<double>(), 2.0 / 3);
}

TEST_F(Similarity, OfAllPairsIsWrittenOnceOrForEveryVertex) {
  EXPECT_EQ(
      run("tropic similarity g.el --undirected --threshold 0.5 --quiet --output - --device cpu")
          .out,
      "0 2 1\n0 4 0.5\n2 4 0.5\n");
  EXPECT_EQ(run("tropic similarity g.el --undirected --top 1 --quiet --output - --device cpu").out,
            "0 2 1\n1 3 0.40000000000000002\n2 0 1\n3 1 0.40000000000000002\n4 0 0.5\n");
  EXPECT_EQ(run("tropic similarity g.el --quiet --output - --device cpu").out, "0 4 1\n1 2 0.5\n")
      << "directed";
}

TEST_F(Similarity, IsTheSameForEveryThreadCountAndDevice) {
  const auto written = [&](const std::string& options) {
    return run("tropic similarity kron:8 --measure cosine --top 3 --quiet --output - " + options)
        .out;
  };
  const std::string one = written("--device cpu --threads 1");
  EXPECT_GT(cli_tests::lines_of(one).size(), 300U);
  for (const std::string& device : devices())
    EXPECT_EQ(written("--threads 3 --device " + device), one) << device;
}

TEST_F(Similarity, NamesItsVertices) {
  write("g.csv", "a,b\nRio de Janeiro,Bergen\nZagreb,Bergen\n");
  write("pairs.txt", "\"Rio de Janeiro\" Zagreb\n");
  for (const char* options : {"", "--pairs pairs.txt"})
    EXPECT_EQ(run("tropic similarity g.csv --names --columns a,b --quiet --output - --device cpu " +
                  std::string(options))
                  .out,
              "\"Rio de Janeiro\" Zagreb 1\n");
}

TEST_F(Similarity, RefusesWhatItCannotUse) {
  write("short.txt", "0 1\n2\n");
  write("long.txt", "0 1 2\n");
  write("far.txt", "0 9\n");
  expect_refused("tropic similarity g.el --pairs short.txt",
                 "short.txt:2: found the end of the line, expected a vertex");
  expect_refused("tropic similarity g.el --pairs long.txt",
                 "long.txt:1: found '2', expected the end of the line");
  expect_refused("tropic similarity g.el --pairs far.txt",
                 "far.txt:1: found '9', expected a vertex of the graph, which has 0 to 4");
  expect_refused("tropic similarity g.el --pairs missing.txt", "missing.txt");
  expect_refused("tropic similarity g.el --measure dice",
                 "--measure: found 'dice', expected jaccard, overlap or cosine");
  expect_refused("tropic similarity g.el --threshold 2", "--threshold: found '2'");
  expect_refused("tropic similarity g.el --top -1", "--top: found '-1'");
  expect_refused("tropic similarity g.el --top 1 --pairs short.txt", "--pairs");
  expect_refused("tropic similarity - --format el --pairs - < g.el",
                 "--pairs: found standard input, which FILE is read from");
}

TEST_F(Similarity, HasExamplesThatRun) {
  write("graph.mtx",
        "%%MatrixMarket matrix coordinate integer general\n4 4 5\n1 2 3\n1 3 1\n3 2 1\n2 4 2\n"
        "4 1 5\n");
  write("pairs.txt", "0 2\n1 3\n");
  int count = 0;
  for (const std::string& line : cli_tests::lines_of(run("tropic similarity --help").out))
    if (line.starts_with("  tropic ")) {
      ++count;
      EXPECT_EQ(run(line).exit_code, 0) << line;
    }
  EXPECT_EQ(count, 3);
}

}  // namespace
