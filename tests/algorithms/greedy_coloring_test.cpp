// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "priority_order.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <random>
#include <set>
#include <tropic/algorithms/relabelled/greedy_coloring.hpp>
#include <tropic/algorithms/verify/greedy_coloring.hpp>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::symmetric;

namespace greedy_coloring_test {
namespace {

/// By a serial loop over the vertices.
template <class T>
std::vector<index_t> expected(const matrix<T>& graph, std::uint64_t seed) {
  const auto lists = detail::neighbours_of(graph);
  std::vector<index_t> color(lists.size(), -1);
  for (const std::uint32_t v : small_graphs::by_priority(lists, seed)) {
    std::set<index_t> taken;
    for (const std::uint32_t u : lists[v]) taken.insert(color[u]);
    color[v] = 0;
    while (taken.contains(color[v])) ++color[v];
  }
  return color;
}

template <class Graph, class T>
void expect_right(const Graph& graph, const matrix<T>& original) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}}) {
    const coloring_result found = greedy_coloring(graph, seed);
    const std::vector<index_t> color = expected(original, seed);
    EXPECT_EQ(found.color.dense(-1), color);
    EXPECT_EQ(found.colors, color.empty() ? 0 : *std::max_element(color.begin(), color.end()) + 1);
    EXPECT_EQ(verify_greedy_coloring(original, found), "");
  }
}

edges clique(std::uint32_t size) {
  edges list;
  for (std::uint32_t a = 0; a < size; ++a)
    for (std::uint32_t b = 0; b < a; ++b) list.emplace_back(a, b);
  return list;
}

}  // namespace

TEST(Coloring, OfSmallGraphsIsThatOfASerialLoopOnEveryContext) {
  small_graphs::on_every_context(small_graphs::all(),
                                 [](const auto& graph) { expect_right(graph, graph); });
}

TEST(Coloring, OfRandomAndGeneratedGraphsIsThatOfASerialLoop) {
  std::mt19937 random(5);
  for (const context& where : contexts()) {
    for (int round = 0; round < 6; ++round) {
      const auto n = static_cast<index_t>(2 + random() % 300);
      const edges list =
          small_graphs::random_edges(random, n, random() % static_cast<unsigned>(8 * n));
      SCOPED_TRACE(small_graphs::trace(where, n, list));
      const auto graph = directed<double>(where, n, list);
      expect_right(graph, graph);
    }
    for (const io::coordinates& entries : {kron(8, 16, 3), grid(25)}) {
      const auto graph = make_matrix<bool>(where, entries);
      expect_right(graph, graph);
    }
  }
}

TEST(Coloring, TakesMoreColorsThanAWordHasBits) {
  for (const context& where : {context::reference(), context::fake_device(), oracle::on_threads(2)})
    for (const std::uint32_t size : {63U, 64U, 65U, 130U}) {
      const auto graph = symmetric(where, size + 3, clique(size));
      EXPECT_EQ(greedy_coloring(graph).colors, size);
      expect_right(graph, graph);
    }
}

TEST(Coloring, NumbersBits) {
  const context where = oracle::on_threads(1);
  vector<std::uint64_t> bit(where, 64);
  for (index_t n = 0; n < 64; ++n) bit.set(n, std::uint64_t{1} << n);
  vector<index_t> number(where, 64);
  apply(number, detail::number_of_bit{64}, bit);
  for (index_t n = 0; n < 64; ++n) EXPECT_EQ(number.get(n), 64 + n);
}

class ColoringOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(ColoringOfRealGraphs, IsThatOfASerialLoopOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    expect_right(graph, graph);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, ColoringOfRealGraphs,
                         ::testing::Values("graphs/USA-road-d.NY.mtx.xz", "graphs/wiki-Vote.mtx.xz",
                                           "graphs/ca-AstroPh.mtx.xz", "graphs/as-22july06.mtx.xz"),
                         oracle::test_name);

TEST(Coloring, OfRelabelledGraphsIsThatOfTheOriginal) {
  small_graphs::on_relabelled_copies(
      small_graphs::all(), [](const auto& copy, const auto& graph) { expect_right(copy, graph); });
}

TEST(Coloring, OfRectanglesIsRefused) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { greedy_coloring(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("greedy_coloring: a graph's matrix is square, this one is 5x6"),
            std::string::npos)
      << message;
}

TEST(Coloring, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = directed(where, 4, {{0, 1}, {1, 2}, {2, 0}});
  coloring_result found{vector<index_t>::from_array(where, {0, 1, 2, 0}), 3, 3};
  EXPECT_EQ(verify_greedy_coloring(graph, found), "");
  found.color.set(2, 1);
  EXPECT_EQ(verify_greedy_coloring(graph, found),
            "vertices 1 and 2 are linked and both have color 1");
  found.color.set(2, 3);
  EXPECT_EQ(verify_greedy_coloring(graph, found), "vertex 2 has color 3, no neighbour has color 2");
  found.color.remove(2);
  EXPECT_EQ(verify_greedy_coloring(graph, found), "vertex 2 has no color");
  found.color.set(2, 2);
  found.colors = 4;
  EXPECT_EQ(verify_greedy_coloring(graph, found), "the result counts 4 colors, there are 3");
  found.color = vector<index_t>(where, 3);
  EXPECT_EQ(verify_greedy_coloring(graph, found),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(Coloring, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "coloring") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(greedy_coloring(graph), cancelled);
  }
}

}  // namespace greedy_coloring_test
