// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <boost/graph/core_numbers.hpp>
#include <random>
#include <set>
#include <tropic/algorithms/verify/core_numbers.hpp>
#include <utility>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::path;
using small_graphs::symmetric;

namespace {

/// By Boost.Graph, over the edges in both directions, each once, without loops.
template <class T>
std::vector<index_t> expected_cores(const matrix<T>& graph) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  const auto columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const std::size_t a = static_cast<std::size_t>(i), b = columns[static_cast<std::size_t>(e)];
      if (a != b) pairs.emplace(std::min(a, b), std::max(a, b));
    }
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> g(
      static_cast<std::size_t>(graph.rows()));
  for (const auto& [a, b] : pairs) boost::add_edge(a, b, g);
  std::vector<index_t> core(boost::num_vertices(g));
  if (!core.empty())
    boost::core_numbers(
        g, boost::make_iterator_property_map(core.begin(), boost::get(boost::vertex_index, g)));
  return core;
}

template <class T>
void expect_right(const matrix<T>& graph) {
  const core_numbers_result found = core_numbers(graph);
  const std::vector<index_t> expected = expected_cores(graph);
  EXPECT_EQ(found.core.dense(-1), expected);
  EXPECT_EQ(found.degeneracy,
            expected.empty() ? 0 : *std::max_element(expected.begin(), expected.end()));
  EXPECT_EQ(verify_core_numbers(graph, found), "");
}

}  // namespace

TEST(Cores, OfSmallGraphsEqualBoostOnEveryContext) {
  small_graphs::on_every_context(small_graphs::all(),
                                 [](const auto& graph) { expect_right(graph); });
}

TEST(Cores, OfRandomGraphsEqualBoost) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<index_t>(2 + random() % 300);
    const edges list =
        small_graphs::random_edges(random, n, random() % static_cast<unsigned>(9 * n));
    SCOPED_TRACE(std::to_string(n) + " vertices, round " + std::to_string(round));
    for (const context& where : {oracle::on_threads(2), context::reference()}) {
      expect_right(directed<double>(where, n, list));
      expect_right(symmetric(where, n, list));
    }
  }
}

TEST(Cores, OfGeneratedGraphsEqualBoostOnEveryContext) {
  for (const context& where : contexts())
    for (const io::coordinates& entries : {kron(9, 16, 3), grid(25), urand(9, 4, 5)})
      expect_right(make_matrix<bool>(where, entries));
}

class CoresOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(CoresOfRealGraphs, EqualBoostOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2})
    expect_right(read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                     duplicates::first, {.lenient = true}));
}
INSTANTIATE_TEST_SUITE_P(Shared, CoresOfRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

// Two vertices a round: 50,000 rounds, none of which may pass over all vertices.
TEST(Cores, OfALongPathTakeTimeByItsLength) {
  std::vector<std::uint32_t> order(100'000);
  std::iota(order.begin(), order.end(), 0U);
  const core_numbers_result found =
      core_numbers(symmetric(oracle::on_threads(2), 100'000, path(order)));
  EXPECT_EQ(found.rounds, 50'000);
  EXPECT_EQ(found.core.dense(-1), std::vector<index_t>(100'000, 1));
}

TEST(Cores, OfRectanglesAreRefused) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { core_numbers(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("core_numbers: a graph's matrix is square, this one is 5x6"),
            std::string::npos)
      << message;
}

TEST(Cores, ThatAreWrongAreFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = symmetric(where, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  core_numbers_result found = core_numbers(graph);
  EXPECT_EQ(found.core.dense(-1), (std::vector<index_t>{2, 2, 2, 1}));
  found.core.set(3, 2);
  EXPECT_EQ(verify_core_numbers(graph, found),
            "vertex 3 has core number 2, a serial search finds 1");
  found.core.set(3, 1);
  found.degeneracy = 3;
  EXPECT_EQ(verify_core_numbers(graph, found),
            "the result's degeneracy is 3, the largest core number is 2");
  found.core = vector<index_t>(where, 3);
  EXPECT_EQ(verify_core_numbers(graph, found), "the result has 3 positions, the graph 4 vertices");
}

TEST(Cores, StopWhenTheyAreCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "cores") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(core_numbers(graph), cancelled);
  }
}
