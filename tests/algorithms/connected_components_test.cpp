// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <boost/graph/connected_components.hpp>
#include <random>
#include <tropic/algorithms/relabelled/connected_components.hpp>
#include <tropic/algorithms/verify/connected_components.hpp>
#include <utility>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::path;
using small_graphs::symmetric;

namespace {

/// The smallest vertex of every component, by Boost.Graph.
template <class T>
std::vector<index_t> expected_labels(const matrix<T>& graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> g(
      static_cast<std::size_t>(graph.rows()));
  const auto columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e)
      boost::add_edge(static_cast<std::size_t>(i), columns[static_cast<std::size_t>(e)], g);
  std::vector<std::size_t> component(boost::num_vertices(g));
  const auto count = boost::num_vertices(g) == 0
                         ? std::size_t{0}
                         : static_cast<std::size_t>(boost::connected_components(g, &component[0]));
  std::vector<index_t> smallest(count, -1), label(component.size());
  for (std::size_t v = 0; v < component.size(); ++v) {
    index_t& first = smallest[component[v]];
    if (first < 0) first = static_cast<index_t>(v);
    label[v] = first;
  }
  return label;
}

template <class Graph, class T>
void expect_right(const Graph& graph, const matrix<T>& original) {
  const components_result found = connected_components(graph);
  const std::vector<index_t> label = found.label.dense(-1), expected = expected_labels(original);
  EXPECT_EQ(label, expected);
  index_t count = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) count += expected[v] == static_cast<index_t>(v);
  EXPECT_EQ(found.components, count);
  EXPECT_EQ(verify_connected_components(original, found), "");
}

}  // namespace

TEST(Components, OfSmallGraphsEqualBoostOnEveryContext) {
  small_graphs::on_every_context(small_graphs::all(),
                                 [](const auto& graph) { expect_right(graph, graph); });
}

TEST(Components, OfRandomGraphsEqualBoost) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<index_t>(2 + random() % 600);
    const std::size_t count = random() % static_cast<std::size_t>(3 * n);
    edges list;
    for (std::size_t e = 0; e < count; ++e)
      list.emplace_back(random() % static_cast<unsigned>(n), random() % static_cast<unsigned>(n));
    SCOPED_TRACE(std::to_string(n) + " vertices, round " + std::to_string(round));
    for (const context& where : {oracle::on_threads(2), context::reference()}) {
      const auto one_way = directed<double>(where, n, list);
      expect_right(one_way, one_way);
      const auto both_ways = symmetric(where, n, list);
      expect_right(both_ways, both_ways);
    }
  }
}

TEST(Components, OfGeneratedGraphsEqualBoostOnEveryContext) {
  for (const context& where : contexts())
    for (const io::coordinates& entries : {kron(10, 16, 3), grid(40), urand(10, 2, 5)}) {
      const auto graph = make_matrix<bool>(where, entries);
      expect_right(graph, graph);
    }
}

class ComponentsOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(ComponentsOfRealGraphs, EqualBoostOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    expect_right(graph, graph);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, ComponentsOfRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

TEST(Components, OfRelabelledGraphsHaveTheOriginalNumbers) {
  small_graphs::on_relabelled_copies(
      small_graphs::all(), [](const auto& copy, const auto& graph) { expect_right(copy, graph); });
}

TEST(Components, OfAPathNeedRoundsByTheLogarithmOfItsLength) {
  for (const context& where : {context::fake_device(), context::reference()}) {
    std::vector<std::uint32_t> order(1 << 14);
    std::iota(order.begin(), order.end(), 0U);
    for (int seed = 0; seed < 3; ++seed) {
      const auto graph = symmetric(where, 1 << 14, path(order));
      const components_result found = connected_components(graph);
      EXPECT_EQ(found.components, 1);
      EXPECT_LE(found.rounds, 2 * 14 + 2);
      std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(seed)));
    }
  }
}

TEST(Components, BesideALargeOneEqualBoost) {
  // A third of the vertices in one component, the others in trees of different sizes.
  std::mt19937 random(5);
  for (const std::uint32_t inside : {300U, 500U, 890U}) {
    edges list;
    for (std::uint32_t v = 1; v < inside; ++v) list.emplace_back(v, random() % v);
    for (std::uint32_t v = inside + 1; v < 900; ++v)
      if (random() % 5 != 0) list.emplace_back(v, inside + random() % (v - inside));
    for (const context& where : contexts()) {
      const auto graph = symmetric(where, 900, list);
      SCOPED_TRACE(std::string(where.name()) + ", " + std::to_string(inside));
      expect_right(graph, graph);
      expect_right(relabelled_graph<bool>(graph, permutation_kind::random_row, 3), graph);
    }
  }
}

TEST(Components, OfPathsBesideAStarNeedAsManyRoundsAsExpected) {
  edges star;
  for (std::uint32_t v = 17; v < 100; ++v) star.emplace_back(16, v);
  const auto expect_rounds = [&](const std::vector<std::uint32_t>& order, index_t rounds) {
    edges list = path(order);
    list.insert(list.end(), star.begin(), star.end());
    for (const context& where : contexts()) {
      SCOPED_TRACE(std::string(where.name()) + ", " + std::to_string(order.size()));
      const auto graph = symmetric(where, 100, list);
      expect_right(graph, graph);
      // Backends but the reference take edges one by one, without rounds.
      EXPECT_EQ(connected_components(graph).rounds, where.name() == "reference" ? rounds : 0);
    }
  };
  // Every vertex is hooked to the one before it, and the second round finds nothing.
  std::vector<std::uint32_t> ascending(16);
  std::iota(ascending.begin(), ascending.end(), 0U);
  expect_rounds(ascending, 2);
  // 1 is hooked to the label of 5 in the second round, and 6 follows it.
  expect_rounds({0, 5, 1, 6}, 3);
}

TEST(Components, WhoseSmallestVerticesAreFarFromTheHubEqualBoost) {
  // 5 and its neighbours are one tree after a round; 1 joins 0 to them against the edges'
  // direction.
  edges list{{1, 6}, {0, 1}};
  for (std::uint32_t v = 6; v < 40; ++v) {
    list.emplace_back(v, 5);
    list.emplace_back(5, v);
  }
  for (const context& where : contexts()) {
    SCOPED_TRACE(where.name());
    const auto graph = directed(where, 40, list);
    expect_right(graph, graph);
  }
}

// Edges one by one, in place: of long rows two first, whose sample finds the large tree; of short
// rows and of one-way edges all. Groups of ten vertices, of which one in three has an edge into the
// large component that its first two edges do not show.
TEST(Components, EdgeByEdgeEqualBoostOnAnyNumberOfThreads) {
  constexpr std::uint32_t groups = 2000, small = 10 * groups, n = small + 20000;
  for (const std::size_t inside : {18000U, 80000U}) {
    std::mt19937 random(8);
    edges list;
    for (std::size_t e = 0; e < inside; ++e)
      list.emplace_back(small + random() % 20000, small + random() % 20000);
    for (std::uint32_t group = 0; group < groups; ++group) {
      for (std::uint32_t v = 0; v < 10; ++v)
        list.emplace_back(10 * group + v, 10 * group + (v + 1 + random() % 3) % 10);
      if (random() % 3 == 0)
        list.emplace_back(10 * group + random() % 10, small + random() % 20000);
    }
    std::vector<index_t> labels;
    for (const int threads : {1, 2, 3}) {
      SCOPED_TRACE(std::to_string(inside) + " edges, " + std::to_string(threads) + " threads");
      const context where = oracle::on_threads(threads);
      const auto both_ways = symmetric(where, n, list), one_way = directed(where, n, list);
      if (labels.empty()) labels = expected_labels(one_way);
      for (const auto& graph : {both_ways, one_way}) {
        const components_result found = connected_components(graph);
        EXPECT_EQ(found.label.dense(-1), labels);
        EXPECT_EQ(found.rounds, 0);
        index_t count = 0;
        for (std::size_t v = 0; v < n; ++v) count += labels[v] == static_cast<index_t>(v);
        EXPECT_EQ(found.components, count);
      }
    }
  }
}

TEST(Components, EdgeByEdgeAreOfSquareMatricesWithALabelARow) {
  const context where = oracle::on_threads(1);
  vector<index_t> label(where, 3);
  EXPECT_EQ(
      tropic::testing::message_of<usage_error>(
          [&] { detail::connect(label, matrix<bool>(where, 4, 4)); }),
      "components: A is 4x4, the labels have 3 positions; A must be square, with a label per row");
  EXPECT_THROW(detail::connect(label, matrix<bool>(where, 3, 4)), usage_error);
  EXPECT_EQ(detail::connect(label, matrix<bool>(where, 3, 3)), 3);
  EXPECT_EQ(label.dense(-1), (std::vector<index_t>{0, 1, 2}));
  vector<index_t> other(context::reference(), 3);
  EXPECT_EQ(detail::connect(other, matrix<bool>(other.where(), 3, 3)), std::nullopt);
  EXPECT_EQ(other.nvals(), 0);
}

TEST(Components, RefuseRectangles) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { connected_components(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("connected_components: a graph's matrix is square, this one is 5x6"),
            std::string::npos)
      << message;
}

TEST(Components, ThatAreWrongAreFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = symmetric(where, 4, {{0, 1}, {2, 3}});
  components_result found = connected_components(graph);
  found.label.set(3, 3);
  EXPECT_EQ(verify_connected_components(graph, found),
            "vertex 3 has label 3, the smallest vertex of its component is 2");
  found.label.set(3, 0);
  EXPECT_NE(verify_connected_components(graph, found), "");
  found.label.set(3, 2);
  found.components = 3;
  EXPECT_EQ(verify_connected_components(graph, found),
            "the result counts 3 components, there are 2");
  found.label = vector<index_t>(where, 3);
  EXPECT_EQ(verify_connected_components(graph, found),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(Components, StopWhenTheyAreCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "components") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(connected_components(graph), cancelled);
  }
}
