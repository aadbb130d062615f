// SPDX-License-Identifier: Apache-2.0

// Removal in the order of counts on every context that has it as one operation, against serial
// rounds: levels, the largest and the number of rounds. Rows around the length of a task, rounds of
// one task and of many, levels that are skipped, vertices without a count, matrices that are not
// symmetric.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <tropic/detail/peel.hpp>
#include <tropic/tropic.hpp>

#include "backends/devices/edge_lists.hpp"
#include "support/messages.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace peel_test {
namespace {

using count_list = std::vector<std::uint32_t>;

struct expected_levels {
  std::vector<index_t> level;
  detail::peeling found;
};

/// `count`: 0 where there is none.
expected_levels expected_of(const matrix<bool>& graph, count_list count) {
  const std::size_t n = count.size();
  const auto columns = graph.column_indices();
  expected_levels result{std::vector<index_t>(n, 0), {}};
  std::vector<char> left(n);
  for (std::size_t v = 0; v < n; ++v) left[v] = count[v] > 0;
  while (std::find(left.begin(), left.end(), 1) != left.end()) {
    std::uint32_t k = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t v = 0; v < n; ++v)
      if (left[v]) k = std::min(k, count[v]);
    result.found.largest = k;
    for (;; ++result.found.rounds) {
      std::vector<std::size_t> removed;
      for (std::size_t v = 0; v < n; ++v)
        if (left[v] && count[v] <= k) removed.push_back(v);
      if (removed.empty()) break;
      for (const std::size_t v : removed) {
        left[v] = 0;
        result.level[v] = k;
      }
      for (const std::size_t v : removed)
        for (index_t e = graph.offset(static_cast<index_t>(v));
             e < graph.offset(static_cast<index_t>(v) + 1); ++e) {
          const std::uint32_t u = columns[static_cast<std::size_t>(e)];
          if (left[u]) --count[u];
        }
    }
  }
  return result;
}

class Peel : public OnContext {
 protected:
  /// Counts are the entries of columns, and `extra` of every vertex.
  void agrees(index_t n, const edge_list& edges, bool both_ways, const count_list& extra = {}) {
    const matrix<bool> graph = pattern_of(where(), n, edges, both_ways);
    count_list count(static_cast<std::size_t>(n), 0);
    for (const std::uint32_t column : graph.column_indices()) ++count[column];
    for (std::size_t v = 0; v < extra.size(); ++v) count[v] += extra[v];
    const expected_levels expected = expected_of(graph, count);

    vector<std::uint32_t> counts(where(), n);
    for (std::size_t v = 0; v < count.size(); ++v)
      if (count[v] > 0) counts.set(static_cast<index_t>(v), count[v]);
    vector<index_t> level(where(), n);
    level.set(0, 77);
    const std::optional<detail::peeling> found = detail::peel(level, counts, graph);
    if (!found) {
      EXPECT_EQ(level.nvals(), 1);
      EXPECT_EQ(GetParam(), "reference");
      return;
    }
    EXPECT_EQ(level.dense(-1), expected.level);
    EXPECT_EQ(found->largest, expected.found.largest);
    EXPECT_EQ(found->rounds, expected.found.rounds);
    for (std::size_t v = 0; v < count.size(); ++v)
      ASSERT_EQ(counts.get(static_cast<index_t>(v)).value_or(0), count[v]) << "is not changed";
  }
};

TEST_P(Peel, AgreesOnRandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const auto n = static_cast<index_t>(1 + random() % 600);
    const edge_list edges = random_edges(random, n, 9);
    SCOPED_TRACE("round " + std::to_string(round));
    for (const bool both_ways : {false, true}) agrees(n, edges, both_ways);
  }
}

// Stars of sizes around the entries of a task, and cliques, each tied to the one before.
TEST_P(Peel, AgreesOnRowsOfEveryLength) {
  edge_list edges;
  std::uint32_t first = 0;
  for (const std::uint32_t size : {1U, 31U, 32U, 33U, 127U, 128U, 129U, 255U, 256U, 257U, 1500U}) {
    for (std::uint32_t v = 1; v <= size; ++v) edges.emplace_back(first, first + v);
    if (first > 0) edges.emplace_back(first - 1, first);
    first += size + 1;
  }
  for (const std::uint32_t size : {3U, 40U, 130U}) {
    for (std::uint32_t v = 0; v < size; ++v)
      for (std::uint32_t u = 0; u < v; ++u) edges.emplace_back(first + u, first + v);
    edges.emplace_back(first - 1, first);
    edges.emplace_back(0, first + 1);
    first += size;
  }
  agrees(static_cast<index_t>(first + 3), edges, true);
}

// Vertices with rows of these lengths are removed first, and lower counts that would be higher
// levels.
TEST_P(Peel, LowersAllCountsOfLongRows) {
  edge_list edges;
  count_list extra;
  for (const std::uint32_t size : {1U, 31U, 32U, 33U, 127U, 128U, 129U, 255U, 256U, 257U, 1500U}) {
    const auto first = static_cast<std::uint32_t>(extra.size());
    extra.push_back(1);
    for (std::uint32_t v = 1; v <= size; ++v) {
      edges.emplace_back(first, first + v);
      extra.push_back(2 + v % 3);
    }
  }
  agrees(static_cast<index_t>(extra.size()), edges, false, extra);
}

// Rounds of two vertices, more of them than a launch takes.
TEST_P(Peel, AgreesOnALongPath) {
  edge_list edges;
  constexpr std::uint32_t n = 5000;
  for (std::uint32_t v = 0; v + 1 < n; ++v) edges.emplace_back(v, v + 1);
  agrees(n, edges, true);
}

// A tree whose rounds have 256 vertices, 128, and so on to 1: rounds by all groups, then by one.
// And the reverse: a path at whose end a round grows again.
TEST_P(Peel, AgreesWhereRoundsShrinkAndGrow) {
  edge_list edges;
  for (std::uint32_t v = 1; v < 511; ++v) edges.emplace_back((v - 1) / 2, v);
  agrees(511, edges, true);
  edges.clear();
  for (std::uint32_t v = 0; v + 1 < 50; ++v) edges.emplace_back(v, v + 1);
  for (std::uint32_t v = 1; v < 511; ++v) edges.emplace_back(49 + (v - 1) / 2, 49 + v);
  agrees(49 + 511, edges, false);
}

// Counts above the number of entries: levels far apart, most vertices removed at the first of them.
TEST_P(Peel, AgreesWhereLevelsAreSkipped) {
  std::mt19937 random(9);
  constexpr index_t n = 900;
  edge_list edges;
  for (int e = 0; e < 4000; ++e) edges.emplace_back(random() % n, random() % n);
  count_list extra(n);
  for (std::size_t v = 0; v < extra.size(); ++v)
    extra[v] = random() % 3 == 0 ? 1000 * static_cast<std::uint32_t>(random() % 5) : 0;
  agrees(n, edges, true, extra);
  agrees(n, edges, false, extra);
}

// Rounds that threads share: thousands of vertices, which lower the counts of few and of many.
TEST_P(Peel, AgreesOnRoundsThatThreadsShare) {
  std::mt19937 random(3);
  constexpr std::uint32_t n = 20'000;
  edge_list edges;
  for (std::uint32_t v = 0; v < n; ++v) {
    edges.emplace_back(v, random() % 20);
    for (std::uint32_t e = v % 7; e > 0; --e) edges.emplace_back(v, random() % n);
  }
  agrees(n, edges, true);
}

TEST_P(Peel, TakesMatricesWithoutEntries) {
  agrees(1, {}, true);
  agrees(300, {}, true);
  agrees(300, {{7, 7}}, false);
  agrees(3, {}, false, {5, 0, 5});
}

TEST_P(Peel, RefusesOtherSizes) {
  const std::string message = message_of<usage_error>([&] {
    vector<index_t> level(where(), 5);
    detail::peel(level, vector<std::uint32_t>(where(), 4), matrix<bool>(where(), 5, 5));
  });
  EXPECT_EQ(
      message,
      "cores: A is 5x5, the levels have 5 positions, the counts 4 positions; A must be square, "
      "with a level and a count per row");
}

TROPIC_ON_EVERY_CONTEXT(Peel);

}  // namespace
}  // namespace peel_test
}  // namespace tropic::testing
