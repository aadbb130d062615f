// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"
#include "small_graphs.hpp"
#include "support/messages.hpp"

#include <map>
#include <random>
#include <tropic/algorithms/k_truss.hpp>
#include <tropic/algorithms/verify/k_truss.hpp>
#include <utility>

using namespace tropic;
using small_graphs::contexts;
using small_graphs::directed;
using small_graphs::edges;
using small_graphs::symmetric;

namespace k_truss_test {
namespace {

using supports = std::map<std::pair<index_t, index_t>, index_t>;

/// By the definition: edges with too few triangles are removed until there are none.
template <class T>
supports expected(const matrix<T>& graph, index_t k) {
  supports left;
  const auto columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const index_t j = columns[static_cast<std::size_t>(e)];
      if (i != j) left[{i, j}] = left[{j, i}] = 0;
    }
  for (bool again = true; again;) {
    again = false;
    for (auto& [edge, support] : left) {
      support = 0;
      for (auto next = left.lower_bound({edge.first, 0});
           next != left.end() && next->first.first == edge.first; ++next)
        support += left.contains({edge.second, next->first.second});
    }
    for (auto at = left.begin(); at != left.end();)
      if (at->second < k - 2) {
        at = left.erase(at);
        again = true;
      } else {
        ++at;
      }
  }
  return left;
}

supports found_in(const matrix<std::uint32_t>& truss) {
  supports found;
  const auto coo = truss.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e)
    found[{coo.rows[e], coo.columns[e]}] = coo.values[e];
  return found;
}

template <class T>
void expect_right(const matrix<T>& graph) {
  for (const index_t k : {3, 4, 5, 8}) {
    SCOPED_TRACE("k " + std::to_string(k));
    const k_truss_result found = k_truss(graph, k);
    const supports all = expected(graph, k);
    EXPECT_EQ(found_in(found.support), all);
    EXPECT_EQ(found.edges, static_cast<index_t>(all.size()) / 2);
    EXPECT_EQ(verify_k_truss(graph, k, found), "");
  }
}

}  // namespace

TEST(Truss, OfSmallGraphsIsThatOfTheDefinitionOnEveryContext) {
  small_graphs::on_every_context(small_graphs::all(),
                                 [](const auto& graph) { expect_right(graph); });
}

TEST(Truss, OfRandomAndGeneratedGraphsIsThatOfTheDefinition) {
  std::mt19937 random(5);
  for (const context& where : contexts()) {
    for (int round = 0; round < 4; ++round) {
      const auto n = static_cast<index_t>(2 + random() % 60);
      const edges list =
          small_graphs::random_edges(random, n, random() % static_cast<unsigned>(9 * n));
      SCOPED_TRACE(small_graphs::trace(where, n, list));
      expect_right(directed<double>(where, n, list));
      expect_right(symmetric<float>(where, n, list));
    }
    for (const io::coordinates& entries : {kron(6, 8, 3), grid(9)})
      expect_right(make_matrix<bool>(where, entries));
  }
}

// A triangulated tube of rings of five vertices, whose last ring is a clique. Its open end has
// edges of one triangle, and when they are removed, the next ring has.
TEST(Truss, IsFoundByRemovingEdgesRoundAfterRound) {
  edges tube;
  const auto vertex = [](std::uint32_t ring, std::uint32_t n) { return 5 * ring + n % 5; };
  for (std::uint32_t ring = 0; ring < 16; ++ring)
    for (std::uint32_t n = 0; n < 5; ++n) {
      tube.emplace_back(vertex(ring, n), vertex(ring, n + 1));
      if (ring == 15) {
        tube.emplace_back(vertex(ring, n), vertex(ring, n + 2));
      } else {
        tube.emplace_back(vertex(ring, n), vertex(ring + 1, n));
        tube.emplace_back(vertex(ring, n), vertex(ring + 1, n + 1));
      }
    }
  for (const context& where : contexts()) {
    const auto graph = symmetric(where, 82, tube);
    expect_right(graph);
    EXPECT_GT(k_truss(graph, 4).rounds, 10);
    EXPECT_EQ(k_truss(graph, 5).edges, 10);  // the clique
    EXPECT_EQ(k_truss(graph, std::numeric_limits<index_t>::max()).edges, 0);
  }
}

class TrussOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(TrussOfRealGraphs, EqualsASerialRemovalOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    EXPECT_EQ(verify_k_truss(graph, 6, k_truss(graph, 6)), "");
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, TrussOfRealGraphs,
                         ::testing::Values("graphs/USA-road-d.NY.mtx.xz", "graphs/wiki-Vote.mtx.xz",
                                           "graphs/ca-AstroPh.mtx.xz", "graphs/as-22july06.mtx.xz"),
                         oracle::test_name);

TEST(Truss, RefusesRectanglesAndSmallNumbers) {
  const context where = oracle::on_threads(1);
  EXPECT_NE(tropic::testing::message_of<usage_error>([&] {
              k_truss(matrix<bool>(where, 5, 6), 3);
            }).find("k_truss: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
  EXPECT_EQ(
      tropic::testing::message_of<usage_error>([&] { k_truss(matrix<bool>(where, 5, 5), 2); }),
      "k_truss: k is 2, expected 3 or more");
}

TEST(Truss, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = symmetric(where, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  k_truss_result found = k_truss(graph, 3);
  EXPECT_EQ(found.edges, 3);
  found.support.set(0, 1, 2);
  EXPECT_EQ(verify_k_truss(graph, 3, found), "edge 0 1 has 2 triangles, a serial search finds 1");
  found.support.remove(0, 1);
  EXPECT_EQ(verify_k_truss(graph, 3, found), "edge 0 1 is missing");
  found.support.set(0, 1, 1);
  found.support.set(2, 3, 1);
  EXPECT_EQ(verify_k_truss(graph, 3, found), "edge 2 3 is not in the truss");
  found.support.remove(2, 3);
  found.edges = 4;
  EXPECT_EQ(verify_k_truss(graph, 3, found), "the result counts 4 edges, there are 3");
  found.support = matrix<std::uint32_t>(where, 3, 3);
  EXPECT_EQ(verify_k_truss(graph, 3, found), "the truss is 3x3, the graph has 4 vertices");
}

TEST(Truss, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "truss") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(k_truss(graph, 3), cancelled);
  }
}

}  // namespace k_truss_test
