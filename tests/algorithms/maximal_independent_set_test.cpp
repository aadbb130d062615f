// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "priority_order.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <random>
#include <tropic/algorithms/relabelled/maximal_independent_set.hpp>
#include <tropic/algorithms/verify/maximal_independent_set.hpp>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::symmetric;

namespace maximal_independent_set_test {
namespace {

/// By a serial loop over the vertices.
template <class T>
std::vector<bool> expected(const matrix<T>& graph, std::uint64_t seed) {
  const auto lists = detail::neighbours_of(graph);
  std::vector<bool> chosen(lists.size());
  for (const std::uint32_t v : small_graphs::by_priority(lists, seed))
    chosen[v] = std::none_of(lists[v].begin(), lists[v].end(), [&](auto u) { return chosen[u]; });
  return chosen;
}

template <class Graph, class T>
void expect_right(const Graph& graph, const matrix<T>& original) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    const independent_set_result found = maximal_independent_set(graph, seed);
    std::vector<bool> chosen(static_cast<std::size_t>(original.rows()));
    for (const auto& [v, value] : found.members.entries()) {
      EXPECT_TRUE(value);
      chosen[static_cast<std::size_t>(v)] = true;
    }
    EXPECT_EQ(chosen, expected(original, seed));
    EXPECT_EQ(found.size, std::count(chosen.begin(), chosen.end(), true));
    EXPECT_EQ(verify_maximal_independent_set(original, found), "");
  }
}

}  // namespace

TEST(IndependentSet, OfSmallGraphsIsThatOfASerialLoopOnEveryContext) {
  small_graphs::on_every_context(small_graphs::all(),
                                 [](const auto& graph) { expect_right(graph, graph); });
}

TEST(IndependentSet, OfRandomAndGeneratedGraphsIsThatOfASerialLoop) {
  std::mt19937 random(5);
  for (const context& where : contexts()) {
    for (int round = 0; round < 8; ++round) {
      const auto n = static_cast<index_t>(2 + random() % 300);
      const edges list =
          small_graphs::random_edges(random, n, random() % static_cast<unsigned>(6 * n));
      SCOPED_TRACE(small_graphs::trace(where, n, list));
      const auto graph = directed<double>(where, n, list);
      expect_right(graph, graph);
    }
    for (const io::coordinates& entries : {kron(9, 16, 3), grid(25), urand(9, 4, 5)}) {
      const auto graph = make_matrix<bool>(where, entries);
      expect_right(graph, graph);
    }
  }
}

TEST(IndependentSet, HasEveryVertexWithoutNeighboursAndTheLeavesOfAStar) {
  for (const context& where : contexts()) {
    EXPECT_EQ(maximal_independent_set(directed(where, 4, {{1, 1}, {3, 3}})).size, 4);
    edges star;
    for (std::uint32_t v = 1; v < 80; ++v) star.emplace_back(0, v);
    EXPECT_EQ(maximal_independent_set(directed(where, 80, star)).size, 79);
  }
}

TEST(IndependentSet, DependsOnTheSeed) {
  const auto graph = make_matrix<bool>(oracle::on_threads(2), grid(30));
  EXPECT_NE(maximal_independent_set(graph, 1).members.dense(false),
            maximal_independent_set(graph, 2).members.dense(false));
  EXPECT_NE(maximal_independent_set(graph, 1).members.dense(false),
            maximal_independent_set(graph, std::uint64_t{1} << 40).members.dense(false));
}

TEST(IndependentSet, NeedsFewRounds) {
  const auto graph = make_matrix<bool>(oracle::on_threads(2), grid(200));
  EXPECT_LE(maximal_independent_set(graph).rounds, 12);
}

class IndependentSetOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(IndependentSetOfRealGraphs, IsThatOfASerialLoopOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    expect_right(graph, graph);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, IndependentSetOfRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

TEST(IndependentSet, OfRelabelledGraphsIsThatOfTheOriginal) {
  small_graphs::on_relabelled_copies(
      small_graphs::all(), [](const auto& copy, const auto& graph) { expect_right(copy, graph); });
}

TEST(IndependentSet, OfRectanglesIsRefused) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { maximal_independent_set(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("maximal_independent_set: a graph's matrix is square, this one is 5x6"),
            std::string::npos)
      << message;
}

TEST(IndependentSet, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = directed(where, 4, {{0, 1}, {1, 1}, {2, 1}, {2, 3}});
  independent_set_result found{vector<bool>(where, 4), 2, 1};
  found.members.set(0, true);
  found.members.set(2, true);
  EXPECT_EQ(verify_maximal_independent_set(graph, found), "");
  found.members.set(3, true);
  EXPECT_EQ(verify_maximal_independent_set(graph, found),
            "vertices 2 and 3 are linked and both in the set");
  found.members.remove(3);
  found.members.remove(2);
  EXPECT_EQ(verify_maximal_independent_set(graph, found), "vertex 2 could be added to the set");
  found.members.set(2, true);
  found.size = 3;
  EXPECT_EQ(verify_maximal_independent_set(graph, found),
            "the result counts 3 members, there are 2");
  found.members = vector<bool>(where, 3);
  EXPECT_EQ(verify_maximal_independent_set(graph, found),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(IndependentSet, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "independent set") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(maximal_independent_set(graph), cancelled);
  }
}

}  // namespace maximal_independent_set_test
