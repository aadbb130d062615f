// SPDX-License-Identifier: Apache-2.0
// The LDBC Graphalytics example graphs and their published outputs.
#include "oracle.hpp"

#include <fstream>
#include <map>
#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/label_propagation.hpp>
#include <tropic/algorithms/local_clustering.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp.hpp>

using namespace tropic;

namespace {

struct example {
  const char* name;
  bool undirected;
  index_t source;  // LDBC's own vertex number
};
constexpr example examples[] = {{"example-directed", false, 1}, {"example-undirected", true, 2}};

std::map<index_t, std::string> expected(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::map<index_t, std::string> values;
  index_t vertex = 0;
  for (std::string value; in >> vertex >> value;) values[vertex] = value;
  return values;
}

class Ldbc : public ::testing::TestWithParam<example> {
 protected:
  void SetUp() override {
    folder_ = oracle::shared("reference/ldbc-example");
    if (folder_.empty()) GTEST_SKIP() << "the LDBC example is not at hand in ../shared/data";
    coordinates_ = io::read(folder_ / (std::string(GetParam().name) + ".e"),
                            {.type = type_code::fp64, .undirected = GetParam().undirected});
    const auto& ids = coordinates_.vertex_ids;
    source_ = std::lower_bound(ids.begin(), ids.end(), GetParam().source) - ids.begin();
  }
  std::map<index_t, std::string> output(const char* algorithm) const {
    return expected(folder_ / (std::string(GetParam().name) + "-" + algorithm));
  }
  index_t id(std::size_t v) const { return coordinates_.vertex_ids[v]; }

  std::filesystem::path folder_;
  io::coordinates coordinates_;
  index_t source_ = 0;
};

}  // namespace

TEST_P(Ldbc, BreadthFirstSearchEqualsThePublishedOutput) {
  const auto want = output("BFS");
  ASSERT_FALSE(want.empty());
  const auto graph = make_matrix<double>(context::cpu(), coordinates_);
  const auto level = bfs(graph, source_).level.dense(std::numeric_limits<index_t>::max());
  ASSERT_EQ(level.size(), want.size());
  for (std::size_t v = 0; v < level.size(); ++v)
    EXPECT_EQ(std::to_string(level[v]), want.at(id(v))) << "vertex " << id(v);
}

TEST_P(Ldbc, ShortestPathsEqualThePublishedOutput) {
  const auto want = output("SSSP");
  ASSERT_FALSE(want.empty());
  const auto graph = make_matrix<double>(context::cpu(), coordinates_);
  const auto distance =
      sssp(graph, source_).distance.dense(std::numeric_limits<double>::infinity());
  ASSERT_EQ(distance.size(), want.size());
  for (std::size_t v = 0; v < distance.size(); ++v) {
    if (want.at(id(v)) == "Infinity")
      EXPECT_TRUE(std::isinf(distance[v])) << "vertex " << id(v);
    else
      EXPECT_NEAR(distance[v], std::stod(want.at(id(v))), 1e-12) << "vertex " << id(v);
  }
}

TEST_P(Ldbc, PagerankEqualsThePublishedOutput) {
  const auto want = output("PR");
  ASSERT_FALSE(want.empty());
  const auto graph = make_matrix<double>(context::cpu(), coordinates_);
  pagerank_options options;
  options.iterations = 2;
  const auto rank = pagerank(graph, options).rank.dense(-1);
  ASSERT_EQ(rank.size(), want.size());
  for (std::size_t v = 0; v < rank.size(); ++v)
    EXPECT_NEAR(rank[v], std::stod(want.at(id(v))), 1e-12) << "vertex " << id(v);
}

// Their labels are other members of the components than ours: the partitions are compared.
TEST_P(Ldbc, ConnectedComponentsEqualThePublishedOutput) {
  const auto want = output("WCC");
  ASSERT_FALSE(want.empty());
  const auto graph = make_matrix<double>(context::cpu(), coordinates_);
  const auto label = connected_components(graph).label.dense(-1);
  ASSERT_EQ(label.size(), want.size());
  std::map<index_t, std::string> theirs;
  std::map<std::string, index_t> ours;
  for (std::size_t v = 0; v < label.size(); ++v) {
    EXPECT_EQ(theirs.try_emplace(label[v], want.at(id(v))).first->second, want.at(id(v)));
    EXPECT_EQ(ours.try_emplace(want.at(id(v)), label[v]).first->second, label[v]);
  }
}

TEST_P(Ldbc, LocalClusteringEqualsThePublishedOutput) {
  const auto want = output("LCC");
  ASSERT_FALSE(want.empty());
  const auto graph = make_matrix<double>(context::cpu(), coordinates_);
  const auto coefficient = local_clustering(graph).dense(-1);
  ASSERT_EQ(coefficient.size(), want.size());
  for (std::size_t v = 0; v < coefficient.size(); ++v)
    EXPECT_NEAR(coefficient[v], std::stod(want.at(id(v))), 1e-12) << "vertex " << id(v);
}

// Positions are in the order of LDBC's numbers, so that ties are resolved alike.
TEST_P(Ldbc, LabelPropagationEqualsThePublishedOutput) {
  const auto want = output("CDLP");
  ASSERT_FALSE(want.empty());
  auto graph = make_matrix<double>(context::cpu(), coordinates_);
  if (GetParam().undirected) graph.assume_symmetric();
  const auto label = label_propagation(graph, 2).label.dense(-1);
  ASSERT_EQ(label.size(), want.size());
  for (std::size_t v = 0; v < label.size(); ++v)
    EXPECT_EQ(std::to_string(id(static_cast<std::size_t>(label[v]))), want.at(id(v)))
        << "vertex " << id(v);
}

INSTANTIATE_TEST_SUITE_P(Examples, Ldbc, ::testing::ValuesIn(examples), [](const auto& info) {
  return info.param.undirected ? "Undirected" : "Directed";
});
