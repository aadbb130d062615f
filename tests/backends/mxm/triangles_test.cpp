// SPDX-License-Identifier: Apache-2.0

// The count of triangles as one operation, on every context that has it, against a count over all
// pairs of neighbours: rows that are merged, that fit each table, and that are entered in pieces;
// rows of several chunks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <tropic/algorithms/triangle_count.hpp>
#include <tropic/detail/triangles.hpp>
#include <tropic/tropic.hpp>

#include "backends/device/backend.hpp"
#include "backends/devices/edge_lists.hpp"
#include "containers/context_state.hpp"
#include "support/cancelling.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace triangles_test {
namespace {

std::int64_t expected_count(index_t n, const edge_list& edges) {
  std::vector<std::set<std::uint32_t>> above(static_cast<std::size_t>(n));
  for (const auto& [u, v] : edges)
    if (u != v) above[std::min(u, v)].insert(std::max(u, v));
  std::int64_t count = 0;
  for (const std::set<std::uint32_t>& of_row : above)
    for (auto first = of_row.begin(); first != of_row.end(); ++first)
      for (auto second = std::next(first); second != of_row.end(); ++second)
        count += above[*first].contains(*second);
  return count;
}

class CountTriangles : public Cancelling<OnContext> {
 protected:
  void TearDown() override {
    if (IsSkipped()) return;
    if (limits() != nullptr) *limits() = {};
  }
  /// Null if the context has no device.
  detail::triangle_limits* limits() {
    auto* device = dynamic_cast<detail::device_backend*>(where().state()->executor.get());
    return device == nullptr ? nullptr : &device->matrices().limits_of_triangles();
  }
  /// So low that a few dozen entries cross every boundary.
  static detail::triangle_limits low_limits() {
    return {.most_merged = 2,
            .tables = {{{4, 2, 8, 4}, {8, 4, 16, 6}, {16, 8, 32, 10}}},
            .chunk = 5,
            .work_items = 64};
  }
  matrix<bool> graph_of(index_t n, const edge_list& edges) {
    auto graph = pattern_of(where(), n, edges, true);
    graph.assume_symmetric();
    return graph;
  }

  void agrees(index_t n, const edge_list& edges) {
    const matrix<bool> graph = graph_of(n, edges);
    const std::int64_t expected = expected_count(n, edges);
    for (const bool low : {false, true}) {
      SCOPED_TRACE(low ? "low limits" : "default limits");
      if (limits() != nullptr) *limits() = low ? low_limits() : detail::triangle_limits{};
      const std::optional<std::int64_t> count = detail::count_triangles(graph);
      EXPECT_EQ(count.has_value(), limits() != nullptr);
      if (count) {
        EXPECT_EQ(*count, expected);
      }
      EXPECT_EQ(triangle_count(graph), expected);
    }
  }
};

// Loops, vertices without edges, at the beginning and at the end too; edges that are alike.
TEST_P(CountTriangles, AgreesOnRandomGraphs) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform;
  for (const double pull : {1.0, 2.0, 5.0})
    for (const index_t n : {1, 2, 3, 12, 70, 400}) {
      SCOPED_TRACE(std::to_string(n) + " vertices, pull " + std::to_string(pull));
      std::vector<std::uint32_t> number(static_cast<std::size_t>(n) + 40);
      for (std::size_t v = 0; v < number.size(); ++v) number[v] = static_cast<std::uint32_t>(v);
      std::shuffle(number.begin() + 10, number.end() - 10, random);
      const auto vertex = [&] {
        return number[20 + static_cast<std::size_t>(std::pow(uniform(random), pull) *
                                                    static_cast<double>(n))];
      };
      edge_list edges;
      for (index_t e = 0; e < 8 * n; ++e) {
        const std::uint32_t u = vertex();
        edges.emplace_back(u, vertex());
      }
      agrees(n + 40, edges);
    }
}

// Cliques of every size around the limits: a vertex lists as many others as come after it.
TEST_P(CountTriangles, AgreesOnRowsOfEveryLength) {
  edge_list edges;
  std::uint32_t first = 0;
  for (const std::uint32_t size :
       {2U, 3U, 4U, 5U, 6U, 7U, 8U, 11U, 12U, 17U, 18U, 21U, 32U, 130U}) {
    for (std::uint32_t v = 0; v < size; ++v)
      for (std::uint32_t u = 0; u < v; ++u) edges.emplace_back(first + u, first + v);
    first += size;
  }
  agrees(static_cast<index_t>(first), edges);
}

// Hubs in rows of many chunks, which few of their neighbours are counted at.
TEST_P(CountTriangles, AgreesBesideHubs) {
  constexpr std::uint32_t size = 600;
  edge_list edges;
  for (std::uint32_t v = 2; v < size; ++v) {
    edges.emplace_back(0, v);
    edges.emplace_back(size, v);
    for (std::uint32_t step = 1; step < v % 7; ++step)
      edges.emplace_back(v, 2 + (v * step) % (size - 2));
  }
  agrees(size + 1, edges);
}

TEST_P(CountTriangles, TakesMatricesWithoutEntries) {
  agrees(0, {});
  agrees(300, {});
  agrees(300, {{7, 7}});
  agrees(300, {{0, 299}});
}

TEST_P(CountTriangles, RefusesRectangles) {
  const std::string message =
      message_of<usage_error>([&] { detail::count_triangles(matrix<bool>(where(), 5, 6)); });
  EXPECT_NE(message.find("it must be square"), std::string::npos);
}

// Devices count in many parts.
class CountTrianglesInParts : public CountTriangles {};

TEST_P(CountTrianglesInParts, StopsWhenItIsCancelled) {
  edge_list edges;
  for (std::uint32_t v = 0; v < 60; ++v)
    for (std::uint32_t u = 0; u < v; ++u) edges.emplace_back(u, v);
  const matrix<bool> graph = graph_of(60, edges);
  *limits() = low_limits();
  let_run();
  EXPECT_EQ(detail::count_triangles(graph), 60 * 59 * 58 / 6);
  const std::size_t all = steps_.size();
  EXPECT_GT(all, 50u);
  for (const std::size_t stop_at : {std::size_t{1}, std::size_t{2}, all / 2, all}) {
    let_run(stop_at);
    EXPECT_THROW(detail::count_triangles(graph), cancelled);
    EXPECT_EQ(steps_.size(), stop_at);
  }
  let_run();
  EXPECT_EQ(detail::count_triangles(graph), 60 * 59 * 58 / 6);
}

TROPIC_ON_EVERY_CONTEXT(CountTriangles);
INSTANTIATE_TEST_SUITE_P(Contexts, CountTrianglesInParts, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace triangles_test
}  // namespace tropic::testing
