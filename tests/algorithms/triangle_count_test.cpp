// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "support/messages.hpp"

#include <random>
#include <tropic/algorithms/verify/triangle_count.hpp>
#include <utility>

using namespace tropic;
using oracle::contexts;

namespace triangle_count_test {
namespace {

/// A random graph, as its edges; `pull` above 1 makes low numbers more frequent.
matrix<float> random_graph(const context& where, index_t n, std::size_t count, unsigned seed,
                           bool both_ways, double pull) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  const auto vertex = [&] {
    return static_cast<std::uint32_t>(std::pow(uniform(random), pull) * static_cast<double>(n));
  };
  std::vector<std::uint32_t> from, to;
  for (std::size_t e = 0; e < count; ++e) {
    from.push_back(vertex());
    to.push_back(vertex());  // loops occur
    if (!both_ways) continue;
    from.push_back(to.back());
    to.push_back(from[from.size() - 2]);
  }
  auto graph = matrix<float>::from_entries(
      where, n, n, from, to, std::vector<float>(from.size(), 0.0f), duplicates::first);
  if (both_ways) graph.assume_symmetric();
  return graph;
}

/// The triangles of every vertex, by looking at all triples.
template <class T>
std::vector<std::int64_t> expected(const matrix<T>& graph) {
  const auto n = static_cast<std::size_t>(graph.rows());
  std::vector<std::vector<bool>> linked(n, std::vector<bool>(n));
  const auto columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const std::size_t j = columns[static_cast<std::size_t>(e)];
      linked[static_cast<std::size_t>(i)][j] = linked[j][static_cast<std::size_t>(i)] = true;
    }
  std::vector<std::int64_t> found(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (linked[a][b])
        for (std::size_t c = 0; c < b; ++c)
          if (linked[a][c] && linked[b][c]) {
            ++found[a];
            ++found[b];
            ++found[c];
          }
  return found;
}

template <class T>
void expect_right(const matrix<T>& graph) {
  const std::vector<std::int64_t> all = expected(graph);
  std::int64_t total = 0;
  for (const std::int64_t count : all) total += count;
  EXPECT_EQ(triangle_count(graph), total / 3);
  EXPECT_EQ(triangles_per_vertex(graph).dense(0), all);
  EXPECT_EQ(verify_triangle_count(graph, total / 3), "");
  EXPECT_EQ(verify_triangles_per_vertex(graph, triangles_per_vertex(graph)), "");
}

}  // namespace

TEST(Triangles, OfRandomGraphsEqualACountOverAllTriples) {
  for (const context& where : contexts())
    for (const auto& [n, count] :
         {std::pair<index_t, std::size_t>{1, 3}, {2, 4}, {3, 9}, {40, 200}, {65, 1500}, {150, 900}})
      for (const double pull : {1.0, 4.0})
        for (const bool both_ways : {false, true}) {
          SCOPED_TRACE(std::string(where.name()) + ", " + std::to_string(n) + " vertices, pull " +
                       std::to_string(pull));
          expect_right(random_graph(where, n, count, 5, both_ways, pull));
        }
}

TEST(Triangles, OfSkewedGraphsAreCountedInTheOrderOfDegrees) {
  for (const context& where : contexts()) {
    const auto graph = random_graph(where, 300, 900, 3, true, 9.0);
    EXPECT_TRUE(detail::is_skewed(graph));
    expect_right(graph);
  }
  EXPECT_FALSE(detail::is_skewed(make_matrix<bool>(context::reference(), grid(20))));
}

TEST(Triangles, OfKnownGraphs) {
  for (const context& where : contexts()) {
    EXPECT_EQ(triangle_count(matrix<bool>(where, 0, 0)), 0);
    EXPECT_EQ(triangle_count(matrix<bool>(where, 5, 5)), 0);
    EXPECT_EQ(triangles_per_vertex(matrix<bool>(where, 5, 5)).nvals(), 0);
    EXPECT_EQ(triangle_count(make_matrix<bool>(where, grid(9))), 0);
    std::vector<std::uint32_t> from, to;
    for (std::uint32_t a = 0; a < 70; ++a)
      for (std::uint32_t b = 0; b <= a; ++b) {
        from.push_back(b);
        to.push_back(a);
      }
    const auto clique = matrix<bool>::from_pattern(where, 70, 70, from, to, false);
    EXPECT_EQ(triangle_count(clique), 70 * 69 * 68 / 6);
    EXPECT_EQ(triangles_per_vertex(clique).dense(-1), std::vector<std::int64_t>(70, 69 * 68 / 2));
    const auto generated = make_matrix<bool>(where, kron(9, 16, 3));
    EXPECT_EQ(verify_triangle_count(generated, triangle_count(generated)), "");
  }
}

class TrianglesOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(TrianglesOfRealGraphs, EqualASerialSearchOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    EXPECT_EQ(verify_triangle_count(graph, triangle_count(graph)), "");
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, TrianglesOfRealGraphs, ::testing::ValuesIn(oracle::graphs()),
                         oracle::test_name);

TEST(Triangles, OfRectanglesAreRefused) {
  for (const auto& count : std::vector<std::function<void(const matrix<bool>&)>>{
           [](const matrix<bool>& a) { triangle_count(a); },
           [](const matrix<bool>& a) { triangles_per_vertex(a); }}) {
    const std::string message = tropic::testing::message_of<usage_error>(
        [&] { count(matrix<bool>(oracle::on_threads(1), 5, 6)); });
    EXPECT_NE(message.find("a graph's matrix is square, this one is 5x6"), std::string::npos);
  }
}

TEST(Triangles, ThatAreWrongAreFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const std::vector<std::uint32_t> from{0, 1, 2}, to{1, 2, 0};
  const auto graph = matrix<bool>::from_pattern(where, 4, 4, from, to, true);
  EXPECT_EQ(verify_triangle_count(graph, 2), "found 2 triangles, a serial search finds 1");
  vector<std::int64_t> counts = triangles_per_vertex(graph);
  counts.set(3, 1);
  EXPECT_EQ(verify_triangles_per_vertex(graph, counts),
            "vertex 3 has 1 triangles, a serial search finds 0");
  EXPECT_EQ(verify_triangles_per_vertex(graph, vector<std::int64_t>(where, 3)),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(Triangles, StopWhenTheyAreCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "triangles") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(triangle_count(graph), cancelled);
    options.cancel.reset();
    EXPECT_THROW(triangles_per_vertex(graph), cancelled);
  }
}

}  // namespace triangle_count_test
