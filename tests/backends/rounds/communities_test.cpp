// SPDX-License-Identifier: Apache-2.0

// The method of Louvain as one operation on every context that has it, against the rule step by
// step on arrays (algorithms/detail/louvain_search.hpp): communities, levels, modularity. Levels
// that move one vertex at a time and levels whose vertices move together, rows around the lengths
// at which devices change kernels, sums of 32 and of 64 bits, graphs on which moves at the same
// time do harm.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <tropic/algorithms/louvain.hpp>
#include <tropic/algorithms/verify/louvain.hpp>
#include <tropic/detail/communities.hpp>
#include <tropic/detail/community_rule.hpp>
#include <tropic/tropic.hpp>

#include "support/messages.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::uint32_t few = detail::community_rule::few_vertices;

class Communities : public AgainstReference {
 protected:
  /// With `loops` times the weights of loops.
  template <class T>
  matrix<T> graph_of(const context& on, index_t n, const edge_list& edges,
                     const std::vector<T>& weights, T loops = T{1}) {
    std::vector<std::uint32_t> rows, columns;
    std::vector<T> values;
    for (std::size_t e = 0; e < edges.size(); ++e)
      for (const bool reversed : {false, true}) {
        const bool is_loop = edges[e].first == edges[e].second;
        if (reversed && is_loop) continue;
        rows.push_back(reversed ? edges[e].second : edges[e].first);
        columns.push_back(reversed ? edges[e].first : edges[e].second);
        values.push_back((weights.empty() ? T{1} : weights[e]) * (is_loop ? loops : T{1}));
      }
    auto graph = matrix<T>::from_entries(on, n, n, rows, columns, values, duplicates::maximum);
    graph.assume_symmetric();
    return graph;
  }

  /// Of edges without weights if there are none.
  void agrees(index_t n, const edge_list& edges, double resolution = 1,
              const std::vector<std::uint64_t>& weights = {}) {
    const bool weighted = !weights.empty();
    const auto graph = graph_of<std::uint64_t>(where(), n, edges, weights, 2);
    vector<index_t> community(where(), n);
    if (n > 0) community.set(0, n - 1);
    const auto found = detail::find_communities(community, graph, weighted, resolution);
    if (!found) {
      EXPECT_EQ(GetParam(), "reference");
      EXPECT_EQ(community.nvals(), n > 0 ? 1 : 0);
      return;
    }
    vector<index_t> wanted(reference(), n);
    const detail::found_communities expected = detail::louvain_search(
        wanted, graph_of<std::uint64_t>(reference(), n, edges, weights, 2), weighted, resolution);
    ASSERT_EQ(community.dense(-1), wanted.dense(-1));
    EXPECT_EQ(found->levels, expected.levels);
    EXPECT_EQ(found->communities, expected.communities);
    if (found->modularity && resolution < 1e6) {
      const modularity_options options{.resolution = resolution, .weighted = weighted};
      EXPECT_NEAR(*found->modularity,
                  modularity(graph_of(where(), n, edges, weights), community, options), 1e-12);
    }
  }

  edge_list random_edges(std::uint32_t n, std::size_t count) {
    edge_list edges;
    for (std::size_t e = 0; e < count; ++e) edges.emplace_back(draw(n), draw(n));
    return edges;
  }
  /// In groups of `size`, with a tenth of the edges between groups.
  edge_list grouped_edges(std::uint32_t n, std::uint32_t size, std::size_t count) {
    edge_list edges;
    for (std::size_t e = 0; e < count; ++e) {
      const std::uint32_t u = draw(n), group = u / size * size;
      edges.emplace_back(u, draw(10) == 0 ? draw(n) : std::min(group + draw(size), n - 1));
    }
    return edges;
  }
  std::vector<std::uint64_t> random_weights(std::size_t count, std::uint64_t below) {
    std::vector<std::uint64_t> weights(count);
    for (std::uint64_t& w : weights)
      w = draw(8) == 0 ? 0 : std::uniform_int_distribution<std::uint64_t>(0, below - 1)(random_);
    return weights;
  }
  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_()) % below; }

 private:
  std::mt19937 random_{11};
};

TEST_P(Communities, AgreeOnSmallRandomGraphs) {
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t n = 1 + draw(200);
    const edge_list edges = random_edges(n, draw(5 * n));
    SCOPED_TRACE("round " + std::to_string(round));
    agrees(n, edges, round % 4 == 0 ? 0.5 : 1);
    if (!edges.empty()) agrees(n, edges, 1, random_weights(edges.size(), 20));
  }
}

// Levels around the number of vertices up to which they move one after the other.
TEST_P(Communities, AgreeOnLevelsOfFewAndOfManyVertices) {
  for (const std::uint32_t n : {few - 1, few, few + 1, 2 * few + 77, 4 * few})
    for (const std::size_t degree : {1U, 3U, 12U}) {
      SCOPED_TRACE(std::to_string(n) + " vertices, " + std::to_string(degree * n) + " edges");
      agrees(n, random_edges(n, degree * n));
      agrees(n, grouped_edges(n, 25, degree * n));
    }
}

TEST_P(Communities, AgreeForEveryResolution) {
  const std::uint32_t n = 3 * few;
  const edge_list edges = grouped_edges(n, 40, 6 * n);
  for (const double resolution : {0.0, 0.25, 4.0, 100.0, 1e300}) {
    SCOPED_TRACE(resolution);
    agrees(n, edges, resolution);
    agrees(n, edges, resolution, random_weights(edges.size(), 9));
  }
}

// Sums of 32 bits, just below and just above them, and of nearly 53.
TEST_P(Communities, AgreeOnWeightsOfEverySize) {
  const std::uint32_t n = 2 * few;
  edge_list edges = grouped_edges(n, 30, 5 * n);
  for (std::uint32_t v = 0; v < n; v += 7) edges.emplace_back(v, v);
  for (const std::uint64_t below :
       {std::uint64_t{2}, std::uint64_t{1000}, std::uint64_t{1} << 18U, std::uint64_t{1} << 19U,
        std::uint64_t{1} << 34U, std::uint64_t{1} << 38U}) {
    SCOPED_TRACE(below);
    agrees(n, edges, 1, random_weights(edges.size(), below));
  }
  agrees(n, edges, 1, std::vector<std::uint64_t>(edges.size(), 5));
  agrees(n, edges, 1, std::vector<std::uint64_t>(edges.size(), 0));
}

// Stars of these sizes, their centres tied to one another and leaves to other stars' leaves: rows
// at the ends of classes, of one chunk and of several. Then cliques, whose rows become few entries.
TEST_P(Communities, AgreeOnRowsOfEveryLength) {
  edge_list edges;
  std::uint32_t first = 0, before = 0;
  for (const std::uint32_t size : {7U, 8U, 9U, 31U, 32U, 33U, 127U, 128U, 129U, 1023U, 1024U, 1025U,
                                   4095U, 4096U, 4097U, 8192U, 8193U}) {
    for (std::uint32_t v = 1; v < size; ++v) {
      edges.emplace_back(first, first + v);
      if (v % 3 == 0) edges.emplace_back(first + v, draw(first + v));
    }
    edges.emplace_back(before, first);
    before = first;
    first += size;
  }
  agrees(first + 5, edges);
  agrees(first + 5, edges, 1, random_weights(edges.size(), std::uint64_t{1} << 30U));
  edges.clear();
  first = 0;
  for (std::uint32_t size = 3; size < 140; size += 4) {
    for (std::uint32_t v = 0; v < size; ++v)
      for (std::uint32_t u = 0; u < v; ++u) edges.emplace_back(first + u, first + v);
    edges.emplace_back(first, draw(first + 1));
    first += size;
  }
  agrees(first, edges);
}

// Rows of several chunks, with thousands of communities around them and with few, and communities
// whose rows on the next level are summed from thousands of entries.
TEST_P(Communities, AgreeAroundVerticesWithManyNeighbours) {
  constexpr std::uint32_t n = 12'000, hubs = 6;
  edge_list edges = grouped_edges(n, 30, 4 * n);
  for (std::uint32_t hub = 0; hub < hubs; ++hub)
    for (std::uint32_t v = 0; v < n; ++v)
      if (v / 1000 % hubs == hub || draw(3) > 0) edges.emplace_back(hub * 1999, v);
  agrees(n, edges);
  agrees(n, edges, 3, random_weights(edges.size(), 100));
  agrees(n, edges, 1, random_weights(edges.size(), std::uint64_t{1} << 30U));
}

// Vertices at the same time make these worse at first; in the second graph for good, so that they
// move one after the other.
TEST_P(Communities, AgreeWhereMovesAtTheSameTimeDoHarm) {
  edge_list edges;
  for (std::uint32_t u = 0; u < 40; ++u)
    for (std::uint32_t v = 40; v < few + 40; ++v) edges.emplace_back(u, v);
  agrees(few + 40, edges);
  edges.clear();
  constexpr std::uint32_t n = few + 26;
  for (std::uint32_t u = 0; u < n; ++u)
    for (std::uint32_t v = 0; v < u; ++v)
      if (u % 3 != v % 3) edges.emplace_back(u, v);
  agrees(n, edges);
}

TEST_P(Communities, AgreeOnPathsCyclesAndGrids) {
  constexpr std::uint32_t n = 3 * few;
  edge_list edges;
  for (std::uint32_t v = 0; v + 1 < n; ++v) edges.emplace_back(v, v + 1);
  agrees(n, edges);
  edges.emplace_back(n - 1, 0);
  agrees(n, edges);
  edges.clear();
  for (std::uint32_t v = 0; v < n; ++v) {
    if (v % 64 != 63) edges.emplace_back(v, v + 1);
    if (v + 64 < n) edges.emplace_back(v, v + 64);
  }
  agrees(n, edges);
}

TEST_P(Communities, AgreeOnGraphsWithoutNeighbours) {
  agrees(0, {});
  agrees(1, {});
  agrees(1, {{0, 0}});
  agrees(5, {{3, 3}});
  agrees(3 * few, {});
  agrees(3 * few, {{7, 7}, {2 * few, 2 * few}});
  agrees(3 * few, {{7, 8}, {9, 9}, {9, 2 * few}});
}

// Weights of fp64, which are rounded, in one direction and in both: as on the reference.
TEST_P(Communities, OfRoundedWeightsAreThoseOfTheReference) {
  std::mt19937 random(5);
  for (const std::uint32_t n : {30U, 2 * few})
    for (const double scale : {1.0, 1e-300, 1e290}) {
      const edge_list edges = grouped_edges(n, 20, 4 * n);
      std::vector<double> weights(edges.size());
      for (double& w : weights)
        w = std::ldexp(static_cast<double>(random()), -static_cast<int>(random() % 40)) * scale;
      for (const bool symmetric : {true, false}) {
        const auto graph = [&](const context& on) {
          if (symmetric) return graph_of(on, n, edges, weights);
          std::vector<std::uint32_t> rows, columns;
          for (const auto& [u, v] : edges) {
            rows.push_back(u);
            columns.push_back(v);
          }
          return matrix<double>::from_entries(on, n, n, rows, columns, weights, duplicates::first);
        };
        for (const bool weighted : {true, false}) {
          const modularity_options options{.weighted = weighted};
          const louvain_result found = louvain(graph(where()), options),
                               expected = louvain(graph(reference()), options);
          ASSERT_EQ(found.community.dense(-1), expected.community.dense(-1)) << n << ' ' << scale;
          EXPECT_EQ(found.levels, expected.levels);
          EXPECT_EQ(found.communities, expected.communities);
          EXPECT_NEAR(found.modularity, expected.modularity, 1e-12);
          EXPECT_EQ(verify_louvain(graph(where()), found, options), "");
        }
      }
    }
}

TEST_P(Communities, AreTheSameInEveryRun) {
  constexpr std::uint32_t n = 8 * few;
  const auto graph = graph_of<double>(where(), n, random_edges(n, 12 * n), {});
  const std::vector<index_t> first = louvain(graph).community.dense(-1);
  for (int run = 0; run < 3; ++run) EXPECT_EQ(louvain(graph).community.dense(-1), first);
}

TEST_P(Communities, RefuseOtherSizes) {
  const std::string message = message_of<usage_error>([&] {
    vector<index_t> community(where(), 5);
    detail::find_communities(community, matrix<bool>(where(), 4, 4), false, 1);
  });
  EXPECT_EQ(
      message,
      "louvain: A is 4x4, the communities have 5 positions; A must be square, with a community "
      "per row");
}

TROPIC_ON_EVERY_CONTEXT(Communities);

}  // namespace
}  // namespace tropic::testing
