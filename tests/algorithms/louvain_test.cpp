// SPDX-License-Identifier: Apache-2.0
#include "community_options.hpp"
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/louvain.hpp"

#include <tropic/algorithms/verify/louvain.hpp>

using namespace tropic;

namespace {

/// By the definition: the sum over all pairs of vertices in one community.
template <class T>
double expected(const matrix<T>& graph, const std::vector<index_t>& community,
                const modularity_options& options) {
  const auto n = static_cast<std::size_t>(graph.rows());
  std::vector<double> a(n * n, 0), out(n, 0), in(n, 0);
  const auto columns = graph.column_indices();
  const auto values = graph.values();
  double total = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(i)));
         e < static_cast<std::size_t>(graph.offset(static_cast<index_t>(i) + 1)); ++e) {
      double w = options.weighted ? static_cast<double>(values[graph.is_iso() ? 0 : e]) : 1.0;
      if (graph.is_symmetric() && columns[e] == i) w *= 2;
      a[i * n + columns[e]] = w;
      out[i] += w;
      in[columns[e]] += w;
      total += w;
    }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (community[i] == community[j])
        sum += a[i * n + j] - options.resolution * out[i] * in[j] / total;
  return total > 0 ? sum / total : 0;
}

}  // namespace

TEST(Modularity, OfSmallGraphsIsThatOfTheDefinition) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const modularity_options& options : community_options::of_louvain())
      for (const index_t parts : {1, 3, 100}) {
        std::vector<index_t> community;
        for (index_t v = 0; v < graph.rows(); ++v)
          community.push_back(v * 7 % parts % graph.rows());
        const auto given = vector<index_t>::from_array(graph.where(), community);
        EXPECT_NEAR(modularity(graph, given, options), expected(graph, community, options), 1e-12);
      }
  });
}

TEST(Louvain, OfSmallGraphsIsNotWorseThanNoCommunitiesAndThanOne) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const modularity_options& options : community_options::of_louvain()) {
      if (!graph.is_symmetric() || graph.rows() == 0) continue;
      const louvain_result found = louvain(graph, options);
      std::vector<index_t> communities(static_cast<std::size_t>(graph.rows()));
      EXPECT_GE(found.modularity, expected(graph, communities, options) - 1e-12);
      std::iota(communities.begin(), communities.end(), index_t{0});
      EXPECT_GE(found.modularity, expected(graph, communities, options) - 1e-12);
    }
  });
}

// Around a cycle a vertex gains equally on both sides, and stays with the one that joined it.
TEST(Louvain, TakesTheSmallestOfEqualCommunities) {
  samples::edges cycle = samples::path(0, 6);
  cycle.emplace_back(5, 0);
  EXPECT_EQ(louvain(samples::symmetric(oracle::on_threads(2), 6, cycle)).community.dense(-1),
            (std::vector<index_t>{0, 0, 2, 2, 4, 4}));
}

TEST(Modularity, OfEveryTypeIsThatOfItsWeights) {
  const auto graph = samples::symmetric<std::int32_t>(oracle::on_threads(2), 60,
                                                      samples::random_edges(60, 200, 8));
  for (const modularity_options& options : community_options::of_louvain()) {
    const louvain_result found = louvain(graph, options);
    EXPECT_NEAR(algorithms::modularity(graph.base(), found.community, options), found.modularity,
                1e-12);
  }
}

// The best partition known of these 34 vertices has 0.4198.
TEST(Louvain, OfTheKarateClubIsNearTheBestKnown) {
  TROPIC_NEEDS(path, "graphs/karate.mtx.xz");
  const auto graph = read_matrix<double>(oracle::device_or_threads(1), path.string(),
                                         duplicates::first, {.lenient = true});
  const double found = louvain(graph).modularity;
  EXPECT_GT(found, 0.41);
  EXPECT_LT(found, 0.4199);
}

// What vertices that move one after the other reach, by the method as it was published.
class LouvainOfRealGraphs : public ::testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(LouvainOfRealGraphs, IsAsGoodAsWithMovesOneAfterTheOther) {
  const auto& [file, modularity] = GetParam();
  TROPIC_NEEDS(path, file);
  const auto graph = read_matrix<double>(oracle::device_or_threads(2), path.string(),
                                         duplicates::first, {.lenient = true});
  const louvain_result found = louvain(graph);
  EXPECT_GE(found.modularity, 0.995 * modularity);
  EXPECT_EQ(verify_louvain(graph, found), "");
}
INSTANTIATE_TEST_SUITE_P(Shared, LouvainOfRealGraphs,
                         ::testing::Values(std::pair{"graphs/karate.mtx.xz", 0.4188},
                                           std::pair{"graphs/power.mtx.xz", 0.9357},
                                           std::pair{"graphs/ca-AstroPh.mtx.xz", 0.6059},
                                           std::pair{"graphs/wiki-Vote.mtx.xz", 0.4196},
                                           std::pair{"graphs/as-22july06.mtx.xz", 0.6627},
                                           std::pair{"graphs/email-Enron.mtx.xz", 0.6052},
                                           std::pair{"graphs/cond-mat-2005.mtx.xz", 0.7233},
                                           std::pair{"graphs/cit-HepPh.mtx.xz", 0.7122}));

TEST(Modularity, RefusesWhatDoesNotFit) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const matrix<bool> square(where, 3, 3);
  const std::vector<std::pair<std::string, std::string>> cases{
      {refusal([&] { modularity(square, vector<index_t>(where, 3)); }),
       "modularity: 0 communities of 3 positions, the graph has 3 vertices"},
      {refusal([&] { modularity(square, vector<index_t>(where, 3, 3)); }),
       "modularity: community 3, needed 0 to 2"}};
  for (const auto& [found, part] : cases) EXPECT_NE(found.find(part), std::string::npos) << found;
}

TEST(Louvain, IsVerifiedWithALargeResolution) {
  const auto grid = samples::symmetric(oracle::on_threads(1), 81, samples::grid_of(9));
  for (const double resolution : {1e9, 1e15, 1e300}) {
    const modularity_options options{.resolution = resolution};
    louvain_result found = louvain(grid, options);
    EXPECT_EQ(found.communities, 81);
    EXPECT_EQ(verify_louvain(grid, found, options), "") << resolution;
    found.modularity *= 1 + 1e-6;
    EXPECT_NE(verify_louvain(grid, found, options), "") << resolution;
  }
}

TEST(Louvain, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  samples::edges list = samples::clique(0, 4);
  for (const auto& edge : samples::clique(4, 8)) list.push_back(edge);
  const auto graph = samples::symmetric(where, 8, list);
  const louvain_result right = louvain(graph);
  EXPECT_EQ(verify_louvain(graph, right), "");
  louvain_result found = right;
  found.modularity += 0.01;
  EXPECT_NE(verify_louvain(graph, found).find("serial sums give 0.5"), std::string::npos);
  found = right;
  found.communities = 3;
  EXPECT_EQ(verify_louvain(graph, found), "the result counts 3 communities, there are 2");
  found.community.set(7, 5);
  EXPECT_EQ(verify_louvain(graph, found),
            "vertex 7 has community 5, which is not the smallest vertex of one");
  // Every vertex alone.
  std::vector<index_t> alone(8);
  std::iota(alone.begin(), alone.end(), index_t{0});
  found = {vector<index_t>::from_array(where, alone), 8, 0, -0.125};
  EXPECT_NE(verify_louvain(graph, found).find("communities 0 and 1 together have a modularity"),
            std::string::npos);
}
