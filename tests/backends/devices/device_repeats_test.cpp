// SPDX-License-Identifier: Apache-2.0

// Repeated runs of the algorithms on devices give identical bits, regardless of the scheduling of
// work-groups: TROPIC_REPEATS runs, about 50 by default.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/read_matrix.hpp>

#include "backends/devices/algorithm_runs.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

int repeats() {
  const char* given = std::getenv("TROPIC_REPEATS");
  return given != nullptr ? std::atoi(given) : 1 + 50 / static_cast<int>(every_nth());
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

std::vector<float> values_of(const matrix<float>& m) {
  const auto csr = m.to_csr<std::uint32_t, std::uint32_t>();
  return {csr.values.begin(), csr.values.end()};
}

class DeviceRepeats : public OnContext {
 protected:
  template <class T>
  void check_shortest_paths() const {
    const auto graph =
        make_matrix<T>(where(), kron(10, 16, 5, {.weighted = true, .type = builtin_code<T>()}));
    const sssp_result<T> first = sssp(graph, 3);
    const auto distance = first.distance.dense(-1);
    const auto parent = first.parent.dense(-1);
    for (int run = 1; run < repeats(); ++run) {
      const sssp_result<T> again = sssp(graph, 3);
      ASSERT_TRUE(same_bits(again.distance.dense(-1), distance)) << "run " << run;
      ASSERT_TRUE(same_bits(again.parent.dense(-1), parent)) << "run " << run;
      ASSERT_EQ(again.steps, first.steps) << "run " << run;
    }
  }
};

TEST_P(DeviceRepeats, OfBfsAreAlike) {
  const auto graph = make_matrix<bool>(where(), kron(10, 16, 5));
  const bfs_result first = bfs(graph, 3);
  const auto level = first.level.dense(-1), parent = first.parent.dense(-1);
  for (int run = 1; run < repeats(); ++run) {
    const bfs_result again = bfs(graph, 3);
    ASSERT_TRUE(same_bits(again.level.dense(-1), level)) << "run " << run;
    ASSERT_TRUE(same_bits(again.parent.dense(-1), parent)) << "run " << run;
  }
}

TEST_P(DeviceRepeats, OfShortestPathsAreAlike) {
  check_shortest_paths<std::int64_t>();
}
TEST_P(DeviceRepeats, OfShortestPathsOverRealsAreAlike) {
  check_shortest_paths<float>();
}

TEST_P(DeviceRepeats, OfPagerankAreAlike) {
  const auto graph = make_matrix<bool>(where(), kron(10, 16, 5));
  const pagerank_result first = pagerank(graph);
  const auto rank = first.rank.dense(0);
  for (int run = 1; run < repeats(); ++run) {
    const pagerank_result again = pagerank(graph);
    ASSERT_TRUE(same_bits(again.rank.dense(0), rank)) << "run " << run;
    ASSERT_EQ(again.iterations, first.iterations) << "run " << run;
  }
}

TEST_P(DeviceRepeats, OfEveryAlgorithmAreAlike) {
  const io::coordinates entries = kron(is_quick_run() ? 7 : 9, 16, 5, {.weighted = true});
  for (const named_algorithm& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    const algorithm_run run = algorithm.on(where(), entries);
    const std::vector<double> first = run();
    for (int n = 1; n < repeats(); ++n) ASSERT_TRUE(same_bits(run(), first)) << "run " << n;
  }
}

// Sums of reals that round, of rows of all lengths; the matrix is new in each run, and so are its
// lists of rows.
TEST_P(DeviceRepeats, OfProductsOfMatricesAreAlike) {
  const io::coordinates entries =
      kron(is_quick_run() ? 8 : 10, 16, 5, {.weighted = true, .type = type_code::fp32});
  std::vector<float> first_square, first_masked, first_full;
  for (int run = 0; run < repeats(); ++run) {
    auto a = make_matrix<float>(where(), entries);
    apply(a, bind_first(divide{}, 1.0f), a);
    const index_t n = a.rows();
    matrix<float> square(where(), n, n), masked(where(), n, n);
    mxm(square, plus_times<float>{}, a, a);
    mxm(masked, plus_times<float>{}, a, a, {.mask = structure(a)});
    const auto b = full_matrix<float>(where(), n, 20, 0.1f);
    full_matrix<float> c(where(), n, 20);
    mxm(c, plus_times<float>{}, a, b);
    const std::vector<float> of_square = values_of(square), of_masked = values_of(masked),
                             of_full = c.dense(0);
    if (run == 0) first_square = of_square, first_masked = of_masked, first_full = of_full;
    ASSERT_TRUE(same_bits(of_square, first_square)) << "run " << run;
    ASSERT_TRUE(same_bits(of_masked, first_masked)) << "run " << run;
    ASSERT_TRUE(same_bits(of_full, first_full)) << "run " << run;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceRepeats, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
