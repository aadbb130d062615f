// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/sssp_between.hpp"

#include <tropic/algorithms/verify/sssp_between.hpp>

using namespace tropic;

namespace {

/// All pairs by Floyd and Warshall; `far` where there is no path.
constexpr std::int64_t far = std::int64_t{1} << 40;
template <class T>
std::vector<std::int64_t> all_pairs(const matrix<T>& graph) {
  const auto n = static_cast<std::size_t>(graph.rows());
  std::vector<std::int64_t> d(n * n, far);
  const auto coo = graph.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e) {
    auto& weight = d[coo.rows[e] * n + coo.columns[e]];
    weight = std::min(weight, static_cast<std::int64_t>(coo.values[e]));
  }
  for (std::size_t v = 0; v < n; ++v) d[v * n + v] = 0;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  return d;
}

}  // namespace

TEST(SsspBetween, OfSmallGraphsIsThatOfAllPairs) {
  samples::on_small_graphs<std::int32_t>([](const auto& graph) {
    const index_t n = graph.rows();
    const auto expected = all_pairs(graph);
    std::vector<index_t> from, to;
    for (index_t u = 0; u < n; u += 1 + n / 5)  // in no order, some of them twice
      for (index_t v = n; v-- > 0; v -= v > 2) {
        from.push_back((u * 7 + v % 2) % n);
        to.push_back(v);
      }
    const auto found = sssp_between(graph, from, to);
    EXPECT_EQ(verify_sssp_between(graph, from, to, found), "");
    const auto distance = found.distance.dense(far);
    ASSERT_EQ(distance.size(), from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      const std::int64_t right = expected[static_cast<std::size_t>(from[k] * n + to[k])];
      EXPECT_EQ(distance[k], right >= far ? far : right) << from[k] << " " << to[k];
    }
    EXPECT_EQ(found.saturated, 0);
  });
}

TEST(SsspBetween, SearchesOnceFromEveryFirstVertex) {
  for (const context& where : samples::contexts()) {
    const auto graph = samples::symmetric<float>(where, 10, samples::path(0, 8));
    const std::vector<index_t> from{3, 1, 3, 3, 1, 9}, to{0, 2, 3, 7, 9, 9};
    const auto found = sssp_between(graph, from, to);
    EXPECT_EQ(found.searches, 3);
    EXPECT_EQ(found.distance.nvals(), 5);  // 1 does not reach 9
    EXPECT_EQ(found.distance.dense(-1), (std::vector<float>{6, 2, 0, 7, -1, 0}));
    EXPECT_EQ(sssp_between(graph, {}, {}).searches, 0);
  }
}

// A round of these searches goes one edge further.
TEST(SsspBetween, EndsASearchWhenItHasItsTargets) {
  for (const context& where : samples::contexts()) {
    SCOPED_TRACE(where.name());
    const index_t side = 40;
    const auto graph = make_matrix<std::int32_t>(where, grid(side));
    const auto steps = [&](const std::vector<index_t>& to) {
      const std::vector<index_t> from(to.size(), 0);
      const auto found = sssp_between(graph, from, to);
      EXPECT_EQ(verify_sssp_between(graph, from, to, found), "");
      return found.steps;
    };
    const index_t all = sssp(graph, 0, {.parents = false}).steps;
    EXPECT_GE(all, 2 * (side - 1));
    EXPECT_EQ(steps({0}), 8);
    EXPECT_EQ(steps({1, side + 1, 2}), 8);
    // The farthest target counts, wherever it is in the list: 33 edges, and less than 8 more.
    EXPECT_LT(steps({33, 1}), 33 + 8);
    EXPECT_GE(steps({1, 33}), 33);
    EXPECT_EQ(steps({1, side * side - 1}), all);
  }
}

// Weights that do not ascend along the paths: what is met first is not what is nearest.
TEST(SsspBetween, EndsNoSearchTooEarly) {
  for (const context& where : samples::contexts())
    for (const unsigned seed : {1U, 2U, 3U}) {
      std::mt19937 random(seed);
      std::vector<std::uint32_t> from, to;
      std::vector<std::int32_t> weight;
      for (const auto& [u, v] : samples::grid_of(20)) {
        from.insert(from.end(), {u, v});
        to.insert(to.end(), {v, u});
        const auto w = static_cast<std::int32_t>(random() % 3 == 0 ? 1 : random() % 1000);
        weight.insert(weight.end(), 2, w);
      }
      const auto graph = matrix<std::int32_t>::from_entries(where, 400, 400, from, to, weight);
      std::vector<index_t> sources, targets;
      for (index_t k = 0; k < 30; ++k) {
        sources.push_back(static_cast<index_t>(random() % 5));
        targets.push_back(static_cast<index_t>(random() % 120));
      }
      for (const double delta : {0.0, 1.0, 50.0, 5000.0}) {
        const auto found = sssp_between(graph, sources, targets, {.delta = delta});
        const auto distance = found.distance.dense(-1);
        for (std::size_t k = 0; k < targets.size(); ++k)
          EXPECT_EQ(distance[k], sssp(graph, sources[k]).distance.get(targets[k])) << delta;
      }
    }
}

TEST(SsspBetween, StopsWhenItIsCancelled) {
  context_options options;
  int calls = 0, last = 0;
  options.progress = [&, cancel = options.cancel](std::string_view step, double) mutable {
    if (step == "sssp" && ++calls == last) cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)})
    for (const bool negative : {false, true}) {
      options.cancel.reset();
      auto graph = make_matrix<std::int32_t>(where, grid(20));
      if (negative) graph = samples::directed<std::int32_t>(where, 400, samples::grid_of(20));
      if (negative) graph.set(398, 399, -1);
      const std::vector<index_t> from{0, 1, 2, 3}, to{399, 398, 399, 3};
      calls = last = 0;
      EXPECT_EQ(sssp_between(graph, from, to).searches, 4);
      const int all = calls;
      EXPECT_GT(all, negative ? 3 : 8);
      for (const int at : {1, 2, all / 2, all}) {
        options.cancel.reset();
        calls = 0;
        last = at;
        EXPECT_THROW(sssp_between(graph, from, to), cancelled);
        EXPECT_EQ(calls, at);
      }
    }
}

TEST(SsspBetween, OfEveryTypeIsThatOfSingleSearches) {
  const context where = oracle::on_threads(2);
  const auto list = samples::random_edges(60, 200, 8);
  const std::vector<index_t> from{5, 1, 5}, to{2, 30, 50};
  const auto run = [&]<class T>(const matrix<T>& graph, type_code distances) {
    for (const bool relabelled : {false, true}) {
      const algorithms::any_graph input =
          relabelled ? algorithms::any_graph(graph.base(), permutation_kind::random_row, 3)
                     : algorithms::any_graph(graph.base());
      const auto found = algorithms::sssp_between(input, distances, from, to, {});
      EXPECT_EQ(found.searches, 2);
      EXPECT_EQ(found.steps, sssp_between(graph, from, to).steps);
      EXPECT_EQ(algorithms::verify_sssp_between(input, from, to, found, {}), "");
      EXPECT_EQ(vector<distance_type<T>>(found.distance).dense(-1),
                sssp_between(graph, from, to).distance.dense(-1));
    }
  };
  run(samples::symmetric<std::int32_t>(where, 60, list), type_code::int64);
  run(samples::directed<double>(where, 60, list), type_code::fp64);
}

TEST(SsspBetween, CountsDistancesThatAreClamped) {
  const context where = oracle::on_threads(1);
  const auto graph = matrix<std::int8_t>::from_entries(where, 3, 3, {0, 1}, {1, 2}, {100, 100});
  const std::vector<index_t> from{0, 0}, to{1, 2};
  const auto narrow = sssp_between<std::int8_t>(graph, from, to);
  EXPECT_EQ(narrow.saturated, 1);
  EXPECT_EQ(narrow.distance.dense(-1), (std::vector<std::int8_t>{100, 126}));
  EXPECT_NE(verify_sssp_between(graph, from, to, narrow).find("saturated"), std::string::npos);
  EXPECT_EQ(verify_sssp_between(graph, from, to, narrow, {.allow_saturation = true}), "");
  EXPECT_EQ(sssp_between(graph, from, to).distance.dense(-1),
            (std::vector<std::int64_t>{100, 200}));
}

// Negative weights take whole searches; the pairs have no path, so that the result is empty.
TEST(SsspBetween, CountsItsPairsAgainstTheLimit) {
  const context where = context::cpu({.threads = 1, .memory_limit = 4 << 20});
  const auto graph = matrix<double>::from_entries(where, 3, 3, {1}, {2}, {-1.0});
  const auto pairs = [&](std::size_t count) {
    return sssp_between(graph, std::vector<index_t>(count, 0), std::vector<index_t>(count, 1))
        .distance.nvals();
  };
  EXPECT_EQ(pairs(1000), 0);
  EXPECT_THROW(pairs(1'000'000), out_of_memory);
}

TEST(SsspBetween, RefusesWhatDoesNotFit) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const matrix<float> square(where, 3, 3);
  const std::vector<index_t> one{0}, two{0, 1}, three{3};
  EXPECT_NE(refusal([&] {
              sssp_between(matrix<float>(where, 5, 6), one, one);
            }).find("sssp: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { sssp_between(square, one, two); }),
            "sssp: 1 first vertices of pairs, 2 second ones");
  EXPECT_EQ(refusal([&] { sssp_between(square, one, three); }),
            "sssp: vertex 3 of a pair, the graph has 3 vertices");
  EXPECT_NE(refusal([&] { sssp_between(square, one, one, {.delta = -1}); }).find("sssp: delta is"),
            std::string::npos);
  const auto nan =
      matrix<float>::from_entries(where, 3, 3, {0}, {1}, {std::numeric_limits<float>::quiet_NaN()});
  const std::vector<index_t> none;
  for (const auto& pairs : {none, one})
    EXPECT_EQ(refusal([&] { sssp_between(nan, pairs, pairs); }), "sssp: 1 weights are NaN");
  EXPECT_EQ(sssp_between(square, none, none).distance.size(), 0);
}

TEST(SsspBetween, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = samples::directed<float>(where, 4, {{0, 1}, {1, 2}});
  const std::vector<index_t> from{0, 1}, to{2, 3};
  auto found = sssp_between(graph, from, to);
  EXPECT_EQ(verify_sssp_between(graph, from, to, found), "");
  found.distance.set(1, 7);
  EXPECT_EQ(verify_sssp_between(graph, from, to, found),
            "from 1 to 3 the result has 7, a search that is checked has no path");
  found = sssp_between(graph, from, to);
  found.searches = 1;
  EXPECT_EQ(verify_sssp_between(graph, from, to, found),
            "the result counts 1 searches, there are 2");
  found.distance = vector<float>(where, 3);
  EXPECT_EQ(verify_sssp_between(graph, from, to, found),
            "the result has 3 positions, there are 2 pairs");
}
