// SPDX-License-Identifier: Apache-2.0

// Algorithms on devices over real graphs and over generated ones of growing size: levels, parents,
// distances and steps equal the CPU's exactly, ranks up to rounding. One test per graph and
// algorithm, so that they can run in parallel.

#include <gtest/gtest.h>

#include <cmath>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/read_matrix.hpp>

#include "support/contexts.hpp"
#include "support/graphs.hpp"

namespace tropic::testing {
namespace {

template <class T>
std::string first_difference(const std::vector<T>& expected, const std::vector<T>& found) {
  if (expected.size() != found.size()) return "the sizes differ";
  for (std::size_t v = 0; v < expected.size(); ++v)
    if (!(expected[v] == found[v]))
      return "vertex " + std::to_string(v) + ": expected " + std::to_string(expected[v]) +
             ", found " + std::to_string(found[v]);
  return {};
}

class DeviceGraphs : public ::testing::TestWithParam<std::tuple<std::string, test_graph>> {
 protected:
  void SetUp() override {
    if (const std::string reason = why_left_out(graph()); !reason.empty()) GTEST_SKIP() << reason;
    const std::string& name = std::get<0>(GetParam());
    found_context found = make_context(name);
    if (!found.where) GTEST_SKIP() << name << ": " << found.reason;
    device_ = std::move(found.where);
  }
  const test_graph& graph() const { return std::get<1>(GetParam()); }
  const context& device() const { return *device_; }

  template <class T>
  void check_shortest_paths() const {
    const io::coordinates entries = weighted_edges<T>(graph());
    const index_t source = busiest_vertex(entries);
    const auto here = make_matrix<T>(cpu_, entries), there = make_matrix<T>(device(), entries);
    const sssp_result<T> found = sssp(there, source),
                         expected = sssp(here, source, {.delta = found.delta});
    EXPECT_EQ(first_difference(expected.distance.dense(-1), found.distance.dense(-1)), "");
    EXPECT_EQ(first_difference(expected.parent.dense(-1), found.parent.dense(-1)), "");
    EXPECT_EQ(expected.steps, found.steps);
  }

  const context cpu_ = context::cpu();

 private:
  std::unique_ptr<context> device_;
};

TEST_P(DeviceGraphs, BfsIsTheCpus) {
  const io::coordinates entries = edges(graph());
  const index_t source = busiest_vertex(entries);
  const auto here = make_matrix<bool>(cpu_, entries), there = make_matrix<bool>(device(), entries);
  const bfs_result expected = bfs(here, source), found = bfs(there, source);
  EXPECT_EQ(first_difference(expected.level.dense(-1), found.level.dense(-1)), "");
  EXPECT_EQ(first_difference(expected.parent.dense(-1), found.parent.dense(-1)), "");
  EXPECT_EQ(expected.depth, found.depth);
  EXPECT_EQ(expected.reached, found.reached);
}

TEST_P(DeviceGraphs, ShortestPathsAreTheCpus) {
  check_shortest_paths<std::int64_t>();
  if (graph().weights == weight_kind::real) check_shortest_paths<double>();
}

TEST_P(DeviceGraphs, PagerankIsTheCpus) {
  const io::coordinates entries = edges(graph());
  const auto here = make_matrix<bool>(cpu_, entries), there = make_matrix<bool>(device(), entries);
  const pagerank_result expected = pagerank(here), found = pagerank(there);
  EXPECT_LE(std::abs(found.iterations - expected.iterations), 1);
  const auto a = expected.rank.dense(0), b = found.rank.dense(0);
  ASSERT_EQ(a.size(), b.size());
  double distance = 0;
  for (std::size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
  EXPECT_LE(distance, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceGraphs,
                         ::testing::Combine(::testing::Values("opencl_0", "cuda_0"),
                                            ::testing::ValuesIn(test_graphs())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace tropic::testing
