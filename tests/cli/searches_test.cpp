// SPDX-License-Identifier: Apache-2.0

// `tropic bfs --sources`, `tropic diameter` and `tropic leiden`.

#include "program.hpp"

namespace {

class Searches : public cli_tests::Program {
 protected:
  Searches() { write("g.el", "0 1\n1 2\n2 3\n4 1\n"); }
};

TEST_F(Searches, FromManySourcesWriteAValueForEach) {
  write("sources.txt", "0 4\n3\n");
  EXPECT_EQ(run("tropic bfs g.el --sources sources.txt --quiet --output - --device cpu").out,
            "0 0 -1 -1\n1 1 1 -1\n2 2 2 -1\n3 3 3 0\n4 -1 0 -1\n");
  EXPECT_EQ(
      run("tropic bfs g.el --sources sources.txt --quiet --output-parents - --device cpu").out,
      "0 0 -1 -1\n1 0 4 -1\n2 1 1 -1\n3 2 2 3\n4 -1 4 -1\n");
  const auto found = parse("bfs g.el --sources sources.txt --verify --trials 2 --device cpu");
  EXPECT_EQ(found["at_once"], true);
  EXPECT_EQ(found["searches"].size(), 3U);
  EXPECT_EQ(found["searches"][1]["source"], 4);
  EXPECT_EQ(found["searches"][1]["reached"], 4);
  EXPECT_EQ(found["searches"][1]["depth"], 3);
  EXPECT_EQ(found["checks"]["levels_and_parents"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
}

TEST_F(Searches, FromManySourcesAreTheSameOnEveryDevice) {
  write("sources.txt", "1 2 3 5 8 13 21 34\n");
  const auto written = [&](const std::string& options) {
    return run("tropic bfs kron:7 --sources sources.txt --quiet --output - " + options).out;
  };
  const std::string one = written("--device cpu --threads 1");
  EXPECT_EQ(cli_tests::lines_of(one).size(), 128U);
  for (const std::string& device : devices())
    EXPECT_EQ(written("--threads 3 --device " + device), one) << device;
}

TEST_F(Searches, FromManySourcesRefuseWhatTheyCannotUse) {
  write("none.txt", "# none\n");
  write("far.txt", "0\n5\n");
  expect_refused("tropic bfs g.el --sources none.txt", "none.txt: found no vertices");
  expect_refused("tropic bfs g.el --sources far.txt",
                 "far.txt:2: found '5', expected a vertex of the graph, which has 0 to 4");
  expect_refused("tropic bfs g.el --sources far.txt --source 1", "--sources");
  expect_refused("tropic bfs g.el --sources far.txt --permute random-row-column", "--sources");
}

TEST_F(Searches, FindDistancesBetweenPairs) {
  write("w.wel", "0 1 3\n1 2 4\n2 0 1\n3 1 2\n");
  write("pairs.txt", "0 2\n3 0\n0 3\n0 2\n1 1\n");
  for (const char* options : {"--device cpu", "--device reference", "--device cpu --type fp64",
                              "--device cpu --permute random-row-column"})
    EXPECT_EQ(
        run("tropic sssp w.wel --pairs pairs.txt --quiet --output - " + std::string(options)).out,
        "0 2 7\n3 0 7\n0 3 inf\n0 2 7\n1 1 0\n")
        << options;
  const auto found = parse("sssp w.wel --pairs pairs.txt --verify --trials 2 --device cpu");
  EXPECT_EQ(found["pairs"], 5);
  EXPECT_EQ(found["connected"], 4);
  EXPECT_EQ(found["iterations"], 3);
  EXPECT_EQ(found["saturated"], 0);
  EXPECT_EQ(found["type"], "int64");
  EXPECT_EQ(found["checks"]["shortest_paths"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
  write("far.txt", "0 7\n");
  expect_refused("tropic sssp w.wel --pairs far.txt", "far.txt:1: found '7'");
  expect_refused("tropic sssp w.wel --pairs pairs.txt --source 0", "--pairs");
  expect_refused("tropic sssp w.wel --pairs pairs.txt --output-parents p.txt", "--pairs");
  write("negative.wel", "0 1 -3\n1 0 1\n");
  write("pair.txt", "0 1\n");
  expect_refused("tropic sssp negative.wel --pairs pair.txt --device cpu",
                 "a cycle of negative length");
}

TEST_F(Searches, EndAtALimit) {
  write("w.wel", "0 1 3\n1 2 4\n2 0 1\n3 1 2\n");
  write("pairs.txt", "0 2\n3 0\n2 1\n");
  for (const char* options : {"--device cpu", "--device reference", "--device cpu --type fp64",
                              "--device cpu --permute random-row-column"}) {
    const std::string common = " --quiet --output - " + std::string(options);
    EXPECT_EQ(run("tropic sssp w.wel --source 0 --limit 6.5" + common).out,
              "0 0\n1 3\n2 inf\n3 inf\n")
        << options;
    EXPECT_EQ(run("tropic sssp w.wel --source 0 --limit 7" + common).out, "0 0\n1 3\n2 7\n3 inf\n")
        << options;
    EXPECT_EQ(run("tropic sssp w.wel --pairs pairs.txt --limit 6" + common).out,
              "0 2 inf\n3 0 inf\n2 1 4\n")
        << options;
  }
  EXPECT_EQ(
      run("tropic sssp w.wel --source 0 --limit 3 --quiet --output-parents - --device cpu").out,
      "0 0\n1 0\n2 -1\n3 -1\n");
  const auto found = parse("sssp w.wel --source 0 --limit 3 --verify --device cpu");
  EXPECT_EQ(found["limit"], 3);
  EXPECT_EQ(found["reached"], 2);
  EXPECT_EQ(found["checks"]["shortest_paths"], true);
  const auto pairs = parse("sssp w.wel --pairs pairs.txt --limit 6 --verify --device cpu");
  EXPECT_EQ(pairs["limit"], 6);
  EXPECT_EQ(pairs["connected"], 1);
  EXPECT_EQ(pairs["checks"]["shortest_paths"], true);
  EXPECT_FALSE(parse("sssp w.wel --source 0 --device cpu").contains("limit"));
  EXPECT_NE(run("tropic sssp w.wel --source 0 --limit 3 --device cpu")
                .out.find("reaches 2 of 4 vertices within 3; farthest is 1 at 3"),
            std::string::npos);
  expect_refused("tropic sssp w.wel --limit -1", "--limit: found '-1', expected a number from 0");
  write("negative.wel", "0 1 -3\n1 2 1\n");
  expect_refused("tropic sssp negative.wel --limit 3 --device cpu",
                 "a limit needs weights from 0, a weight is negative");
}

TEST_F(Searches, BoundTheDiameter) {
  for (const std::string& device : devices()) {
    const auto found = parse("diameter g.el --exact --verify --trials 2 --device " + device);
    EXPECT_EQ(found["lower"], 3);
    EXPECT_EQ(found["upper"], 3);
    EXPECT_EQ(found["checks"]["diameter"], true);
    EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
  }
  const auto bounds = parse("diameter grid:20 --verify --device cpu");
  EXPECT_EQ(bounds["lower"], 38);
  EXPECT_GE(bounds["upper"], 38);
  EXPECT_EQ(bounds["checks"]["diameter"], true);
}

TEST_F(Searches, FindConnectedCommunities) {
  write("cliques.el", "0 1\n0 2\n1 2\n3 4\n3 5\n4 5\n2 3\n");
  EXPECT_EQ(run("tropic leiden cliques.el --undirected --quiet --output - --device cpu").out,
            "0 0\n1 0\n2 0\n3 3\n4 3\n5 3\n");
  const auto found = parse("leiden kron:8 --verify --trials 2 --device cpu");
  EXPECT_EQ(found["checks"]["communities"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
  EXPECT_GE(found["modularity"].get<double>(),
            parse("louvain kron:8 --device cpu")["modularity"].get<double>());
  // The same graph with directions: the modularity is that of the undirected graph.
  for (const std::string method : {"louvain", "leiden"}) {
    const auto directed = parse(method + " cliques.el --device cpu"),
               undirected = parse(method + " cliques.el --undirected --device cpu");
    EXPECT_NEAR(directed["modularity"].get<double>(), 12.0 / 14 - 0.5, 1e-12);
    EXPECT_NEAR(undirected["modularity"].get<double>(), 12.0 / 14 - 0.5, 1e-12);
    EXPECT_EQ(directed["modularity_of"], "A + A'");
    EXPECT_EQ(undirected["modularity_of"], "A");
  }
  expect_refused("tropic leiden cliques.el --iterations 0", "--iterations: found '0'");
  expect_refused("tropic leiden cliques.el --resolution -1", "--resolution: found '-1'");
}

TEST_F(Searches, HaveExamplesThatRun) {
  write("graph.mtx",
        "%%MatrixMarket matrix coordinate integer general\n4 4 5\n1 2 3\n1 3 1\n3 2 1\n2 4 2\n"
        "4 1 5\n");
  for (const char* command : {"diameter", "leiden"}) {
    int count = 0;
    const auto help = run("tropic " + std::string(command) + " --help").out;
    for (const std::string& line : cli_tests::lines_of(help))
      if (line.starts_with("  tropic ")) {
        ++count;
        EXPECT_EQ(run(line).exit_code, 0) << line;
      }
    EXPECT_GT(count, 1) << command;
  }
}

}  // namespace
