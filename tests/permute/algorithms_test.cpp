// SPDX-License-Identifier: Apache-2.0

// Algorithms on relabelled graphs give what they give without: levels, distances and parents the
// same, ranks up to rounding, whatever the kind, the seed and the context.

#include <cmath>
#include <numeric>

#include <tropic/algorithms/relabelled/bfs.hpp>
#include <tropic/algorithms/relabelled/pagerank.hpp>
#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/read_matrix.hpp>

#include "containers/context_state.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

struct edges {
  index_t vertices = 0;
  std::vector<std::uint32_t> from, to;

  void add(std::uint32_t u, std::uint32_t v) {
    from.push_back(u);
    to.push_back(v);
  }
  template <value_type T>
  matrix<T> with(const context& where, const std::vector<T>& weights) const {
    return matrix<T>::from_entries(where, vertices, vertices, from, to, weights,
                                   duplicates::minimum);
  }
};

// Directed, of `vertices`, in two parts between which few edges lie; some vertices have none.
edges random_edges(index_t vertices, int degree, dice& random) {
  edges made;
  made.vertices = vertices;
  const int n = static_cast<int>(vertices);
  for (int e = 0; e < n * degree; ++e) {
    const int u = random.roll(n),
              v = random.chance(0.9) ? (u + random.roll(8)) % n : random.roll(n);
    if (u % 11 != 5) made.add(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v));
  }
  return made;
}

template <value_type T>
std::vector<T> weights(std::size_t count, int least, int most, dice& random) {
  std::vector<T> made(count);
  for (T& w : made) w = static_cast<T>(least + random.roll(most - least + 1));
  if constexpr (std::is_floating_point_v<T>)
    for (T& w : made) w += static_cast<T>(0.1);  // sums round
  return made;
}

template <value_type T>
void expect_same(const sssp_result<T>& found, const sssp_result<T>& expected) {
  constexpr T unreached = arithmetic::largest<T>();
  EXPECT_EQ(found.distance.dense(unreached), expected.distance.dense(unreached));
  EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1));
}

class RelabelledGraphs : public OnContext {
 protected:
  std::uint64_t seeds() const { return where().state()->device_memory ? 10 : 30; }

  // f(kind, seed, source) for every kind, and for those that know seeds every one.
  template <class F>
  void for_each_case(index_t vertices, F&& f) const {
    for (const permutation_kind kind : permutation_kinds())
      for (std::uint64_t seed = 0; seed < (is_random(kind) ? seeds() : 2); ++seed) {
        SCOPED_TRACE(std::string(name_of(kind)) + " by seed " + std::to_string(seed));
        f(kind, seed, static_cast<index_t>(seed * 7 + 3) % vertices);
        if (HasFailure()) return;
      }
  }

  template <value_type T, class D = void>
  void expect_same_paths(const edges& all, int least, int most, dice& random) const {
    const auto a = all.with<T>(where(), weights<T>(all.from.size(), least, most, random));
    for_each_case(all.vertices, [&](permutation_kind kind, std::uint64_t seed, index_t source) {
      const relabelled_graph<T> graph(a, kind, seed);
      const auto expected = sssp<D>(a, source), found = sssp<D>(graph, source);
      expect_same(found, expected);
      EXPECT_EQ(found.saturated, expected.saturated);
      EXPECT_EQ(found.delta, expected.delta);
      EXPECT_EQ(found.steps, expected.steps);
    });
  }
};

TEST_P(RelabelledGraphs, BfsGivesTheSameLevelsAndParents) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  const edges all = random_edges(90, 4, random);
  const auto a = matrix<bool>::from_pattern(where(), 90, 90, all.from, all.to, true);
  for_each_case(90, [&](permutation_kind kind, std::uint64_t seed, index_t source) {
    const relabelled_graph<bool> graph(a, kind, seed);
    const bfs_result expected = bfs(a, source), found = bfs(graph, source);
    EXPECT_EQ(found.level.dense(-1), expected.level.dense(-1));
    EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1));
    EXPECT_EQ(found.depth, expected.depth);
    EXPECT_EQ(found.reached, expected.reached);
  });
}

TEST_P(RelabelledGraphs, ShortestPathsAreTheSameInIntegers) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  expect_same_paths<std::int64_t>(random_edges(90, 4, random), 1, 9, random);
}

TEST_P(RelabelledGraphs, ShortestPathsAreTheSameOverNarrowWeightsAndWhereTheySaturate) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  expect_same_paths<std::uint8_t>(random_edges(90, 4, random), 1, 255, random);
  expect_same_paths<std::uint8_t, std::uint8_t>(random_edges(90, 4, random), 20, 90, random);
}

TEST_P(RelabelledGraphs, ShortestPathsAreTheSameToTheBitWhereSumsRound) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  expect_same_paths<double>(random_edges(90, 4, random), 1, 4, random);
}

TEST_P(RelabelledGraphs, ShortestPathsOverWeightsOfZeroHaveTheSameParents) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  expect_same_paths<std::int64_t>(random_edges(70, 4, random), 0, 2, random);
}

TEST_P(RelabelledGraphs, NegativeWeightsHaveTheSameDistancesAndParents) {
  // Edges lead to larger numbers alone, so that there is no cycle; many paths are equally long.
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  edges all;
  all.vertices = 60;
  for (std::uint32_t u = 0; u < 60; ++u)
    for (int e = 0; e < 6; ++e)
      if (const auto v = u + 1 + static_cast<std::uint32_t>(random.roll(12)); v < 60) all.add(u, v);
  expect_same_paths<std::int64_t>(all, -2, 2, random);
  expect_same_paths<float>(all, -2, 2, random);
}

TEST_P(RelabelledGraphs, ANegativeCycleIsToldByTheCallersNumber) {
  // 40 -> 41 -> 42 -> 40 weighs -1, and all vertices lead there.
  edges all;
  all.vertices = 60;
  std::vector<std::int64_t> weight;
  for (std::uint32_t u = 0; u + 1 < 60; ++u) {
    all.add(u, u + 1);
    weight.push_back(1);
  }
  all.add(42, 40);
  weight.push_back(-3);
  const auto a = all.with<std::int64_t>(where(), weight);
  const auto reported = [](const auto& graph) {
    try {
      sssp(graph, 3);
    } catch (const negative_cycle& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  const std::string expected = reported(a);
  EXPECT_TRUE(expected.ends_with("vertex 40") || expected.ends_with("vertex 41") ||
              expected.ends_with("vertex 42"))
      << expected;
  for_each_case(60, [&](permutation_kind kind, std::uint64_t seed, index_t) {
    EXPECT_EQ(reported(relabelled_graph<std::int64_t>(a, kind, seed)), expected);
  });
}

TEST_P(RelabelledGraphs, RanksAreTheSameUpToRounding) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  const edges all = random_edges(90, 4, random);
  const auto a = all.with<double>(where(), weights<double>(all.from.size(), 1, 9, random));
  vector<double> preference(where(), 90);
  preference.set(17, 3);
  preference.set(60, 1);
  for (const bool weighted : {false, true})
    for_each_case(90, [&](permutation_kind kind, std::uint64_t seed, index_t) {
      if (seed >= 10) return;
      const pagerank_options options{.iterations = 12, .weighted = weighted};
      const relabelled_graph<double> graph(a, kind, seed);
      for (const bool personal : {false, true}) {
        const auto expected =
            (personal ? pagerank(a, preference, options) : pagerank(a, options)).rank.dense(-1);
        const auto found =
            (personal ? pagerank(graph, preference, options) : pagerank(graph, options))
                .rank.dense(-1);
        for (std::size_t v = 0; v < expected.size(); ++v)
          EXPECT_NEAR(found[v], expected[v], 1e-14) << v;
      }
    });
}

TROPIC_ON_EVERY_CONTEXT(RelabelledGraphs);

TEST(RelabelledGraph, RefusesInTheCallersNumbers) {
  const context where = context::cpu();
  const std::vector<std::uint32_t> from{0, 1}, to{1, 2};
  const auto a = matrix<std::int64_t>::from_pattern(where, 5, 5, from, to, 1);
  const auto message = [](auto&& f) {
    try {
      f();
    } catch (const usage_error& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  const relabelled_graph<std::int64_t> graph(a, permutation_kind::random_row, 2);
  EXPECT_EQ(message([&] { bfs(graph, 5); }), message([&] { bfs(a, 5); }));
  EXPECT_EQ(message([&] { sssp(graph, -1); }), message([&] { sssp(a, -1); }));
  EXPECT_EQ(message([&] { pagerank(graph, vector<double>(where, 4, 1.0)); }),
            message([&] { pagerank(a, vector<double>(where, 4, 1.0)); }));
  EXPECT_EQ(message([&] { pagerank(graph, vector<double>(where, 5)); }),
            message([&] { pagerank(a, vector<double>(where, 5)); }));
  const matrix<bool> wide(where, 3, 4);
  EXPECT_THROW(relabelled_graph<bool>(wide, permutation_kind::none), usage_error);
  EXPECT_THROW(relabelled_graph<bool>(wide, permutation::identity(3)), usage_error);
  EXPECT_THROW(relabelled_graph<std::int64_t>(a, permutation::identity(4)), usage_error);
  const std::vector<double> nan{1, std::nan("")};
  const auto faulty = matrix<double>::from_entries(where, 5, 5, from, to, nan);
  EXPECT_EQ(
      message([&] { sssp(relabelled_graph<double>(faulty, permutation_kind::random_row), 0); }),
      "sssp: 1 weights are NaN");
}

TEST(RelabelledGraph, TakesAnOrderOfOnesOwnAndGraphsOfNoEdge) {
  const context where = context::cpu();
  const std::vector<std::uint32_t> from{0, 1}, to{1, 2};
  const auto a = matrix<bool>::from_pattern(where, 3, 3, from, to, true);
  const relabelled_graph<bool> graph(a, permutation::from_old_positions({2, 0, 1}));
  EXPECT_TRUE(graph.relabelled().get(1, 2).has_value());
  EXPECT_EQ(bfs(graph, 0).parent.dense(-1), (std::vector<index_t>{0, 0, 1}));
  const relabelled_graph<bool> alone(matrix<bool>(where, 1, 1), permutation_kind::gradient_row);
  EXPECT_EQ(bfs(alone, 0).reached, 1);
  const relabelled_graph<double> none(matrix<double>(where, 0, 0), permutation_kind::rcm);
  EXPECT_EQ(pagerank(none).rank.size(), 0);
  EXPECT_THROW(bfs(relabelled_graph<double>(none), 0), usage_error);
  const relabelled_graph<std::int64_t> bare(matrix<std::int64_t>(where, 4, 4),
                                            permutation_kind::random_row, 1);
  EXPECT_EQ(sssp(bare, 2).distance.entries().front().index, 2);
}

}  // namespace
}  // namespace tropic::testing
