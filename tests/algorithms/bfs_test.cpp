// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "support/messages.hpp"

#include <tropic/algorithms/verify/bfs.hpp>

using namespace tropic;

class BfsOnRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(BfsOnRealGraphs, LevelsEqualBoostAndParentsVerifyOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  std::vector<index_t> expected, first_parents;
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    if (expected.empty()) expected = oracle::levels(oracle::make(graph), 1);
    const bfs_result found = bfs(graph, 1);
    EXPECT_EQ(found.level.dense(-1), expected);
    EXPECT_EQ(verify_bfs(graph, 1, found), "");
    EXPECT_EQ(found.reached, found.level.nvals());
    const auto parents = found.parent.dense(-1);
    if (first_parents.empty()) first_parents = parents;
    EXPECT_EQ(parents, first_parents);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, BfsOnRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

TEST(Bfs, PullAndPushGiveTheSmallestParentOnAKroneckerGraph) {
  const auto graph = make_matrix<bool>(oracle::on_threads(2), kron(12, 16, 7));
  for (const index_t source : {0, 17, 4095})
    EXPECT_EQ(verify_bfs(graph, source, bfs(graph, source)), "");
}

TEST(Bfs, FollowsEdgesInTheirDirection) {
  const context where = oracle::on_threads(1);
  const std::vector<std::uint32_t> from{0, 1, 3}, to{1, 2, 0};
  const auto graph = matrix<float>::from_pattern(where, 4, 4, from, to, 2.5f);
  const bfs_result found = bfs(graph, 0);
  EXPECT_EQ(found.level.dense(-1), (std::vector<index_t>{0, 1, 2, -1}));
  EXPECT_EQ(found.parent.dense(-1), (std::vector<index_t>{0, 0, 1, -1}));
  EXPECT_EQ(found.depth, 2);
  EXPECT_EQ(found.reached, 3);
}

TEST(Bfs, RunsOnASingleVertexAndOnTheReferenceAndFakeDevices) {
  const matrix<double> lonely(oracle::on_threads(1), 1, 1);
  EXPECT_EQ(bfs(lonely, 0).reached, 1);
  const auto coordinates = grid(9);
  for (const context& where : {context::reference(), context::fake_device()}) {
    const auto graph = make_matrix<bool>(where, coordinates);
    EXPECT_EQ(verify_bfs(graph, 40, bfs(graph, 40)), "") << where.name();
  }
}

TEST(Bfs, RefusesRectanglesAndSourcesOutside) {
  const context where = oracle::on_threads(1);
  EXPECT_NE(tropic::testing::message_of<usage_error>([&] {
              bfs(matrix<bool>(where, 5, 6), 0);
            }).find("5x6"),
            std::string::npos);
  EXPECT_THROW(bfs(matrix<bool>(where, 5, 5), 5), usage_error);
  EXPECT_THROW(bfs(matrix<bool>(where, 5, 5), -1), usage_error);
  EXPECT_THROW(bfs(matrix<bool>(where, 0, 0), 0), usage_error);
}

TEST(Bfs, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "bfs") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(bfs(graph, 0), cancelled);
  }
}
