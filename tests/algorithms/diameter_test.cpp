// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/diameter.hpp"

#include <tropic/algorithms/verify/diameter.hpp>

using namespace tropic;

namespace diameter_test {
namespace {

/// By the definition: the largest finite distance of all pairs, edges in both directions.
template <class T>
index_t expected(const matrix<T>& graph) {
  const auto n = static_cast<std::size_t>(graph.rows());
  constexpr index_t far = 1 << 20;
  std::vector<index_t> d(n * n, far);
  const auto coo = graph.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e)
    d[coo.rows[e] * n + coo.columns[e]] = d[coo.columns[e] * n + coo.rows[e]] = 1;
  for (std::size_t v = 0; v < n; ++v) d[v * n + v] = 0;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  index_t longest = 0;
  for (const index_t distance : d)
    if (distance < far) longest = std::max(longest, distance);
  return longest;
}

template <class T>
void expect_right(const matrix<T>& graph) {
  const index_t longest = expected(graph);
  const diameter_result bounds = diameter(graph);
  EXPECT_LE(bounds.lower, longest);
  EXPECT_GE(bounds.upper, longest);
  EXPECT_EQ(verify_diameter(graph, bounds), "");
  const diameter_result exact = diameter(graph, {.exact = true});
  EXPECT_EQ(exact.lower, longest);
  EXPECT_EQ(exact.upper, longest);
  EXPECT_EQ(verify_diameter(graph, exact, {.exact = true}), "");
}

}  // namespace

TEST(Diameter, OfSmallGraphsIsThatOfAllPairs) {
  samples::on_small_graphs<float>([](const auto& graph) { expect_right(graph); });
}

TEST(Diameter, OfRandomGraphsIsThatOfAllPairs) {
  std::mt19937 random(4);
  for (const context& where : samples::contexts())
    for (unsigned round = 0; round < 25; ++round) {
      const auto n = static_cast<std::uint32_t>(2 + random() % 90);
      const auto list = samples::random_edges(n, n / 2 + random() % (2 * n), round);
      SCOPED_TRACE(std::to_string(n) + " vertices, seed " + std::to_string(round));
      expect_right(samples::directed<float>(where, n, list));
    }
}

// Many vertices are equally far out: levels of more than 64, which are more than a batch.
TEST(Diameter, OfTreesAndCyclesIsThatOfAllPairs) {
  for (const context& where : samples::contexts()) {
    samples::edges tree, cycle = samples::path(0, 101);
    for (std::uint32_t v = 1; v < 255; ++v) tree.emplace_back((v - 1) / 2, v);
    cycle.emplace_back(100, 0);
    expect_right(samples::symmetric(where, 255, tree));
    expect_right(samples::symmetric(where, 101, cycle));
    const diameter_result found = diameter(samples::symmetric(where, 101, cycle), {.exact = true});
    EXPECT_EQ(found.lower, 50);
  }
}

// The farthest vertices are not among the first 64 of their level, and no sweep finds them.
TEST(Diameter, IsFoundOnLevelsOfManyVertices) {
  const auto graph = make_matrix<bool>(oracle::on_threads(2), urand(9, 4, 1));
  const diameter_result found = diameter(graph, {.exact = true});
  EXPECT_EQ(found.lower, 6);
  EXPECT_EQ(verify_diameter(graph, found, {.exact = true}, 512), "");
}

TEST(Diameter, IsVerifiedByNoMoreSearchesThanGiven) {
  std::size_t searches = 0;
  context_options options;
  options.progress = [&](std::string_view step, double) {
    if (step == "diameter: verify") ++searches;
  };
  const context where = context::cpu(options);
  const auto graph = samples::symmetric(where, 10, samples::path(0, 10));
  const diameter_result found = diameter(graph);
  for (const std::size_t most : {1U, 3U, 4U, 9U, 10U, 20U}) {
    searches = 0;
    EXPECT_EQ(verify_diameter(graph, found, {}, most), "");
    EXPECT_LE(searches, most);
    EXPECT_GT(searches, 0U);
  }
}

// A short path in a large component, a long one in a small component.
TEST(Diameter, IsThatOfTheComponentWithTheLongestPath) {
  for (const context& where : samples::contexts()) {
    samples::edges list;
    for (std::uint32_t v = 1; v < 60; ++v) list.emplace_back(0, v);
    for (const auto& edge : samples::path(60, 80)) list.push_back(edge);
    const auto graph = samples::symmetric(where, 90, list);
    const diameter_result found = diameter(graph, {.exact = true});
    EXPECT_EQ(found.lower, 19);
    EXPECT_EQ(found.upper, 19);
    EXPECT_EQ(std::minmax(found.from, found.to), std::minmax<index_t>(60, 79));
    EXPECT_GE(diameter(graph).upper, 19);
  }
}

// A grid is exact after few searches, and not by searches from all vertices.
TEST(Diameter, OfAGridTakesFewSearches) {
  const diameter_result found =
      diameter(make_matrix<bool>(oracle::on_threads(2), grid(60)), {.exact = true});
  EXPECT_EQ(found.lower, 118);
  EXPECT_LT(found.searches, 20);
}

TEST(Diameter, IsTheSameOnEveryContext) {
  const io::coordinates entries = kron(9, 6, 3);
  for (const bool exact : {false, true}) {
    const diameter_result expected =
        diameter(make_matrix<bool>(context::reference(), entries), {.exact = exact});
    for (const context& where : samples::contexts()) {
      const auto graph = make_matrix<bool>(where, entries);
      const diameter_result found = diameter(graph, {.exact = exact});
      EXPECT_EQ(std::tuple(found.lower, found.upper, found.from, found.to, found.searches),
                std::tuple(expected.lower, expected.upper, expected.from, expected.to,
                           expected.searches));
      EXPECT_EQ(verify_diameter(graph, found, {.exact = exact}), "");
    }
  }
}

TEST(Diameter, OfEveryTypeIsThatOfThePattern) {
  const auto graph =
      samples::directed<std::int32_t>(oracle::on_threads(2), 60, samples::random_edges(60, 90, 8));
  const diameter_options exact{.exact = true};
  const diameter_result found = algorithms::diameter(graph.base(), exact);
  EXPECT_EQ(found.lower, expected(graph));
  EXPECT_EQ(algorithms::verify_diameter(graph.base(), found, exact), "");
}

// Components with less than a sixteenth of the vertices are searched on the host.
TEST(Diameter, IsThatOfAllPairsWhereASmallComponentHasTheLongestPath) {
  for (const context& where : samples::contexts())
    for (unsigned seed = 0; seed < 6; ++seed) {
      samples::edges list;
      for (std::uint32_t v = 1; v < 250; ++v) list.emplace_back(0, v);
      for (std::uint32_t first = 250; first < 340; first += 18)
        for (auto [u, v] : samples::random_edges(18, 22, seed + first))
          list.emplace_back(first + u, first + v);
      SCOPED_TRACE("seed " + std::to_string(seed));
      expect_right(samples::directed<float>(where, 340, list));
    }
}

// A search in a small component must not take a pass over all vertices: with one it would be hours.
TEST(Diameter, OfManyComponentsTakesTimeByTheirSizes) {
  samples::edges list;
  constexpr std::uint32_t triangles = 50000;
  for (std::uint32_t first = 0; first < 3 * triangles; first += 3) {
    const samples::edges triangle = samples::clique(first, first + 3);
    list.insert(list.end(), triangle.begin(), triangle.end());
  }
  const auto graph = samples::symmetric(oracle::on_threads(2), 3 * triangles, list);
  for (const bool exact : {false, true}) {
    const diameter_result found = diameter(graph, {.exact = exact});
    EXPECT_EQ(found.lower, 1);
    EXPECT_EQ(found.upper, exact ? 1 : 2);
    EXPECT_EQ(verify_diameter(graph, found, {.exact = exact}, 8), "");
  }
}

TEST(Diameter, RefusesRectangles) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { diameter(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("diameter: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
}

TEST(Diameter, ThatIsWrongIsFoundByTheVerifier) {
  const auto graph = samples::symmetric(oracle::on_threads(1), 7, samples::path(0, 6));
  const diameter_result right = diameter(graph, {.exact = true});
  diameter_result found = right;
  found.upper = 6;
  EXPECT_EQ(verify_diameter(graph, found), "");
  EXPECT_EQ(verify_diameter(graph, found, {.exact = true}), "the bounds are 5 and 6");
  found = {.lower = 4, .upper = 4, .from = 0, .to = 4};
  EXPECT_EQ(verify_diameter(graph, found),
            "vertices 0 and 5 are 5 edges apart, the upper bound is 4");
  found = {.lower = 4, .upper = 5, .from = 0, .to = 5};
  EXPECT_EQ(verify_diameter(graph, found),
            "vertices 0 and 5 are 5 edges apart, the lower bound is 4");
  found.to = 6;
  EXPECT_EQ(verify_diameter(graph, found),
            "vertices 0 and 6 are -1 edges apart, the lower bound is 4");
  found.to = 7;
  EXPECT_EQ(verify_diameter(graph, found),
            "vertex 7 is an end of the path, the graph has 7 vertices");
}

TEST(Diameter, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel, calls = 0](std::string_view step, double) mutable {
    if (step == "diameter" && ++calls == 3) cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    EXPECT_THROW(diameter(make_matrix<bool>(where, grid(20))), cancelled);
  }
}

}  // namespace diameter_test
