// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "samples.hpp"
#include "support/messages.hpp"

#include <numeric>
#include <tropic/algorithms/verify/pagerank.hpp>

using namespace tropic;

class PagerankOnRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(PagerankOnRealGraphs, VerifiesAndIsTheSameOnAnyNumberOfThreads) {
  TROPIC_NEEDS(path, GetParam());
  std::vector<double> first;
  for (const int threads : {1, 2}) {
    const auto graph =
        read_matrix<double>(oracle::device_or_threads(threads), path.string(), duplicates::minimum);
    const pagerank_result found = pagerank(graph);
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(verify_pagerank(graph, found), "");
    const auto rank = found.rank.dense(-1);
    EXPECT_NEAR(std::accumulate(rank.begin(), rank.end(), 0.0), 1, 1e-9);
    if (first.empty()) first = rank;
    EXPECT_EQ(rank, first);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, PagerankOnRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

namespace {

matrix<double> triangle_with_tail(const context& where) {  // 0 -> 1 -> 2 -> 0, 2 -> 3 (dangling)
  const std::vector<std::uint32_t> from{0, 1, 2, 2}, to{1, 2, 0, 3};
  const std::vector<double> weight{1, 1, 1, 3};
  return matrix<double>::from_entries(where, 4, 4, from, to, weight);
}

// Dense power iteration, directly from the definition.
std::vector<double> by_hand(const std::vector<std::vector<double>>& weight, double damping,
                            const std::vector<double>& teleport, int iterations,
                            bool lose_dangling = false) {
  const std::size_t n = weight.size();
  std::vector<double> rank = teleport;
  for (int t = 0; t < iterations; ++t) {
    std::vector<double> next(n, 0);
    for (std::size_t u = 0; u < n; ++u) {
      const double out = std::accumulate(weight[u].begin(), weight[u].end(), 0.0);
      for (std::size_t v = 0; v < n; ++v)
        next[v] += damping * rank[u] *
                   (out > 0         ? weight[u][v] / out
                    : lose_dangling ? 0
                                    : teleport[v]);
    }
    for (std::size_t v = 0; v < n; ++v) next[v] += (1 - damping) * teleport[v];
    rank = next;
  }
  return rank;
}

}  // namespace

TEST(Pagerank, ExactIterationsWithDanglingMassEqualTheDefinition) {
  const auto graph = triangle_with_tail(oracle::on_threads(1));
  pagerank_options options;
  options.iterations = 7;
  const auto found = pagerank(graph, options);
  const auto expected = by_hand({{0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 1}, {0, 0, 0, 0}}, 0.85,
                                {.25, .25, .25, .25}, 7);
  EXPECT_EQ(found.iterations, 7);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(found.rank.dense(0)[v], expected[v], 1e-15);
}

TEST(Pagerank, WeightsAndPersonalJumpsEqualTheDefinition) {
  const context where = oracle::on_threads(1);
  const auto graph = triangle_with_tail(where);
  pagerank_options options;
  options.iterations = 9;
  options.weighted = true;
  options.damping = 0.6;
  vector<double> preference(where, 4);
  preference.set(1, 3);
  preference.set(2, 1);
  const auto found = pagerank(graph, preference, options);
  const auto expected =
      by_hand({{0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 3}, {0, 0, 0, 0}}, 0.6, {0, .75, .25, 0}, 9);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(found.rank.dense(0)[v], expected[v], 1e-15);
}

TEST(Pagerank, LosesTheRankOfDanglingVerticesOnRequest) {
  for (const bool weighted : {false, true})
    for (const context& where : samples::contexts()) {
      const auto graph = triangle_with_tail(where);
      const pagerank_options options{.iterations = 6, .weighted = weighted, .lose_dangling = true};
      const auto found = pagerank(graph, options);
      const double tail = weighted ? 3 : 1;
      const auto expected = by_hand({{0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, tail}, {0, 0, 0, 0}},
                                    0.85, {.25, .25, .25, .25}, 6, true);
      for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(found.rank.dense(0)[v], expected[v], 1e-15);
      EXPECT_EQ(verify_pagerank(graph, found, options), "");
      EXPECT_NE(verify_pagerank(graph, found, {.weighted = weighted}), "");
    }
}

// Sums of fp32: within some roundings of those of fp64, on graphs with vertices of many edges.
TEST(Pagerank, OfSinglePrecisionIsCloseToThatOfDouble) {
  for (const context& where : samples::contexts())
    for (const bool weighted : {false, true})
      for (const bool lose : {false, true}) {
        const auto graph = make_matrix<std::int64_t>(where, kron(10, 16, 3, {.weighted = true}));
        pagerank_options options{.iterations = 12, .weighted = weighted, .lose_dangling = lose};
        const std::vector<double> expected = pagerank(graph, options).rank.dense(-1);
        options.single = true;
        const auto found = pagerank(graph, options);
        EXPECT_EQ(verify_pagerank(graph, found, options), "");
        const std::vector<double> rank = found.rank.dense(-1);
        bool differs = false;
        for (std::size_t v = 0; v < rank.size(); ++v) {
          EXPECT_NEAR(rank[v], expected[v], 1e-5 * expected[v]) << v;
          EXPECT_EQ(rank[v], static_cast<double>(static_cast<float>(rank[v])));
          differs |= rank[v] != expected[v];
        }
        EXPECT_TRUE(differs);
        const auto again = pagerank(graph, options);
        EXPECT_EQ(again.rank.dense(-1), rank);
      }
}

// A double counts edges beyond 2^24 exactly; weights that fp32 cannot sum are refused.
TEST(Pagerank, OfSinglePrecisionRefusesWeightsBeyondItsRange) {
  const context where = oracle::on_threads(1);
  matrix<double> large(where, 3, 3);
  large.set(0, 1, 1e39);
  EXPECT_THROW(pagerank(large, pagerank_options{.weighted = true, .single = true}), usage_error);
  EXPECT_NO_THROW(pagerank(large, pagerank_options{.weighted = true}));
}

// They would become zeros, and the vertex one without outgoing edges.
TEST(Pagerank, OfSinglePrecisionRefusesAVertexWhoseWeightsAreAllTooSmall) {
  for (const context& where : samples::contexts()) {
    const pagerank_options options{.weighted = true, .single = true};
    auto graph = matrix<double>::from_entries(where, 3, 3, {0, 1, 1}, {1, 0, 2}, {1, 1e-60, 1e-50});
    EXPECT_NE(tropic::testing::message_of<usage_error>([&] {
                pagerank(graph, options);
              }).find("the weights that leave a vertex are too small"),
              std::string::npos);
    EXPECT_NO_THROW(pagerank(graph, pagerank_options{.weighted = true}));
    // Beside a larger one they count for nothing; a weight of 0 is no edge.
    graph.set(1, 2, 1);
    graph.set(2, 0, 0);
    EXPECT_EQ(verify_pagerank(graph, pagerank(graph, options), options), "");
  }
}

TEST(Pagerank, RefusesWhatMakesNoSense) {
  const context where = oracle::on_threads(1);
  const auto graph = triangle_with_tail(where);
  EXPECT_THROW(pagerank(matrix<double>(where, 2, 3)), usage_error);
  EXPECT_THROW(pagerank(graph, pagerank_options{.damping = 1.5}), usage_error);
  EXPECT_THROW(pagerank(graph, pagerank_options{.tolerance = -1}), usage_error);
  EXPECT_THROW(pagerank(graph, vector<double>(where, 4)), usage_error);
  matrix<double> tiny(where, 3, 3);
  tiny.set(0, 1, 5e-324);
  EXPECT_THROW(pagerank(tiny, pagerank_options{.weighted = true}), usage_error);
  tiny.set(0, 1, 1e-308);
  EXPECT_EQ(
      verify_pagerank(tiny, pagerank(tiny, pagerank_options{.weighted = true}), {.weighted = true}),
      "");
  EXPECT_THROW(pagerank(graph, vector<double>(where, 3, 1.0)), usage_error);
  EXPECT_EQ(pagerank(matrix<double>(where, 0, 0)).iterations, 0);
}

// An iteration that is expected to be the last leaves the next shares out. Where it is not the
// last, they are found then: ranks are those of as many iterations that were asked for.
TEST(Pagerank, ByToleranceAreThoseOfItsIterations) {
  for (const context& where : {oracle::on_threads(1), context::reference()}) {
    std::vector<matrix<double>> graphs{triangle_with_tail(where)};
    for (const std::uint64_t seed : {1U, 2U, 3U})
      graphs.push_back(make_matrix<double>(where, kron(5, 3, seed)));
    for (const auto& graph : graphs) {
      std::vector<double> changes;
      for (index_t k = 1; k < 9; ++k) changes.push_back(pagerank(graph, {.iterations = k}).change);
      for (const double change : changes)
        for (const double factor : {1.0, 0.999999, 0.9, 0.7, 0.5, 0.2}) {
          const double tolerance = factor * change;
          const auto found = pagerank(graph, {.tolerance = tolerance});
          const auto same = pagerank(graph, {.iterations = found.iterations});
          EXPECT_EQ(found.rank.dense(-1), same.rank.dense(-1)) << tolerance;
          EXPECT_EQ(found.change, same.change);
          EXPECT_LE(found.change, tolerance);
        }
    }
  }
}

TEST(Pagerank, TakesNoSharesAfterTheLastIteration) {
  const auto products = [](const pagerank_options& options) {
    const context where = context::reference({.profile = true});
    const auto graph = make_matrix<double>(where, kron(5, 3, 1));
    where.forget_profile();
    pagerank(graph, options);
    for (const operation_profile& o : where.profile())
      if (o.operation == "ewise") return o.calls;
    return std::uint64_t{0};
  };
  // The shares of each iteration, and the difference of ranks.
  EXPECT_EQ(products({.iterations = 1}), 2);
  EXPECT_EQ(products({.iterations = 5}), 10);
  EXPECT_EQ(products({.tolerance = 1e-9, .max_iterations = 3}), 6);
}

TEST(Pagerank, AgreesOnEveryBackend) {
  const auto coordinates = kron(6, 4, 2);
  const auto expected =
      pagerank(make_matrix<bool>(oracle::on_threads(1), coordinates)).rank.dense(-1);
  for (const context& where : {context::reference(), context::fake_device()}) {
    const auto found = pagerank(make_matrix<bool>(where, coordinates)).rank.dense(-1);
    for (std::size_t v = 0; v < expected.size(); ++v)
      EXPECT_NEAR(found[v], expected[v], 1e-14) << where.name();
  }
}
