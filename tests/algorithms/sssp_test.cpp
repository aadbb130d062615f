// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"

#include <limits>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/verify/sssp.hpp>

using namespace tropic;

namespace sssp_test {
namespace {

template <class T>
void expect_distances(const sssp_result<T>& found, const std::vector<double>& expected) {
  const auto distance = found.distance.dense(arithmetic::largest<T>());
  ASSERT_EQ(distance.size(), expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (expected[v] < 0)
      ASSERT_EQ(distance[v], arithmetic::largest<T>()) << "vertex " << v;
    else
      ASSERT_EQ(static_cast<double>(distance[v]), expected[v]) << "vertex " << v;
  }
}

matrix<std::int64_t> edges(const context& where, index_t n,
                           const std::vector<std::array<std::int64_t, 3>>& list) {
  std::vector<std::uint32_t> from, to;
  std::vector<std::int64_t> weight;
  for (const auto& [i, j, w] : list) {
    from.push_back(static_cast<std::uint32_t>(i));
    to.push_back(static_cast<std::uint32_t>(j));
    weight.push_back(w);
  }
  return matrix<std::int64_t>::from_entries(where, n, n, from, to, weight, duplicates::minimum);
}

}  // namespace

class SsspOnRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(SsspOnRealGraphs, DistancesEqualBoostsDijkstraOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  // Patterns get weights 1; real weights of ct2010 are integers in fp64 and stay exact.
  std::vector<double> expected;
  std::vector<index_t> first_parents;
  for (const int threads : {1, 2}) {
    const auto graph =
        read_matrix<double>(oracle::device_or_threads(threads), path.string(), duplicates::minimum);
    if (expected.empty()) expected = oracle::distances(oracle::make(graph), 1);
    const auto found = sssp(graph, 1);
    expect_distances(found, expected);
    EXPECT_EQ(verify_sssp(graph, 1, found), "");
    const auto parents = found.parent.dense(-1);
    if (first_parents.empty()) first_parents = parents;
    EXPECT_EQ(parents, first_parents);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, SsspOnRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

// The mean weight is kept with the matrix until that changes.
TEST(Sssp, ChoosesTheWidthOfBucketsByTheWeightsThatThereAre) {
  const auto where = context::cpu();
  const auto all_pairs = [&](std::int64_t weight) {
    std::vector<std::array<std::int64_t, 3>> list;
    for (std::int64_t i = 0; i < 40; ++i)
      for (std::int64_t j = 0; j < 40; ++j)
        list.push_back({i, j, i == 1 && j == 2 ? weight : 10'000});
    return edges(where, 40, list);
  };
  matrix<std::int64_t> graph = all_pairs(10'000);
  const double before = sssp(graph, 0).delta;
  const matrix<std::int64_t> copy = graph;
  graph.set(1, 2, 1'000'000);
  const double after = sssp(graph, 0).delta;
  EXPECT_GT(after, before);
  EXPECT_EQ(after, sssp(all_pairs(1'000'000), 0).delta);
  EXPECT_EQ(sssp(copy, 0).delta, before);
  // Weights whose sum int32 does not hold.
  constexpr std::int32_t large = std::numeric_limits<std::int32_t>::max() / 2;
  const std::vector<std::uint32_t> from{0, 1, 2}, to{1, 2, 3};
  const auto wide = matrix<std::int32_t>::from_entries(
      where, 4, 4, from, to, std::vector<std::int32_t>{large, large, large});
  for (int call = 0; call < 2; ++call)
    EXPECT_EQ(sssp<std::int64_t>(wide, 0).delta, static_cast<double>(large));
}

TEST(Sssp, NewYorkInIntegersEqualsBoost) {
  const std::string path = std::string(TROPIC_DATA) + "/USA-road-d.NY.mtx.xz";
  const auto graph = read_matrix<std::int64_t>(oracle::device_or_threads(2), path);
  const auto found = sssp(graph, 0);
  EXPECT_EQ(found.distance.nvals(), 264346);
  expect_distances(found, oracle::distances(oracle::make(graph), 0));
}

template <class T>
class SsspOverTypes : public ::testing::Test {};
using distance_types =
    ::testing::Types<std::int16_t, std::int32_t, std::uint16_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(SsspOverTypes, distance_types);

TYPED_TEST(SsspOverTypes, WeightedKroneckerEqualsBoostForEveryDelta) {
  generator_options weighted;
  weighted.weighted = true;
  weighted.type = builtin_code<TypeParam>();
  const auto graph = make_matrix<TypeParam>(oracle::on_threads(2), kron(10, 8, 3, weighted));
  const auto expected = oracle::distances(oracle::make(graph), 5);
  for (const double delta : {0.0, 1.0, 7.0, 1000.0}) {
    const auto found = sssp(graph, 5, {.delta = delta});
    expect_distances(found, expected);
    EXPECT_EQ(verify_sssp(graph, 5, found), "");
  }
}

TEST(Sssp, ParentsAreTheSmallestValidOnes) {
  const auto graph = edges(oracle::on_threads(1), 5,
                           {{0, 3, 1}, {0, 2, 1}, {0, 1, 5}, {3, 4, 1}, {2, 4, 1}, {1, 4, 0}});
  EXPECT_EQ(sssp(graph, 0).parent.dense(-1), (std::vector<index_t>{0, 0, 0, 0, 2}));
}

TEST(Sssp, ZeroWeightsNeverMakeACycleOfParents) {
  const auto graph =
      edges(oracle::on_threads(1), 4, {{0, 3, 2}, {3, 1, 0}, {1, 2, 0}, {2, 1, 0}, {2, 3, 0}});
  const auto found = sssp(graph, 0);
  EXPECT_EQ(found.distance.dense(-1), (std::vector<std::int64_t>{0, 2, 2, 2}));
  EXPECT_EQ(verify_sssp(graph, 0, found), "");
}

TEST(Sssp, WeightsThatRoundingAbsorbsNeverMakeACycleOfParents) {
  const std::vector<std::uint32_t> from{2, 0, 1}, to{0, 1, 0};
  const auto graph = matrix<double>::from_entries(oracle::on_threads(1), 3, 3, from, to,
                                                  std::vector<double>{1, 1e-20, 1e-20});
  const auto found = sssp(graph, 2);
  EXPECT_EQ(found.parent.dense(-1), (std::vector<index_t>{2, 0, 2}));
  EXPECT_EQ(verify_sssp(graph, 2, found), "");
}

TEST(Sssp, NegativeWeightsWithoutACycleAreBellmanFords) {
  const auto graph =
      edges(oracle::on_threads(2), 5, {{0, 1, 4}, {0, 2, 5}, {2, 1, -3}, {1, 3, 2}, {4, 0, -9}});
  const auto found = sssp(graph, 0);
  EXPECT_EQ(found.distance.dense(99), (std::vector<std::int64_t>{0, 2, 5, 4, 99}));
  EXPECT_EQ(found.parent.dense(-1), (std::vector<index_t>{0, 2, 0, 1, -1}));
  EXPECT_EQ(verify_sssp(graph, 0, found), "");
}

TEST(Sssp, InfiniteWeightsLeadNowhereBesideNegativeOnes) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<std::uint32_t> from{0, 1, 0}, to{1, 2, 3};
  const auto graph = matrix<double>::from_entries(oracle::on_threads(1), 4, 4, from, to,
                                                  std::vector<double>{inf, -1, 1});
  const auto found = sssp(graph, 0);
  EXPECT_EQ(found.distance.dense(-9), (std::vector<double>{0, -9, -9, 1}));
  EXPECT_EQ(found.parent.dense(-1), (std::vector<index_t>{0, -1, -1, 0}));
  EXPECT_EQ(verify_sssp(graph, 0, found), "");
}

TEST(Sssp, ANegativeCycleIsReportedWithAVertexOnIt) {
  // 2 -> 3 -> 4 -> 2 weighs -1; 0 and 1 lead there.
  const auto graph = edges(oracle::on_threads(1), 6,
                           {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, -3}, {4, 2, 1}, {4, 5, 1}});
  try {
    sssp(graph, 0);
    FAIL() << "the cycle was not found";
  } catch (const negative_cycle& e) {
    EXPECT_TRUE(e.vertex >= 2 && e.vertex <= 4) << e.vertex;
  }
  // Harmless if it cannot be reached.
  EXPECT_EQ(sssp(graph, 5).distance.nvals(), 1);
}

TEST(Sssp, ANegativeLoopAtTheSourceIsACycle) {
  const auto graph = edges(oracle::on_threads(1), 2, {{0, 0, -1}, {0, 1, 1}});
  EXPECT_THROW(sssp(graph, 0), negative_cycle);
}

TEST(Sssp, ALongNegativeCycleIsFoundInALargeGraph) {
  const auto grid_edges = grid(60);
  std::vector<std::uint32_t> from = grid_edges.row, to = grid_edges.column;
  std::vector<std::int64_t> weight(from.size(), 10);
  for (std::size_t e = 0; e < from.size(); ++e)  // one edge that compensates for the way back
    if (from[e] == 1830 && to[e] == 1831) weight[e] = -11;
  const auto graph =
      matrix<std::int64_t>::from_entries(oracle::on_threads(2), 3600, 3600, from, to, weight);
  try {
    sssp(graph, 0);
    FAIL() << "the cycle was not found";
  } catch (const negative_cycle& e) {
    EXPECT_GE(e.vertex, 0);
  }
}

TEST(Sssp, NaNWeightsAreRefused) {
  const context where = oracle::on_threads(1);
  const std::vector<std::uint32_t> from{0}, to{1};
  const std::vector<double> weight{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(sssp(matrix<double>::from_entries(where, 2, 2, from, to, weight), 0), usage_error);
}

TEST(Sssp, RunsOnAnEdgelessGraphAndOnTheReferenceAndFakeDevices) {
  const matrix<float> edgeless(oracle::on_threads(1), 3, 3);
  EXPECT_EQ(sssp(edgeless, 2).distance.nvals(), 1);
  generator_options weighted;
  weighted.weighted = true;
  const auto coordinates = urand(6, 4, 1, weighted);
  for (const context& where : {context::reference(), context::fake_device()}) {
    const auto graph = make_matrix<std::int64_t>(where, coordinates);
    EXPECT_EQ(verify_sssp(graph, 3, sssp(graph, 3)), "") << where.name();
  }
}

}  // namespace sssp_test
