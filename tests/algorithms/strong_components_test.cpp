// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <random>
#include <tropic/algorithms/relabelled/strong_components.hpp>
#include <tropic/algorithms/verify/strong_components.hpp>
#include <utility>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::path;
using small_graphs::symmetric;

namespace strong_components_test {
namespace {

/// The smallest vertex of every component, by Boost.Graph.
template <class T>
std::vector<index_t> expected_labels(const matrix<T>& graph) {
  const oracle::graph g = oracle::make(graph);
  std::vector<std::size_t> component(boost::num_vertices(g));
  if (component.empty()) return {};
  const auto count = static_cast<std::size_t>(boost::strong_components(
      g, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, g))));
  std::vector<index_t> smallest(count, -1), label(component.size());
  for (std::size_t v = 0; v < component.size(); ++v) {
    index_t& first = smallest[component[v]];
    if (first < 0) first = static_cast<index_t>(v);
    label[v] = first;
  }
  return label;
}

template <class Graph, class T>
index_t expect_right(const Graph& graph, const matrix<T>& original) {
  const strong_components_result found = strong_components(graph);
  const std::vector<index_t> label = found.label.dense(-1), expected = expected_labels(original);
  EXPECT_EQ(label, expected);
  index_t count = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) count += expected[v] == static_cast<index_t>(v);
  EXPECT_EQ(found.components, count);
  EXPECT_EQ(verify_strong_components(original, found), "");
  return found.rounds;
}

/// Rings, chains of rings linked in either direction, and trees that lead in and out.
std::vector<std::pair<index_t, edges>> rings() {
  std::vector<std::pair<index_t, edges>> all;
  for (const bool backwards : {false, true}) {
    edges ring, chain;
    for (std::uint32_t v = 0; v < 150; ++v) ring.emplace_back(v, (v + 1) % 150);
    for (std::uint32_t c = 0; c < 40; ++c) {
      const std::uint32_t size = 1 + c % 4, first = 4 * c;
      for (std::uint32_t v = 0; v < size; ++v)
        chain.emplace_back(first + v, first + (v + 1) % size);
      if (c + 1 < 40) chain.emplace_back(first + size - 1, first + 4);
    }
    for (auto* list : {&ring, &chain})
      if (backwards)
        for (auto& [a, b] : *list) std::swap(a, b);
    all.emplace_back(150, ring);
    all.emplace_back(165, chain);
    ring.emplace_back(3, 160);
    ring.emplace_back(160, 161);
    ring.emplace_back(170, 7);
    ring.emplace_back(171, 170);
    ring.emplace_back(161, 171);  // back to the ring
    ring.emplace_back(161, 172);
    all.emplace_back(175, ring);
  }
  return all;
}

}  // namespace

TEST(StrongComponents, OfSmallGraphsEqualBoostOnEveryContext) {
  for (const auto& graphs : {small_graphs::all(), rings()})
    small_graphs::on_every_context(graphs, [](const auto& graph) { expect_right(graph, graph); });
}

TEST(StrongComponents, OfRandomGraphsEqualBoost) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<index_t>(2 + random() % 500);
    const edges list =
        small_graphs::random_edges(random, n, random() % static_cast<unsigned>(3 * n));
    SCOPED_TRACE(std::to_string(n) + " vertices, round " + std::to_string(round));
    for (const context& where : {oracle::on_threads(2), context::reference()}) {
      const auto graph = directed<double>(where, n, list);
      expect_right(graph, graph);
    }
  }
}

TEST(StrongComponents, OfGeneratedGraphsEqualBoostOnEveryContext) {
  for (const context& where : contexts())
    for (const io::coordinates& entries : {kron(10, 16, 3), grid(40), urand(10, 2, 5)}) {
      auto graph = make_matrix<bool>(where, entries);
      expect_right(graph, graph);
      // One direction of two thirds of the edges, and both of the others.
      edges list;
      for (std::size_t e = 0; e < entries.row.size(); ++e)
        if ((entries.row[e] + entries.column[e]) % 3 == 0 || entries.row[e] < entries.column[e])
          list.emplace_back(entries.row[e], entries.column[e]);
      graph = directed(where, entries.rows, list);
      expect_right(graph, graph);
    }
}

class StrongComponentsOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(StrongComponentsOfRealGraphs, EqualBoostOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    RecordProperty("rounds", static_cast<int>(expect_right(graph, graph)));
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, StrongComponentsOfRealGraphs,
                         ::testing::ValuesIn(oracle::graphs()), oracle::test_name);

TEST(StrongComponents, OfRelabelledGraphsHaveTheOriginalNumbers) {
  small_graphs::on_relabelled_copies(
      rings(), [](const auto& copy, const auto& graph) { expect_right(copy, graph); });
}

// Propagating the smallest vertices would take quadratic time on this ring, and settling one
// component a round on the chain of pairs.
TEST(StrongComponents, OfRingsAndChainsNeedFewRoundsAndNearlyLinearTime) {
  constexpr std::uint32_t n = 20'000;
  edges ring, pairs;
  for (std::uint32_t v = 0; v < n; ++v) ring.emplace_back(v, (v + 1) % n);
  for (std::uint32_t v = 0; v < n; v += 2) {
    pairs.emplace_back(v, v + 1);
    pairs.emplace_back(v + 1, v);
    if (v + 2 < n) pairs.emplace_back(v + 1, v + 2);
  }
  const context where = oracle::on_threads(2);
  const auto whole = directed(where, n, ring), many = directed(where, n, pairs);
  EXPECT_EQ(expect_right(whole, whole), 1);
  EXPECT_LE(expect_right(many, many), 30);
}

TEST(StrongComponents, HavePrioritiesThatLeadBackToTheirVertices) {
  std::mt19937 random(3);
  for (int n = 0; n < 100'000; ++n) {
    const auto v = static_cast<std::uint32_t>(random());
    ASSERT_EQ(detail::unmixed(detail::mixed(v)), v);
  }
}

TEST(StrongComponents, OfRectanglesAreRefused) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { strong_components(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("strong_components: a graph's matrix is square, this one is 5x6"),
            std::string::npos)
      << message;
}

TEST(StrongComponents, ThatAreWrongAreFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = directed(where, 4, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}});
  strong_components_result found = strong_components(graph);
  EXPECT_EQ(found.label.dense(-1), (std::vector<index_t>{0, 0, 2, 2}));
  found.label.set(3, 3);
  EXPECT_EQ(verify_strong_components(graph, found),
            "vertex 3 has label 3, the smallest vertex of its component is 2");
  found.label.set(3, 0);
  EXPECT_NE(verify_strong_components(graph, found), "");
  found.label.set(3, 2);
  found.components = 3;
  EXPECT_EQ(verify_strong_components(graph, found), "the result counts 3 components, there are 2");
  found.label = vector<index_t>(where, 3);
  EXPECT_EQ(verify_strong_components(graph, found),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(StrongComponents, StopWhenTheyAreCancelled) {
  for (const char* at : {"strong components: trim", "strong components"}) {
    context_options options;
    options.progress = [at, cancel = options.cancel](std::string_view step, double) {
      if (step == at) cancel.cancel();
    };
    for (const context& where : {context::cpu(options), context::reference(options)}) {
      options.cancel.reset();
      const auto graph = directed(where, 6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
      EXPECT_THROW(strong_components(graph), cancelled);
    }
  }
}

}  // namespace strong_components_test
