// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/pagerank_batch.hpp"

#include <tropic/algorithms/verify/pagerank_batch.hpp>

using namespace tropic;

namespace {

/// Three columns: one vertex, all vertices with different weights, every third vertex.
full_matrix<double> preferences_of(const context& where, index_t n) {
  full_matrix<double> preferences(where, n, 3);
  preferences.set(n / 2, 0, 2);
  for (index_t v = 0; v < n; ++v) preferences.set(v, 1, 1 + static_cast<double>(v % 5));
  for (index_t v = 0; v < n; v += 3) preferences.set(v, 2, 0.25);
  return preferences;
}

template <class T>
void expect_columns_of_single_runs(const matrix<T>& graph, const pagerank_options& options,
                                   double relative) {
  const index_t n = graph.rows();
  const auto preferences = preferences_of(graph.where(), n);
  const pagerank_batch_result found = pagerank_batch(graph, preferences, options);
  EXPECT_EQ(verify_pagerank_batch(graph, preferences, found, options), "");
  for (index_t s = 0; s < 3; ++s) {
    SCOPED_TRACE("preference " + std::to_string(s));
    const pagerank_result one = pagerank(graph, preferences.column(s), options);
    const pagerank_result column = found.run(s);
    const std::vector<double> expected = one.rank.dense(-1), rank = column.rank.dense(-1);
    for (std::size_t v = 0; v < rank.size(); ++v)
      EXPECT_NEAR(rank[v], expected[v], relative * expected[v]) << "vertex " << v;
    EXPECT_EQ(column.iterations, one.iterations);
    EXPECT_NEAR(column.change, one.change, relative);
    EXPECT_EQ(column.converged, one.converged);
  }
}

}  // namespace

TEST(PagerankBatch, OfSmallGraphsIsThatOfSingleRuns) {
  samples::on_small_graphs<float>([](const auto& graph) {
    if (graph.rows() == 0) return;
    for (const bool weighted : {false, true})
      for (const bool lose : {false, true})
        expect_columns_of_single_runs(
            graph, {.tolerance = 1e-7, .weighted = weighted, .lose_dangling = lose}, 1e-13);
    expect_columns_of_single_runs(graph, {.iterations = 3}, 1e-13);
    expect_columns_of_single_runs(graph, {.iterations = 0}, 0);
    expect_columns_of_single_runs(graph, {.tolerance = 1e-12, .max_iterations = 4}, 1e-13);
  });
}

TEST(PagerankBatch, OfSinglePrecisionIsThatOfSingleRuns) {
  for (const context& where : samples::contexts())
    for (const bool weighted : {false, true}) {
      const auto graph = make_matrix<std::int64_t>(where, kron(8, 8, 3, {.weighted = true}));
      expect_columns_of_single_runs(graph, {.iterations = 6, .weighted = weighted, .single = true},
                                    1e-5);
    }
}

// The worked example of docs/centrality.md: rank moves from 0 to 1, 2 and 3, which has no edges.
TEST(PagerankBatch, EqualsTheDefinition) {
  for (const context& where : samples::contexts()) {
    const auto graph = samples::directed(where, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
    full_matrix<double> preferences(where, 4, 2);
    preferences.set(0, 0, 1);
    preferences.set(3, 1, 5);
    const auto found = pagerank_batch(graph, preferences, {.damping = 0.5, .iterations = 3});
    // From (1, 0, 0, 0): (1/2, 1/2, 0, 0), (1/2, 1/4, 1/4, 0), (9/16, 1/4, 1/8, 1/16). From vertex
    // 3 the jumps, and the rank of 3, go back to 3.
    EXPECT_EQ(found.rank.column(0).dense(-1),
              (std::vector<double>{9.0 / 16, 1.0 / 4, 1.0 / 8, 1.0 / 16}));
    EXPECT_EQ(found.rank.column(1).dense(-1), (std::vector<double>{0, 0, 0, 1}));
    EXPECT_EQ(found.change, (std::vector<double>{0.25, 0}));
    EXPECT_EQ(found.iterations, (std::vector<index_t>{3, 3}));
  }
}

// Runs end one by one, and the batch is cut down in between.
TEST(PagerankBatch, EndsEveryRunByItself) {
  for (const context& where : samples::contexts()) {
    const auto graph = make_matrix<bool>(where, grid(12));
    const index_t n = graph.rows(), count = 20;
    full_matrix<double> preferences(where, n, count);
    for (index_t s = 0; s < count; ++s)  // the more vertices, the closer to the ranks of all
      for (index_t v = 0; v <= s * s * n / (count * count); ++v)
        preferences.set((v * 7) % n, s, static_cast<double>(1 + v % 3));
    const pagerank_options options{.tolerance = 1e-5};
    const auto found = pagerank_batch(graph, preferences, options);
    EXPECT_EQ(verify_pagerank_batch(graph, preferences, found, options), "");
    const auto [least, greatest] = std::ranges::minmax(found.iterations);
    EXPECT_LT(least + 3, greatest);
    for (index_t s = 0; s < count; ++s) {
      const pagerank_result one = pagerank(graph, preferences.column(s), options);
      EXPECT_EQ(found.run(s).iterations, one.iterations);
      EXPECT_TRUE(found.run(s).converged);
      // No vertex has more than four edges: both sum in one order.
      if (where.is_host()) {
        EXPECT_EQ(found.run(s).rank.dense(-1), one.rank.dense(-1));
      }
    }
  }
}

TEST(PagerankBatch, HasTheSameBitsForAnyThreadsAndAnyOtherColumns) {
  const auto entries = kron(9, 16, 5);
  std::vector<std::vector<double>> first;
  for (const int threads : {1, 2, 3}) {
    const context where = oracle::on_threads(threads);
    const auto graph = make_matrix<bool>(where, entries);
    const auto all = preferences_of(where, graph.rows());
    const auto found = pagerank_batch(graph, all);
    for (index_t s = 0; s < 3; ++s) {
      const auto rank = found.rank.column(s).dense(-1);
      if (threads == 1) first.push_back(rank);
      EXPECT_EQ(rank, first[static_cast<std::size_t>(s)]);
      const auto alone = pagerank_batch(graph, full_matrix<double>::from_column(all.column(s)));
      EXPECT_EQ(alone.rank.column(0).dense(-1), rank);
      EXPECT_EQ(alone.run(0).change, found.run(s).change);
    }
  }
}

TEST(PagerankBatch, OfEveryTypeIsThatOfTheTypedGraph) {
  const context where = oracle::on_threads(2);
  const auto list = samples::random_edges(60, 200, 8);
  const auto run = [&]<class T>(const matrix<T>& graph) {
    const auto preferences = preferences_of(where, 60);
    for (const bool weighted : {false, true})
      for (const bool single : {false, true}) {
        const pagerank_options options{.weighted = weighted, .single = single};
        const auto found = algorithms::pagerank_batch(graph.base(), preferences, options);
        EXPECT_EQ(found.rank.dense(-1), pagerank_batch(graph, preferences, options).rank.dense(-1));
        EXPECT_EQ(algorithms::verify_pagerank_batch(graph.base(), preferences, found, options), "");
      }
  };
  run(samples::directed<std::int32_t>(where, 60, list));
  run(samples::directed<double>(where, 60, list));
  run(samples::directed<bool>(where, 60, list));
}

TEST(PagerankBatch, RefusesWhatDoesNotFit) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const auto graph = samples::directed(where, 3, {{0, 1}});
  const full_matrix<double> ones(where, 3, 2, 1.0);
  EXPECT_NE(refusal([&] {
              pagerank_batch(matrix<bool>(where, 2, 3), ones);
            }).find("pagerank: a graph's matrix is square, this one is 2x3"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { pagerank_batch(graph, full_matrix<double>(where, 4, 2, 1.0)); }),
            "pagerank: preferences of 4 vertices, the graph has 3 vertices");
  EXPECT_NE(refusal([&] { pagerank_batch(graph, ones, {.damping = 2}); }).find("damping"),
            std::string::npos);
  for (const double wrong :
       {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    full_matrix<double> preferences = ones;
    preferences.set(1, 1, wrong);
    EXPECT_EQ(refusal([&] { pagerank_batch(graph, preferences); }),
              "pagerank: preferences in column 1 must not be negative, and need a positive finite "
              "sum");
  }
  EXPECT_NE(refusal([&] {
              pagerank_batch(graph, full_matrix<double>(where, 3, 1));
            }).find("preferences in column 0"),
            std::string::npos);
  EXPECT_EQ(pagerank_batch(graph, full_matrix<double>(where, 3, 0)).rank.columns(), 0);
  EXPECT_EQ(pagerank_batch(matrix<bool>(where, 0, 0), full_matrix<double>(where, 0, 0)).rank.rows(),
            0);
  // A graph without vertices has no ranks, with preferences as without.
  const auto found = pagerank_batch(matrix<bool>(where, 0, 0), full_matrix<double>(where, 0, 2));
  EXPECT_EQ(found.rank.columns(), 2);
  EXPECT_EQ(found.run(1).rank.size(), 0);
  EXPECT_EQ(found.run(1).iterations, 0);
  EXPECT_TRUE(found.run(1).converged);
  const auto one = pagerank(matrix<bool>(where, 0, 0), vector<double>(where, 0));
  EXPECT_EQ(one.rank.size(), 0);
  EXPECT_TRUE(one.converged);
}

TEST(PagerankBatch, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = samples::symmetric(where, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  const auto preferences = preferences_of(where, 4);
  const auto complaint = [&](const auto& change) {
    pagerank_batch_result found = pagerank_batch(graph, preferences);
    change(found);
    return verify_pagerank_batch(graph, preferences, found);
  };
  EXPECT_EQ(complaint([](auto&) {}), "");
  EXPECT_NE(complaint([](auto& found) {
              found.rank.set(0, 1, 0.9);
            }).find("with preference 1: the ranks sum to"),
            std::string::npos);
  EXPECT_NE(complaint([](auto& found) {  // a permutation of right ranks
              const double other = *found.rank.get(3, 2);
              found.rank.set(3, 2, *found.rank.get(1, 2));
              found.rank.set(1, 2, other);
            })
                .find("with preference 2: one more iteration moves the ranks by"),
            std::string::npos);
  EXPECT_NE(
      complaint([](auto& found) { found.converged[0] = false; }).find("converged says otherwise"),
      std::string::npos);
  EXPECT_EQ(complaint([&](auto& found) { found.rank = full_matrix<double>(where, 4, 2); }),
            "the result is 4x2 for 3 runs, the graph has 4 vertices and there are 3 preferences");
}

TEST(PagerankBatch, StopsWhenItIsCancelled) {
  context_options options;
  int calls = 0;
  options.progress = [cancel = options.cancel, &calls](std::string_view step, double) mutable {
    if (step == "pagerank" && ++calls == 3) cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    calls = 0;
    const auto graph = make_matrix<bool>(where, grid(20));
    EXPECT_THROW(pagerank_batch(graph, preferences_of(where, 400), {.iterations = 50}), cancelled);
    EXPECT_EQ(calls, 3);
  }
}
