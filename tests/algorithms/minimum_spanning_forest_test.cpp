// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <tropic/algorithms/relabelled/minimum_spanning_forest.hpp>
#include <tropic/algorithms/verify/minimum_spanning_forest.hpp>
#include <type_traits>
#include <utility>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::edges;

namespace minimum_spanning_forest_test {
namespace {

/// Edges and total weight, by Boost.Graph.
template <class T>
std::pair<std::size_t, double> expected(const matrix<T>& graph) {
  using undirected =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  undirected g(static_cast<std::size_t>(graph.rows()));
  const auto coo = graph.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e)
    boost::add_edge(coo.rows[e], coo.columns[e], static_cast<double>(coo.values[e]), g);
  std::vector<boost::graph_traits<undirected>::edge_descriptor> tree;
  boost::kruskal_minimum_spanning_tree(g, std::back_inserter(tree));
  double weight = 0;
  for (const auto& e : tree) weight += boost::get(boost::edge_weight, g, e);
  return {tree.size(), weight};
}

template <class Graph, class T>
void expect_right(const Graph& graph, const matrix<T>& original) {
  const auto found = minimum_spanning_forest(graph);
  const auto [count, weight] = expected(original);
  EXPECT_EQ(found.edges, static_cast<index_t>(count));
  EXPECT_EQ(found.trees, original.rows() - found.edges);
  EXPECT_NEAR(found.weight, weight, 1e-9 * std::abs(weight));
  EXPECT_EQ(verify_minimum_spanning_forest(original, found), "");
}

/// Weights from a fixed sequence: few different ones, or many.
template <class T>
matrix<T> weighted(const context& where, index_t n, const edges& list, unsigned different,
                   bool both_ways) {
  std::mt19937 random(9);
  std::vector<std::uint32_t> from, to;
  std::vector<T> weight;
  for (const auto& [a, b] : list) {
    const auto number = static_cast<int>(random() % different);
    const T w =
        static_cast<T>(std::is_signed_v<T> ? number - static_cast<int>(different) / 2 : number);
    for (int way = 0; way < (both_ways ? 2 : 1); ++way) {
      from.push_back(way == 0 ? a : b);
      to.push_back(way == 0 ? b : a);
      weight.push_back(w);
    }
  }
  auto graph = matrix<T>::from_entries(where, n, n, from, to, weight, duplicates::minimum);
  if (both_ways) graph.assume_symmetric();
  return graph;
}

}  // namespace

TEST(SpanningForest, OfSmallGraphsEqualsBoostOnEveryContext) {
  for (const context& where : contexts())
    for (const auto& [n, list] : small_graphs::all()) {
      SCOPED_TRACE(small_graphs::trace(where, n, list));
      for (const bool both_ways : {false, true}) {
        const auto graph = weighted<std::int32_t>(where, n, list, 5, both_ways);
        expect_right(graph, graph);
      }
    }
}

TEST(SpanningForest, OfRandomGraphsEqualsBoost) {
  std::mt19937 random(11);
  for (const context& where : contexts())
    for (int round = 0; round < 8; ++round) {
      const auto n = static_cast<index_t>(2 + random() % 200);
      const edges list =
          small_graphs::random_edges(random, n, random() % static_cast<unsigned>(5 * n));
      SCOPED_TRACE(small_graphs::trace(where, n, list));
      for (const unsigned different : {1U, 3U, 100U}) {
        const auto whole = weighted<std::uint8_t>(where, n, list, different, false);
        expect_right(whole, whole);
        const auto real = weighted<double>(where, n, list, different, true);
        expect_right(real, real);
      }
    }
}

TEST(SpanningForest, OfGeneratedGraphsEqualsBoost) {
  for (const context& where : contexts())
    for (const char* spec : {"kron:9:8:3", "grid:20", "urand:9:4:5"}) {
      const auto graph = make_matrix<std::int64_t>(
          where, generate(spec, {.weighted = true, .type = type_code::int64}));
      expect_right(graph, graph);
    }
}

class SpanningForestOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(SpanningForestOfRealGraphs, EqualsBoostOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    expect_right(graph, graph);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, SpanningForestOfRealGraphs,
                         ::testing::Values("graphs/USA-road-d.NY.mtx.xz", "graphs/wiki-Vote.mtx.xz",
                                           "graphs/ct2010.mtx.xz", "graphs/as-22july06.mtx.xz"),
                         oracle::test_name);

TEST(SpanningForest, OfRelabelledGraphsIsThatOfTheOriginal) {
  for (const context& where : {context::reference(), oracle::on_threads(2)})
    for (const auto& [n, list] : small_graphs::all())
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto graph = weighted<float>(where, n, list, 3, false);
        expect_right(relabelled_graph<float>(graph, permutation_kind::random_row, seed), graph);
      }
}

TEST(SpanningForest, PrefersTheLighterDirectionAndSmallerVertices) {
  for (const context& where : contexts()) {
    const auto ties = matrix<double>::from_entries(where, 4, 4, {3, 0, 1, 2, 1}, {0, 1, 2, 3, 1},
                                                   {1.0, 1.0, 1.0, 1.0, -7.0});
    const auto found = minimum_spanning_forest(ties);
    const auto coo = found.forest.to_coo();
    EXPECT_EQ(std::vector(coo.rows.begin(), coo.rows.end()), (std::vector<std::uint32_t>{0, 0, 1}));
    EXPECT_EQ(std::vector(coo.columns.begin(), coo.columns.end()),
              (std::vector<std::uint32_t>{1, 3, 2}));
    const auto two_ways = matrix<double>::from_entries(where, 2, 2, {0, 1}, {1, 0}, {5.0, -2.5});
    EXPECT_EQ(minimum_spanning_forest(two_ways).forest.get(0, 1), -2.5);
  }
}

template <class T>
void expect_order(const std::vector<T>& ascending) {
  for (std::size_t n = 0; n < ascending.size(); ++n) {
    EXPECT_EQ(detail::weight_of<T>(detail::rank_of(ascending[n])), ascending[n]);
    if (n > 0) {
      EXPECT_LT(detail::rank_of(ascending[n - 1]), detail::rank_of(ascending[n]));
    }
  }
}

TEST(SpanningForest, RanksWeightsOfEveryTypeInTheirOrder) {
  const double inf = std::numeric_limits<double>::infinity();
  expect_order<double>({-inf, -1e300, -2, -1, -5e-324, 0, 5e-324, 1, 1.5, 1e300, inf});
  expect_order<float>({-3.0f, -1e-40f, 0.0f, 1e-40f, 3.0f});
  expect_order<std::int8_t>({-128, -1, 0, 127});
  expect_order<std::int64_t>(
      {std::numeric_limits<std::int64_t>::min(), -1, 0, std::numeric_limits<std::int64_t>::max()});
  expect_order<std::uint64_t>({0, 1, std::uint64_t{1} << 63, ~std::uint64_t{0}});
  EXPECT_EQ(detail::rank_of(-0.0), detail::rank_of(0.0));
}

TEST(SpanningForest, RefusesRectanglesAndNan) {
  const context where = oracle::on_threads(1);
  EXPECT_NE(tropic::testing::message_of<usage_error>([&] {
              minimum_spanning_forest(matrix<double>(where, 5, 6));
            }).find("minimum_spanning_forest: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
  const auto graph = matrix<double>::from_entries(where, 3, 3, {0, 2}, {1, 1}, {1.0, std::nan("")});
  EXPECT_EQ(tropic::testing::message_of<usage_error>([&] { minimum_spanning_forest(graph); }),
            "minimum_spanning_forest: the weight of edge 2 1 is NaN, expected a number");
}

TEST(SpanningForest, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = matrix<int>::from_entries(where, 4, 4, {0, 1, 2}, {1, 2, 0}, {1, 2, 3});
  auto found = minimum_spanning_forest(graph);
  const auto check = [&] { return verify_minimum_spanning_forest(graph, found); };
  EXPECT_EQ(check(), "");
  found.weight = 4;
  EXPECT_EQ(check(), "the result's weight is 4, the sum is 3");
  found.trees = 1;
  EXPECT_EQ(check(), "the result counts 2 edges and 1 trees, there are 2 and 2");
  found.forest.set(1, 2, 3);
  EXPECT_EQ(check(), "edge 1 2 has weight 3, its weight is 2");
  found.forest.remove(1, 2);
  EXPECT_EQ(check(), "edge 1 2 is missing");
  found.forest.set(0, 2, 3);
  EXPECT_EQ(check(), "edge 0 2 is not in the forest of a serial search");
  found.forest = matrix<int>(where, 3, 3);
  EXPECT_EQ(check(), "the forest is 3x3, the graph has 4 vertices");
}

TEST(SpanningForest, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "spanning forest") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<int>(where, grid(30));
    EXPECT_THROW(minimum_spanning_forest(graph), cancelled);
  }
}

}  // namespace minimum_spanning_forest_test
