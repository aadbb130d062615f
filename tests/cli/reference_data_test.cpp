// SPDX-License-Identifier: Apache-2.0

// The LDBC Graphalytics example graphs against their published results, and road networks with
// their own vertex numbers.

#include <cmath>
#include <sstream>

#include "program.hpp"

namespace cli_tests {
namespace {

class ReferenceData : public Program {
 protected:
  std::map<long long, std::string> published(const std::string& name) const {
    return values_of(contents(shared_file("reference/ldbc-example/" + name)));
  }
  std::map<long long, std::string> ours(const std::string& command) const {
    const outcome found = run("tropic " + command + " --quiet --verify --output o");
    EXPECT_EQ(found.exit_code, 0) << command << "\n" << found.err;
    return values_of(contents(path("o")));
  }
  void compare(const std::string& graph, const std::string& flags, int source) const {
    const std::string file = shared_file("reference/ldbc-example/" + graph + ".e").string();
    const std::string from = " --source " + std::to_string(source);
    const auto levels = ours("bfs " + file + flags + from);
    const auto expected_levels = published(graph + "-BFS");
    ASSERT_EQ(levels.size(), expected_levels.size());
    for (const auto& [vertex, level] : expected_levels)
      EXPECT_EQ(levels.at(vertex), level == "9223372036854775807" ? "-1" : level) << vertex;
    const auto distances = ours("sssp " + file + flags + from);
    for (const auto& [vertex, distance] : published(graph + "-SSSP")) {
      if (distance == "Infinity")
        EXPECT_EQ(distances.at(vertex), "inf");
      else
        EXPECT_NEAR(std::stod(distances.at(vertex)), std::stod(distance), 1e-12) << vertex;
    }
    const auto ranks = ours("pagerank " + file + flags + " --iterations 2 --damping 0.85");
    const auto expected_ranks = published(graph + "-PR");
    ASSERT_EQ(ranks.size(), expected_ranks.size());
    for (const auto& [vertex, rank] : expected_ranks)
      EXPECT_NEAR(std::stod(ranks.at(vertex)), std::stod(rank), 1e-12) << vertex;
  }
};

TEST_F(ReferenceData, TheDirectedExampleIsReproduced) {
  NEEDS_SHARED_DATA();
  compare("example-directed", "", 1);
}

TEST_F(ReferenceData, TheUndirectedExampleIsReproduced) {
  NEEDS_SHARED_DATA();
  compare("example-undirected", " --undirected", 2);
}

TEST_F(ReferenceData, OfNewYorksRoadsIsTheSameInBothFormats) {
  NEEDS_SHARED_DATA();
  const std::string roads = shared_file("graphs/USA-road-d.NY.mtx.xz").string();
  const auto zero_based = ours("sssp " + roads + " --source 0");
  ASSERT_EQ(zero_based.size(), 264346U);
  ASSERT_EQ(run("tropic convert " + roads + " ny.gr --quiet --type int64").exit_code, 0);
  const auto one_based = ours("sssp ny.gr --source 1");
  ASSERT_EQ(one_based.size(), zero_based.size());
  for (const auto& [vertex, distance] : zero_based)
    ASSERT_EQ(std::stod(one_based.at(vertex + 1)), std::stod(distance)) << vertex;
}

TEST_F(ReferenceData, OfEveryFormatOfOneGraphIsRead) {
  NEEDS_SHARED_DATA();
  for (const char* name : {"4.el", "4.gr", "4.graph", "4.mtx", "4.wel", "4w.graph", "4w.mtx"}) {
    const std::string file = shared_file("reference/gapbs/graphs/" + std::string(name)).string();
    EXPECT_EQ(run("tropic info " + file).exit_code, 0) << name;
    EXPECT_EQ(ours("bfs " + file).size(), 14U) << name;
  }
}

}  // namespace
}  // namespace cli_tests
