// SPDX-License-Identifier: Apache-2.0

// The type-erased entry points of src/algorithms: every value type gives the results of the
// definition, on a relabelled copy as well, and types that do not fit are refused.

#include "algorithms/betweenness.hpp"
#include "algorithms/bfs.hpp"
#include "algorithms/connected_components.hpp"
#include "algorithms/core_numbers.hpp"
#include "algorithms/greedy_coloring.hpp"
#include "algorithms/k_truss.hpp"
#include "algorithms/label_propagation.hpp"
#include "algorithms/local_clustering.hpp"
#include "algorithms/maximal_independent_set.hpp"
#include "algorithms/minimum_spanning_forest.hpp"
#include "algorithms/pagerank.hpp"
#include "algorithms/sssp.hpp"
#include "algorithms/strong_components.hpp"
#include "algorithms/triangle_count.hpp"
#include "algorithms/values.hpp"

#include <algorithm>
#include <functional>
#include <tropic/algorithms/minimum_spanning_forest.hpp>

#include "oracle.hpp"

namespace tropic {

TROPIC_VALUE_TYPE(point, (float, x), (float, y));

namespace {

using algorithms::any_graph;
using algorithms::any_sssp_result;

constexpr index_t vertices = 40;

// Weights from 1 to 9 from a fixed sequence; vertex 7 has no edge out and vertex 11 none in.
template <class T>
matrix<T> sample(const context& where) {
  std::vector<std::uint32_t> from, to;
  std::vector<T> weight;
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
  };
  for (int e = 0; e < 160; ++e) {
    const std::uint32_t u = next(vertices), v = next(vertices), w = 1 + next(9);
    if (u == 7 || v == 11) continue;
    from.push_back(u);
    to.push_back(v);
    weight.push_back(static_cast<T>(w));
  }
  return matrix<T>::from_entries(where, vertices, vertices, from, to, weight, duplicates::first);
}

std::vector<type_code> codes() {
  std::vector<type_code> all;
  for (const type_description& type : builtin_types) all.push_back(type.code);
  return all;
}

detail::matrix_base sample(const context& where, type_code type) {
  return with_builtin_type(type, [&]<class T>() { return sample<T>(where).base(); });
}

// The graph alone, and with a relabelled copy.
std::vector<any_graph> both(const detail::matrix_base& m) {
  return {any_graph(m), any_graph(m, permutation_kind::random_row, 3)};
}

std::vector<double> as_doubles(const detail::vector_base& u, double missing) {
  return with_builtin_type(u.type->code, [&]<class D>() {
    std::vector<double> all(static_cast<std::size_t>(u.size), missing);
    for (const auto& e : vector<D>(u).entries())
      all[static_cast<std::size_t>(e.index)] = static_cast<double>(e.value);
    return all;
  });
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const usage_error& e) {
    return e.what();
  }
  return "nothing is thrown";
}

TEST(AnyGraph, ComponentsAndTrianglesIgnoreTheValuesOfEveryType) {
  for (const context& where : {context::cpu(), context::reference()}) {
    const matrix<bool> pattern = sample<bool>(where);
    const components_result expected = connected_components(pattern);
    for (const type_code type : codes()) {
      const detail::matrix_base m = sample(where, type);
      for (const any_graph& graph : both(m)) {
        const components_result found = algorithms::connected_components(graph);
        EXPECT_EQ(found.label.dense(-1), expected.label.dense(-1)) << describe(type).name;
        EXPECT_EQ(found.components, expected.components);
        EXPECT_EQ(algorithms::verify_connected_components(graph, found), "");
      }
      const std::int64_t count = algorithms::triangle_count(m);
      EXPECT_EQ(count, triangle_count(pattern)) << describe(type).name;
      EXPECT_EQ(algorithms::verify_triangle_count(m, count), "");
      EXPECT_NE(algorithms::verify_triangle_count(m, count + 1), "");
      EXPECT_EQ(algorithms::verify_triangles_per_vertex(m, algorithms::triangles_per_vertex(m)),
                "");
    }
  }
}

TEST(AnyGraph, CoresIgnoreTheValuesOfEveryType) {
  for (const context& where : {context::cpu(), context::reference()}) {
    const core_numbers_result expected = core_numbers(sample<bool>(where));
    for (const type_code type : codes())
      for (const any_graph& graph : both(sample(where, type))) {
        const core_numbers_result found = algorithms::core_numbers(graph);
        EXPECT_EQ(found.core.dense(-1), expected.core.dense(-1)) << describe(type).name;
        EXPECT_EQ(found.degeneracy, expected.degeneracy);
        EXPECT_EQ(algorithms::verify_core_numbers(graph, found), "");
      }
  }
}

TEST(AnyGraph, StrongComponentsIgnoreTheValuesOfEveryType) {
  for (const context& where : {context::cpu(), context::reference()}) {
    const strong_components_result expected = strong_components(sample<bool>(where));
    for (const type_code type : codes())
      for (const any_graph& graph : both(sample(where, type))) {
        const strong_components_result found = algorithms::strong_components(graph);
        EXPECT_EQ(found.label.dense(-1), expected.label.dense(-1)) << describe(type).name;
        EXPECT_EQ(found.components, expected.components);
        EXPECT_EQ(algorithms::verify_strong_components(graph, found), "");
      }
  }
}

TEST(AnyGraph, ClusteringAndTrussesIgnoreTheValuesOfEveryType) {
  for (const context& where : {context::cpu(), context::reference()}) {
    const std::vector<double> expected = local_clustering(sample<bool>(where)).dense(-1);
    const k_truss_result truss = k_truss(sample<bool>(where), 3);
    for (const type_code type : codes()) {
      const detail::matrix_base m = sample(where, type);
      for (const any_graph& graph : both(m)) {
        const vector<double> found = algorithms::local_clustering(graph);
        EXPECT_EQ(found.dense(-1), expected) << describe(type).name;
        EXPECT_EQ(algorithms::verify_local_clustering(graph, found), "");
      }
      const k_truss_result found = algorithms::k_truss(m, 3);
      EXPECT_EQ(found.edges, truss.edges) << describe(type).name;
      EXPECT_EQ(algorithms::verify_k_truss(m, 3, found), "");
    }
  }
}

TEST(AnyGraph, IndependentSetsAndColoringsIgnoreTheValuesOfEveryType) {
  for (const context& where : {context::cpu(), context::reference()}) {
    const std::vector<bool> members =
        maximal_independent_set(sample<bool>(where), 5).members.dense(false);
    const std::vector<index_t> colors = greedy_coloring(sample<bool>(where), 5).color.dense(-1);
    for (const type_code type : codes())
      for (const any_graph& graph : both(sample(where, type))) {
        const independent_set_result set = algorithms::maximal_independent_set(graph, 5);
        EXPECT_EQ(set.members.dense(false), members) << describe(type).name;
        EXPECT_EQ(algorithms::verify_maximal_independent_set(graph, set), "");
        const coloring_result coloring = algorithms::greedy_coloring(graph, 5);
        EXPECT_EQ(coloring.color.dense(-1), colors) << describe(type).name;
        EXPECT_EQ(algorithms::verify_greedy_coloring(graph, coloring), "");
      }
  }
}

TEST(AnyGraph, SpanningForestsHaveTheWeightsOfEveryType) {
  for (const context& where : {context::cpu(), context::reference()}) {
    const double weight = minimum_spanning_forest(sample<double>(where)).weight;
    for (const type_code type : codes()) {
      const detail::matrix_base m = sample(where, type);
      const auto found = algorithms::minimum_spanning_forest(m);
      EXPECT_EQ(found.forest.type->code, type);
      EXPECT_EQ(found.weight,
                type == type_code::boolean ? static_cast<double>(found.edges) : weight)
          << describe(type).name;
      EXPECT_EQ(algorithms::verify_minimum_spanning_forest(m, found), "");
    }
  }
}

}  // namespace

TEST(AnyGraph, BetweennessIgnoresTheValuesOfEveryType) {
  const context where = oracle::on_threads(2);
  const betweenness_options options{.sources = std::vector<index_t>{3, 5, 30}};
  const std::vector<double> expected =
      betweenness(sample<bool>(where), options).centrality.dense(-1);
  for (const type_code type : codes())
    for (const any_graph& graph : both(sample(where, type))) {
      const betweenness_result found = algorithms::betweenness(graph, options);
      const std::vector<double> values = found.centrality.dense(-1);
      for (std::size_t v = 0; v < expected.size(); ++v)
        EXPECT_NEAR(values[v], expected[v], 1e-12) << describe(type).name;
      EXPECT_EQ(algorithms::verify_betweenness(graph, found, options), "");
    }
}

TEST(AnyGraph, LabelPropagationIgnoresTheValuesOfEveryType) {
  const context where = oracle::on_threads(2);
  const std::vector<index_t> expected = label_propagation(sample<bool>(where), 4).label.dense(-1);
  for (const type_code type : codes())
    for (const any_graph& graph : both(sample(where, type))) {
      const label_propagation_result found = algorithms::label_propagation(graph, 4);
      EXPECT_EQ(found.label.dense(-1), expected) << describe(type).name;
      EXPECT_EQ(algorithms::verify_label_propagation(graph, found, 4), "");
    }
}

TEST(AnyGraph, BfsUsesThePatternOfEveryType) {
  const context where = oracle::on_threads(2);
  const std::vector<index_t> expected = oracle::levels(oracle::make(sample<double>(where)), 3);
  for (const type_code type : codes())
    for (const any_graph& graph : both(sample(where, type))) {
      const bfs_result found = algorithms::bfs(graph, 3);
      EXPECT_EQ(found.level.dense(-1), expected) << describe(type).name;
      EXPECT_EQ(algorithms::verify_bfs(graph, 3, found), "");
    }
}

TEST(AnyGraph, ShortestPathsOfEveryPairOfTypesAreThoseOfDijkstra) {
  const context where = oracle::on_threads(2);
  const std::vector<double> weighted = oracle::distances(oracle::make(sample<double>(where)), 3),
                            unweighted = oracle::distances(oracle::make(sample<bool>(where)), 3);
  for (const type_code weights : codes())
    for (const type_code distances : codes()) {
      const bool holds = !is_floating(weights) || distances == weights ||
                         (weights == type_code::fp32 && distances == type_code::fp64);
      if (distances == type_code::boolean || !holds) continue;
      SCOPED_TRACE(::testing::Message()
                   << describe(distances).name << " over " << describe(weights).name);
      for (const any_graph& graph : both(sample(where, weights))) {
        const any_sssp_result found = algorithms::sssp(graph, distances, 3, {});
        EXPECT_EQ(found.distance.type->code, distances);
        EXPECT_EQ(as_doubles(found.distance, -1),
                  weights == type_code::boolean ? unweighted : weighted);
        EXPECT_EQ(found.saturated, 0);
        EXPECT_EQ(algorithms::verify_sssp(graph, 3, found, {}), "");
      }
    }
}

TEST(AnyGraph, DefaultDistancesTakeTheWeightsOfAllTypesButBool) {
  for (const type_code weights : codes()) {
    const type_code distances = algorithms::distance_type_of(weights);
    EXPECT_EQ(algorithms::takes_weights(distances, weights), weights != type_code::boolean);
    EXPECT_EQ(algorithms::takes_weights(weights, weights), weights != type_code::boolean);
  }
  EXPECT_EQ(algorithms::distance_type_of(type_code::uint16), type_code::int64);
  EXPECT_EQ(algorithms::distance_type_of(type_code::fp32), type_code::fp32);
  EXPECT_FALSE(algorithms::takes_weights(type_code::fp64, type_code::int32));
  EXPECT_FALSE(algorithms::takes_weights(type_code::int64, type_code::uint64));
}

TEST(AnyGraph, PagerankOfEveryTypeIsThatOfItsWeightsInFp64) {
  const context where = oracle::on_threads(2);
  for (const bool is_weighted : {false, true}) {
    pagerank_options options;
    options.weighted = is_weighted;
    options.tolerance = 1e-10;
    const std::vector<double> expected = pagerank(sample<double>(where), options).rank.dense(-1);
    for (const type_code type : codes()) {
      if (type == type_code::boolean && is_weighted) continue;
      const any_graph graph(sample(where, type));
      const pagerank_result found = algorithms::pagerank(graph, nullptr, options);
      EXPECT_EQ(found.rank.dense(-1), expected) << describe(type).name;
      EXPECT_EQ(algorithms::verify_pagerank(graph, found, options), "");
    }
  }
}

TEST(AnyGraph, PersonalPagerankOnARelabelledCopyHasTheNumbersOfTheOriginal) {
  const context where = oracle::on_threads(2);
  vector<double> preference(where, vertices);
  preference.set(5, 2);
  preference.set(30, 1);
  const pagerank_options options{.tolerance = 1e-12};
  const std::vector<double> expected =
      pagerank(sample<double>(where), preference, options).rank.dense(-1);
  const any_graph graph(sample(where, type_code::int16), permutation_kind::random_row, 3);
  const std::vector<double> found =
      algorithms::pagerank(graph, &preference, options).rank.dense(-1);
  for (std::size_t v = 0; v < expected.size(); ++v) EXPECT_NEAR(found[v], expected[v], 1e-12);
  EXPECT_EQ(message_of([&] {
              const vector<double> shorter(where, vertices - 1, 1.0);
              algorithms::pagerank(graph, &shorter, options);
            }),
            "pagerank: 39 preferences, the graph has 40 vertices");
}

TEST(AnyGraph, RefusesTypesThatDoNotFit) {
  const context where = oracle::on_threads(1);
  const auto paths = [&](const auto& graph, type_code distances) {
    return message_of([&] { algorithms::sssp(any_graph(graph.base()), distances, 0, {}); });
  };
  const auto real = matrix<double>::from_entries(where, 2, 2, {0}, {1}, {1.5});
  EXPECT_EQ(paths(real, type_code::fp32),
            "sssp: weights are fp64, distances of fp32 do not hold them");
  const auto wide = matrix<std::int32_t>::from_entries(where, 2, 2, {0}, {1}, {300});
  EXPECT_EQ(paths(wide, type_code::uint8), "sssp: a weight is 300, distances are uint8");
  EXPECT_EQ(paths(wide, type_code::boolean), "sssp: bool holds no distances");
  EXPECT_EQ(message_of([&] { any_graph(matrix<point>(where, 2, 2).base()); }),
            "a graph's values are numbers or booleans, found point");
  EXPECT_EQ(
      message_of([&] { any_graph(matrix<bool>(where, 2, 3).base(), permutation_kind::none, 0); }),
      "permutation: a graph's matrix is square, this one is 2x3");
}

TEST(AnyGraph, PatternSharesTheStructureAndHasOneValue) {
  const context where = oracle::on_threads(1);
  const detail::matrix_base m = sample(where, type_code::int32);
  const detail::matrix_base pattern = algorithms::pattern_of(m);
  EXPECT_EQ(pattern.column_indices, m.column_indices);
  EXPECT_TRUE(pattern.iso);
  EXPECT_EQ(pattern.type->code, type_code::boolean);
  EXPECT_NE(pattern.derived, m.derived);
  EXPECT_FALSE(algorithms::pattern_of(matrix<double>(where, 3, 3).base()).iso);
}

}  // namespace tropic
