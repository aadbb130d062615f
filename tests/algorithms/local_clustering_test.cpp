// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <random>
#include <tropic/algorithms/local_clustering.hpp>
#include <tropic/algorithms/verify/local_clustering.hpp>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::symmetric;

namespace local_clustering_test {
namespace {

/// By the definition, over all pairs of vertices.
template <class T>
std::vector<double> expected(const matrix<T>& graph) {
  const auto n = static_cast<std::size_t>(graph.rows());
  std::vector<std::vector<bool>> edge(n, std::vector<bool>(n));
  const auto columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e)
      edge[static_cast<std::size_t>(i)][columns[static_cast<std::size_t>(e)]] = true;
  std::vector<double> result(n);
  for (std::size_t v = 0; v < n; ++v) {
    std::vector<std::size_t> near;
    for (std::size_t u = 0; u < n; ++u)
      if (u != v && (edge[v][u] || edge[u][v])) near.push_back(u);
    if (near.size() < 2) continue;
    std::size_t linked = 0;
    for (const std::size_t u : near)
      for (const std::size_t w : near) linked += u != w && edge[u][w];
    result[v] = static_cast<double>(linked) / static_cast<double>(near.size() * (near.size() - 1));
  }
  return result;
}

template <class T>
void expect_right(const matrix<T>& graph) {
  const vector<double> found = local_clustering(graph);
  EXPECT_EQ(found.nvals(), graph.rows());
  EXPECT_EQ(found.dense(-1), expected(graph));
  EXPECT_EQ(verify_local_clustering(graph, found), "");
}

}  // namespace

TEST(Clustering, OfSmallGraphsIsThatOfTheDefinitionOnEveryContext) {
  small_graphs::on_every_context(small_graphs::all(),
                                 [](const auto& graph) { expect_right(graph); });
}

TEST(Clustering, OfRandomAndGeneratedGraphsIsThatOfTheDefinition) {
  std::mt19937 random(5);
  for (const context& where : contexts()) {
    for (int round = 0; round < 6; ++round) {
      const auto n = static_cast<index_t>(2 + random() % 100);
      const edges list =
          small_graphs::random_edges(random, n, random() % static_cast<unsigned>(12 * n));
      SCOPED_TRACE(small_graphs::trace(where, n, list));
      expect_right(directed<double>(where, n, list));
      expect_right(symmetric<float>(where, n, list));
    }
    for (const io::coordinates& entries : {kron(7, 8, 3), grid(12)})
      expect_right(make_matrix<bool>(where, entries));
  }
}

TEST(Clustering, OfKnownGraphs) {
  for (const context& where : contexts()) {
    // A clique has 1; of a ring of directed edges with one vertex linked to all, half of each pair.
    edges clique, wheel;
    for (std::uint32_t a = 0; a < 20; ++a)
      for (std::uint32_t b = 0; b < a; ++b) clique.emplace_back(a, b);
    for (std::uint32_t v = 1; v <= 9; ++v) {
      wheel.emplace_back(0, v);
      wheel.emplace_back(v, v % 9 + 1);
    }
    EXPECT_EQ(local_clustering(symmetric(where, 20, clique)).dense(-1),
              std::vector<double>(20, 1.0));
    EXPECT_EQ(local_clustering(directed(where, 20, clique)).dense(-1),
              std::vector<double>(20, 0.5));
    std::vector<double> of_wheel(10, 2.0 / 6);
    of_wheel[0] = 9.0 / 72;
    EXPECT_EQ(local_clustering(directed(where, 10, wheel)).dense(-1), of_wheel);
  }
}

class ClusteringOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(ClusteringOfRealGraphs, EqualsASerialSearchOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  std::vector<double> first;
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    const vector<double> found = local_clustering(graph);
    if (threads == 1) {
      EXPECT_EQ(verify_local_clustering(graph, found), "");
      first = found.dense(-1);
    }
    EXPECT_EQ(found.dense(-1), first);
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, ClusteringOfRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

TEST(Clustering, OfRectanglesIsRefused) {
  const std::string message = tropic::testing::message_of<usage_error>(
      [] { local_clustering(matrix<bool>(oracle::on_threads(1), 5, 6)); });
  EXPECT_NE(message.find("local_clustering: a graph's matrix is square, this one is 5x6"),
            std::string::npos)
      << message;
}

TEST(Clustering, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = symmetric(where, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  vector<double> found = local_clustering(graph);
  found.set(2, 1);
  EXPECT_EQ(verify_local_clustering(graph, found),
            "vertex 2 has coefficient 1, a serial search finds 0.3333333333333333");
  found.remove(2);
  EXPECT_NE(verify_local_clustering(graph, found), "");
  EXPECT_EQ(verify_local_clustering(graph, vector<double>(where, 3)),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(Clustering, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "clustering") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(local_clustering(graph), cancelled);
  }
}

}  // namespace local_clustering_test
