// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include <boost/graph/betweenness_centrality.hpp>
#include <tropic/algorithms/relabelled/betweenness.hpp>
#include <tropic/algorithms/verify/betweenness.hpp>

using namespace tropic;

namespace {

/// Distances and numbers of shortest paths from s, -1 and 0 where there is none, by levels.
template <class T>
void count_paths(const matrix<T>& graph, index_t s, std::vector<index_t>& distance,
                 std::vector<double>& paths) {
  const auto columns = graph.column_indices();
  distance.assign(static_cast<std::size_t>(graph.rows()), -1);
  paths.assign(distance.size(), 0);
  distance[static_cast<std::size_t>(s)] = 0;
  paths[static_cast<std::size_t>(s)] = 1;
  for (index_t level = 0; level < graph.rows(); ++level)
    for (index_t i = 0; i < graph.rows(); ++i)
      if (distance[static_cast<std::size_t>(i)] == level)
        for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
          const std::size_t j = columns[static_cast<std::size_t>(e)];
          if (distance[j] < 0) distance[j] = level + 1;
          if (distance[j] == level + 1) paths[j] += paths[static_cast<std::size_t>(i)];
        }
}

/// By the definition: all pairs s, t and all v between them.
template <class T>
std::vector<double> expected(const matrix<T>& graph, const betweenness_options& options) {
  const auto n = static_cast<std::size_t>(graph.rows());
  std::vector<std::vector<index_t>> distance(n);
  std::vector<std::vector<double>> paths(n);
  for (std::size_t s = 0; s < n; ++s)
    count_paths(graph, static_cast<index_t>(s), distance[s], paths[s]);
  std::vector<bool> is_source(n, !options.sources);
  if (options.sources)
    for (const index_t s : *options.sources) is_source[static_cast<std::size_t>(s)] = true;
  std::vector<double> sum(n, 0);
  double sources = 0;
  for (std::size_t s = 0; s < n; ++s) {
    if (!is_source[s]) continue;
    ++sources;
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t v = 0; v < n; ++v) {
        if (s == t || distance[s][t] < 0) continue;
        if (v == s || v == t)
          sum[v] += options.endpoints;
        else if (distance[s][v] >= 0 && distance[v][t] >= 0 &&
                 distance[s][v] + distance[v][t] == distance[s][t])
          sum[v] += paths[s][v] * paths[v][t] / paths[s][t];
      }
  }
  // The mean over the pairs that v can be between, then times their number unless normalised.
  const double others = static_cast<double>(n) - (options.endpoints ? 1 : 2);
  if (others < 1) return sum;
  const bool is_directed = options.directed.value_or(!graph.is_symmetric());
  for (std::size_t v = 0; v < n; ++v) {
    const double from = sources - (!options.endpoints && is_source[v] ? 1 : 0);
    const double mean = from > 0 ? sum[v] / (from * others) : 0;
    const double pairs = others * (others + 1) / (is_directed ? 1 : 2);
    sum[v] = options.normalized ? mean : mean * pairs;
  }
  return sum;
}

template <class Graph, class T>
void expect_right(const Graph& graph, const matrix<T>& original,
                  const betweenness_options& options) {
  const betweenness_result found = betweenness(graph, options);
  samples::expect_near(found.centrality.dense(-1), expected(original, options));
  EXPECT_EQ(verify_betweenness(original, found, options), "");
  EXPECT_EQ(found.by_logarithms, 0);
}

/// All four kinds, from all vertices and from a few.
std::vector<betweenness_options> kinds(index_t vertices) {
  std::vector<betweenness_options> all;
  for (const bool normalized : {true, false})
    for (const bool endpoints : {true, false}) {
      all.push_back({.normalized = normalized, .endpoints = endpoints});
      for (const index_t count : {1, 4})
        if (count <= vertices)
          all.push_back({.sources = sample_of_vertices(vertices, count, 5),
                         .normalized = normalized,
                         .endpoints = endpoints});
    }
  return all;
}

}  // namespace

TEST(Betweenness, OfSmallGraphsIsThatOfTheDefinition) {
  samples::on_small_graphs([](const auto& graph) {
    for (const betweenness_options& options : kinds(graph.rows())) {
      SCOPED_TRACE(::testing::Message()
                   << "normalized " << options.normalized << ", endpoints " << options.endpoints
                   << ", sources " << (options.sources ? options.sources->size() : 0));
      expect_right(graph, graph, options);
    }
  });
}

TEST(Betweenness, OfRelabelledGraphsHasTheOriginalNumbers) {
  for (const context& where : {context::reference(), oracle::on_threads(2)})
    for (const auto& [name, n, list] : samples::small_graphs())
      for (const auto& graph :
           {samples::directed(where, n, list), samples::symmetric(where, n, list)})
        for (const betweenness_options& options : kinds(n)) {
          SCOPED_TRACE(name);
          expect_right(relabelled_graph<bool>(graph, permutation_kind::random_row, 2), graph,
                       options);
        }
}

TEST(Betweenness, OfGeneratedGraphsEqualsBoost) {
  for (const context& where : samples::contexts())
    for (const io::coordinates& entries : {kron(7, 8, 3), urand(7, 3, 5)}) {
      const auto graph = make_matrix<double>(where, entries);
      const oracle::graph g = oracle::make(graph);
      std::vector<double> theirs(boost::num_vertices(g));
      boost::brandes_betweenness_centrality(
          g, boost::make_iterator_property_map(theirs.begin(), boost::get(boost::vertex_index, g)));
      samples::expect_near(
          betweenness(graph, {.normalized = false, .directed = true}).centrality.dense(-1), theirs);
    }
}

// 600 x 600 vertices: the middle is reached on 1e359 paths, more than fp64 holds, and the border on
// one.
TEST(Betweenness, OfPathsThatFp64CannotCountIsFinite) {
  const auto graph = make_matrix<bool>(oracle::on_threads(2), grid(600));
  const betweenness_options options{.sources = std::vector<index_t>{0}};
  const betweenness_result found = betweenness(graph, options);
  EXPECT_EQ(found.by_logarithms, 1);
  EXPECT_EQ(verify_betweenness(graph, found, options), "");
  // Logarithms give the same as counts.
  for (const auto& [name, n, list] : samples::small_graphs()) {
    if (n == 0) continue;
    const auto small = samples::directed(context::reference(), n, list);
    SCOPED_TRACE(name);
    for (index_t source = 0; source < n; source += 7)
      samples::expect_near(
          detail::dependencies<detail::path_logarithms>(small, source)->of.dense(-1),
          detail::dependencies<detail::path_counts>(small, source)->of.dense(-1));
  }
}

TEST(Betweenness, IsTheSameOnAnyNumberOfThreads) {
  const io::coordinates entries = kron(12, 16, 3);
  const betweenness_options options{.sources = sample_of_vertices(1 << 12, 6, 1)};
  const auto on = [&](int threads) {
    return betweenness(make_matrix<bool>(oracle::on_threads(threads), entries), options)
        .centrality.dense(-1);
  };
  const std::vector<double> one = on(1);
  EXPECT_EQ(on(2), one);
  EXPECT_EQ(on(3), one);
}

class BetweennessOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(BetweennessOfRealGraphs, FromASampleEqualsASerialComputation) {
  TROPIC_NEEDS(path, GetParam());
  const auto graph = read_matrix<double>(oracle::device_or_threads(2), path.string(),
                                         duplicates::first, {.lenient = true});
  const betweenness_options options{.sources = sample_of_vertices(graph.rows(), 3, 7)};
  EXPECT_EQ(verify_betweenness(graph, betweenness(graph, options), options), "");
}
INSTANTIATE_TEST_SUITE_P(Shared, BetweennessOfRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

TEST(Betweenness, RefusesRectanglesAndBadSources) {
  const context where = oracle::on_threads(1);
  const auto refusal = [&](index_t rows, index_t columns, std::vector<index_t> sources) {
    return tropic::testing::message_of<usage_error>(
        [&] { betweenness(matrix<bool>(where, rows, columns), {.sources = sources}); });
  };
  EXPECT_NE(refusal(5, 6, {}).find("betweenness: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
  EXPECT_NE(refusal(5, 5, {5}).find("source 5, the graph has 5 vertices"), std::string::npos);
  EXPECT_NE(refusal(5, 5, {2, -1}).find("source -1, the graph has 5"), std::string::npos);
  EXPECT_NE(refusal(5, 5, {2, 3, 2}).find("source 2 is listed twice"), std::string::npos);
  EXPECT_THROW(sample_of_vertices(5, 6, 1), usage_error);
  EXPECT_EQ(sample_of_vertices(5, 5, 9), (std::vector<index_t>{0, 1, 2, 3, 4}));
}

TEST(Betweenness, ThatIsWrongIsFoundByTheVerifier) {
  const auto graph = samples::symmetric(oracle::on_threads(1), 4, samples::path(0, 4));
  betweenness_result found = betweenness(graph);
  EXPECT_EQ(verify_betweenness(graph, found), "");
  EXPECT_NE(verify_betweenness(graph, found, {.normalized = false}), "");
  found.centrality.set(2, 0.5);
  EXPECT_EQ(verify_betweenness(graph, found),
            "vertex 2 has betweenness 0.5, a serial computation gives 0.6666666666666666");
  found.centrality.remove(2);
  EXPECT_NE(verify_betweenness(graph, found), "");
  found.centrality = vector<double>(oracle::on_threads(1), 3);
  EXPECT_EQ(verify_betweenness(graph, found), "the result has 3 positions, the graph 4 vertices");
}

TEST(Betweenness, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "betweenness") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(betweenness(graph), cancelled);
  }
}
