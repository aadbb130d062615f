// SPDX-License-Identifier: Apache-2.0

// The verifiers are serial and may take long: they report progress and obey the cancel token.

#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/verify/betweenness.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/algorithms/verify/bfs_batch.hpp>
#include <tropic/algorithms/verify/closeness.hpp>
#include <tropic/algorithms/verify/connected_components.hpp>
#include <tropic/algorithms/verify/core_numbers.hpp>
#include <tropic/algorithms/verify/diameter.hpp>
#include <tropic/algorithms/verify/greedy_coloring.hpp>
#include <tropic/algorithms/verify/k_truss.hpp>
#include <tropic/algorithms/verify/label_propagation.hpp>
#include <tropic/algorithms/verify/leiden.hpp>
#include <tropic/algorithms/verify/local_clustering.hpp>
#include <tropic/algorithms/verify/louvain.hpp>
#include <tropic/algorithms/verify/maximal_independent_set.hpp>
#include <tropic/algorithms/verify/minimum_spanning_forest.hpp>
#include <tropic/algorithms/verify/pagerank.hpp>
#include <tropic/algorithms/verify/pagerank_batch.hpp>
#include <tropic/algorithms/verify/power_centrality.hpp>
#include <tropic/algorithms/verify/similarity.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/algorithms/verify/strong_components.hpp>
#include <tropic/algorithms/verify/triangle_count.hpp>

#include "oracle.hpp"

namespace tropic {
namespace {

class CancelledVerifier : public ::testing::Test {
 protected:
  CancelledVerifier() {
    context_options options;
    options.cancel = cancel_;
    options.progress = [this](std::string_view step, double) {
      if (step.find("verify") != std::string_view::npos && ++checkpoints_ == 2) cancel_.cancel();
    };
    graph_ =
        std::make_unique<matrix<double>>(make_matrix<double>(context::cpu(options), grid(150)));
  }
  // More checkpoints would follow the one that sets the token.
  void expect_stop(const std::function<std::string()>& verify) {
    EXPECT_THROW(verify(), cancelled);
    EXPECT_EQ(checkpoints_, 2);
    cancel_.reset();
    EXPECT_EQ(verify(), "");
    EXPECT_GT(checkpoints_, 5);
  }

  cancel_token cancel_;
  int checkpoints_ = 0;
  std::unique_ptr<matrix<double>> graph_;
};

TEST_F(CancelledVerifier, OfBfsStops) {
  const bfs_result found = bfs(*graph_, 0);
  expect_stop([&] { return verify_bfs(*graph_, 0, found); });
}
TEST_F(CancelledVerifier, OfComponentsStops) {
  const components_result found = connected_components(*graph_);
  expect_stop([&] { return verify_connected_components(*graph_, found); });
}
TEST_F(CancelledVerifier, OfSsspStops) {
  const auto found = sssp(*graph_, 0);
  expect_stop([&] { return verify_sssp(*graph_, 0, found); });
}
TEST_F(CancelledVerifier, OfPagerankStops) {
  const pagerank_result found = pagerank(*graph_);
  expect_stop([&] { return verify_pagerank(*graph_, found); });
}

TEST_F(CancelledVerifier, OfManyPageranksStops) {
  const full_matrix<double> preferences(graph_->where(), graph_->rows(), 2, 1.0);
  const pagerank_batch_result found = pagerank_batch(*graph_, preferences);
  expect_stop([&] { return verify_pagerank_batch(*graph_, preferences, found); });
}

TEST_F(CancelledVerifier, OfBetweennessStops) {
  const betweenness_options options{.sources = sample_of_vertices(graph_->rows(), 8, 1)};
  const betweenness_result found = betweenness(*graph_, options);
  expect_stop([&] { return verify_betweenness(*graph_, found, options); });
}

TEST_F(CancelledVerifier, OfLabelPropagationStops) {
  const label_propagation_result found = label_propagation(*graph_, 2);
  expect_stop([&] { return verify_label_propagation(*graph_, found, 2); });
}

TEST_F(CancelledVerifier, OfKatzCentralityStops) {
  const katz_options options{.tolerance = 1e-9};
  const power_result found = katz_centrality(*graph_, options);
  expect_stop([&] { return verify_katz_centrality(*graph_, found, options); });
}

TEST_F(CancelledVerifier, OfLouvainStops) {
  const louvain_result found = louvain(*graph_);
  expect_stop([&] { return verify_louvain(*graph_, found); });
}

TEST_F(CancelledVerifier, OfSimilarityStops) {
  const std::vector<index_t> from(30000, 1), to(30000, 2);
  const vector<double> found = similarity(*graph_, from, to);
  expect_stop(
      [&] { return verify_similarity(*graph_, from, to, similarity_measure::jaccard, found); });
}
TEST_F(CancelledVerifier, OfSimilarPairsStops) {
  const similar_pairs_options options{.threshold = 0.9};
  const similar_pairs_result found = similar_pairs(*graph_, options);
  expect_stop([&] { return verify_similar_pairs(*graph_, options, found); });
}

TEST_F(CancelledVerifier, OfLeidenStops) {
  const leiden_result found = leiden(*graph_, {.iterations = 1});
  expect_stop([&] { return verify_leiden(*graph_, found, {.iterations = 1}); });
}
TEST_F(CancelledVerifier, OfManySearchesStops) {
  const std::vector<index_t> sources{0, 3};
  const bfs_batch_result found = bfs_batch(*graph_, sources);
  expect_stop([&] { return verify_bfs_batch(*graph_, sources, found); });
}
TEST_F(CancelledVerifier, OfDiametersStops) {
  const diameter_result found = diameter(*graph_);
  expect_stop([&] { return verify_diameter(*graph_, found, {}, 20); });
}

TEST_F(CancelledVerifier, OfTrianglesStops) {
  expect_stop([&] { return verify_triangle_count(*graph_, 0); });
}

TEST_F(CancelledVerifier, OfCoresStops) {
  const core_numbers_result found = core_numbers(*graph_);
  expect_stop([&] { return verify_core_numbers(*graph_, found); });
}
TEST_F(CancelledVerifier, OfClusteringStops) {
  const vector<double> found = local_clustering(*graph_);
  expect_stop([&] { return verify_local_clustering(*graph_, found); });
}
TEST_F(CancelledVerifier, OfTrussesStops) {
  const k_truss_result found = k_truss(*graph_, 3);
  expect_stop([&] { return verify_k_truss(*graph_, 3, found); });
}
TEST_F(CancelledVerifier, OfIndependentSetsStops) {
  const independent_set_result found = maximal_independent_set(*graph_);
  expect_stop([&] { return verify_maximal_independent_set(*graph_, found); });
}
TEST_F(CancelledVerifier, OfColoringsStops) {
  const coloring_result found = greedy_coloring(*graph_);
  expect_stop([&] { return verify_greedy_coloring(*graph_, found); });
}
TEST_F(CancelledVerifier, OfSpanningForestsStops) {
  const auto found = minimum_spanning_forest(*graph_);
  expect_stop([&] { return verify_minimum_spanning_forest(*graph_, found); });
}
TEST_F(CancelledVerifier, OfStrongComponentsStops) {
  const strong_components_result found = strong_components(*graph_);
  expect_stop([&] { return verify_strong_components(*graph_, found); });
}

}  // namespace
}  // namespace tropic
