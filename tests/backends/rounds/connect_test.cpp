// SPDX-License-Identifier: Apache-2.0

// The trees of connected vertices on every context that takes edges one by one, against a serial
// union-find: rows around the lengths at which work-items share a row, matrices with one entry and
// with two for an edge, and with a large tree whose rows are left out.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <tropic/detail/connect.hpp>
#include <tropic/tropic.hpp>

#include "backends/devices/edge_lists.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

/// The smallest vertex that each is connected to.
std::vector<index_t> expected_labels(index_t n, const edge_list& edges) {
  std::vector<index_t> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), index_t{0});
  const auto root = [&](index_t v) {
    while (parent[static_cast<std::size_t>(v)] != v) v = parent[static_cast<std::size_t>(v)];
    return v;
  };
  for (const auto& [u, v] : edges) {
    const index_t x = root(u), y = root(v);
    parent[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
  }
  for (index_t v = 0; v < n; ++v) parent[static_cast<std::size_t>(v)] = root(v);
  return parent;
}

class Connect : public OnContext {
 protected:
  void agrees(index_t n, const edge_list& edges, bool both_ways) {
    matrix<bool> graph = pattern_of(where(), n, edges, both_ways);
    if (both_ways) graph.assume_symmetric();
    vector<index_t> label(where(), n);
    const std::optional<index_t> labels = detail::connect(label, graph);
    const std::vector<index_t> expected = expected_labels(n, edges);
    if (!labels) {
      EXPECT_EQ(GetParam(), "reference");
      return;
    }
    EXPECT_EQ(*labels, static_cast<index_t>(std::set(expected.begin(), expected.end()).size()));
    EXPECT_EQ(label.dense(-1), expected);
  }
  void agrees_in_both_forms(index_t n, const edge_list& edges) {
    for (const bool both_ways : {false, true}) {
      SCOPED_TRACE(both_ways ? "symmetric" : "an entry an edge");
      agrees(n, edges, both_ways);
    }
  }
};

TEST_P(Connect, AgreesOnRandomGraphs) {
  std::mt19937 random(5);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<index_t>(1 + random() % 1000);
    const edge_list edges = random_edges(random, n, 4);
    SCOPED_TRACE("round " + std::to_string(round));
    agrees_in_both_forms(n, edges);
  }
}

// Stars of several sizes, whose center has the smallest, the largest or a middle number; every
// second star hangs on the one before it.
TEST_P(Connect, AgreesOnRowsOfEveryLength) {
  edge_list edges;
  std::uint32_t first = 0;
  std::uint32_t last_leaf = 0;
  for (const std::uint32_t size : {1U, 2U, 31U, 32U, 33U, 255U, 256U, 257U, 8191U, 8192U, 8193U})
    for (const std::uint32_t center : {0U, size / 2, size}) {
      for (std::uint32_t v = 0; v <= size; ++v)
        if (v != center) edges.emplace_back(first + center, first + v);
      if (first > 0 && size % 2 == 1) edges.emplace_back(first + center, last_leaf);
      last_leaf = first + (center == size ? 0 : size);
      first += size + 1;
    }
  agrees_in_both_forms(static_cast<index_t>(first + 3), edges);
}

// A tree with most vertices, which a sample finds, and small ones that edges of it reach last.
TEST_P(Connect, AgreesBesideALargeTree) {
  std::mt19937 random(8);
  constexpr std::uint32_t inside = 20000, groups = 500, n = inside + 10 * groups;
  for (const bool at_the_end : {false, true}) {
    const std::uint32_t large = at_the_end ? n - inside : 0, small = at_the_end ? 0 : inside;
    edge_list edges;
    for (std::size_t e = 0; e < 6 * inside; ++e)
      edges.emplace_back(large + random() % inside, large + random() % inside);
    for (std::uint32_t group = 0; group < groups; ++group) {
      const std::uint32_t of_group = small + 10 * group;
      for (std::uint32_t v = 0; v < 10; ++v)
        for (int repeat = 0; repeat < 3; ++repeat)
          edges.emplace_back(of_group + v, of_group + random() % 10);
      if (random() % 3 == 0)
        edges.emplace_back(of_group + random() % 10, large + random() % inside);
    }
    // A row of thousands of entries outside the large tree, but for its last entry.
    for (std::uint32_t v = 1; v < 5000; ++v) edges.emplace_back(n, n + v);
    if (at_the_end) edges.emplace_back(n + 4999, large);
    agrees_in_both_forms(n + 5000, edges);
  }
}

// Links to the smallest neighbour make one chain of all vertices, which is not walked from each.
TEST_P(Connect, AgreesOnLongPaths) {
  constexpr std::uint32_t n = 100'000;
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (const int width : {1, 3})
    for (const bool shuffled : {false, true}) {
      if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(4));
      edge_list edges;
      for (std::uint32_t v = 0; v < n; ++v)
        for (std::uint32_t step = 1; step <= static_cast<std::uint32_t>(width); ++step)
          if (v + step < n && v != n / 2) edges.emplace_back(order[v], order[v + step]);
      agrees_in_both_forms(n, edges);
    }
}

TEST_P(Connect, TakesMatricesWithoutEntries) {
  agrees_in_both_forms(1, {});
  agrees_in_both_forms(300, {});
  agrees_in_both_forms(300, {{7, 7}});
}

TROPIC_ON_EVERY_CONTEXT(Connect);

}  // namespace
}  // namespace tropic::testing
