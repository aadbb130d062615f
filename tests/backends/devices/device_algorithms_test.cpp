// SPDX-License-Identifier: Apache-2.0

// Algorithms on devices: results equal the CPU's, and the loops leave the vectors on the device:
// only a few numbers are copied to the host per iteration, and the driver is not asked for memory
// once the loop runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/read_matrix.hpp>

#include "backends/device/backend.hpp"
#include "backends/device/memory_pool.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

struct named_graph {
  const char* name;
  const char* spec;
  io::coordinates make() const { return generate(spec); }
  template <class T>
  io::coordinates weighted() const {
    return generate(spec, {.weighted = true, .type = builtin_code<T>()});
  }
};
constexpr named_graph graphs[] = {
    {"kron_12", "kron:12:16:5"}, {"urand_12", "urand:12:8:3"}, {"grid_40", "grid:40"}};

class DeviceAlgorithms : public OnContext {
 protected:
  // The same context, recording the runtime's counters at every checkpoint.
  context watched() {
    context_options options;
    options.progress = [this](std::string_view, double) {
      if (runtime_ != nullptr) seen_.push_back(runtime_->traffic());
    };
    context result = context::named(device_name(), options);
    if (auto* executor = dynamic_cast<detail::device_backend*>(result.state()->executor.get()))
      runtime_ = &executor->runtime();
    return result;
  }
  // The maximum from the third checkpoint on.
  template <class Part>
  std::uint64_t most_between(Part part) const {
    std::uint64_t largest = 0;
    for (std::size_t n = 3; n < seen_.size(); ++n)
      largest = std::max<std::uint64_t>(largest, part(seen_[n]) - part(seen_[n - 1]));
    return largest;
  }
  // To be called after a run of that many iterations. Requires that the driver allocated no more
  // blocks than allowed.
  void expect_resident(const std::string& what, index_t iterations,
                       std::uint64_t blocks_allowed = 0) {
    ASSERT_NE(runtime_, nullptr);
    ASSERT_FALSE(seen_.empty());
    const std::uint64_t fetched = runtime_->traffic().to_host - seen_.front().to_host;
    EXPECT_LE(fetched, 64u * static_cast<std::uint64_t>(iterations)) << what;
    if (seen_.size() <= 5) {  // many iterations per launch (iterate_until)
      std::printf("%s: %llu bytes to the host in %lld iterations, %zu progress calls\n",
                  what.c_str(), static_cast<unsigned long long>(fetched),
                  static_cast<long long>(iterations), seen_.size());
      return;
    }
    const auto copied = most_between([](const auto& t) { return t.to_host + t.to_device; });
    EXPECT_LE(copied, 64u) << what << ": bytes copied in an iteration";
    if (is_pooled()) {
      EXPECT_LE(seen_.back().blocks - seen_[2].blocks, blocks_allowed)
          << what << ": blocks asked of the driver from the third checkpoint on";
    }
    const auto launches = most_between([](const auto& t) { return t.launches; });
    RecordProperty(what + "_bytes", static_cast<int>(copied));
    RecordProperty(what + "_launches", static_cast<int>(launches));
    std::printf("%s: at most %llu bytes and %llu launches an iteration\n", what.c_str(),
                static_cast<unsigned long long>(copied), static_cast<unsigned long long>(launches));
    seen_.clear();
  }
  // A run like the previous one finds all of its memory in the pool.
  void expect_nothing_new(const std::string& what, const std::function<void()>& run) {
    run();  // memory that earlier results still hold is allocated again
    const std::uint64_t before = runtime_->traffic().blocks;
    run();
    if (is_pooled()) {
      EXPECT_EQ(runtime_->traffic().blocks - before, 0u)
          << what << ": blocks asked of the driver in a run like the one before";
    }
    seen_.clear();
  }
  static bool is_pooled() { return detail::memory_pool::worth_keeping(std::size_t{1} << 30) > 0; }
  std::string device_name() const {
    std::string name = GetParam();
    std::ranges::replace(name, '_', ':');
    return name;
  }
  const context cpu_ = context::cpu();
  detail::device_runtime* runtime_ = nullptr;
  std::vector<detail::device_traffic> seen_;
};

TEST_P(DeviceAlgorithms, BfsEqualsTheCpusAndStaysThere) {
  const context device = watched();
  for (const named_graph& g : graphs) {
    const auto entries = g.make();
    const auto here = make_matrix<bool>(cpu_, entries), there = make_matrix<bool>(device, entries);
    for (const index_t source : {1, 77}) {
      const bfs_result expected = bfs(here, source);
      seen_.clear();
      const bfs_result found = bfs(there, source);
      if (expected.depth > 6) expect_resident(std::string("bfs_") + g.name, found.depth + 1);
      expect_nothing_new(std::string("bfs_") + g.name, [&] { bfs(there, source); });
      EXPECT_EQ(found.level.dense(-1), expected.level.dense(-1)) << g.name;
      EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1)) << g.name;
      EXPECT_EQ(found.depth, expected.depth) << g.name;
      EXPECT_EQ(found.reached, expected.reached) << g.name;
    }
  }
}

// D void: the default type of distances for weights of type T. The width of buckets is the
// device's, since a CPU chooses narrower ones.
template <class D = void, class T>
void check_sssp(const matrix<T>& here, const matrix<T>& there, const std::string& name) {
  const auto found = sssp<D>(there, 1), expected = sssp<D>(here, 1, {.delta = found.delta});
  EXPECT_EQ(found.distance.nvals(), expected.distance.nvals()) << name;
  EXPECT_EQ(found.distance.dense(0), expected.distance.dense(0)) << name;
  EXPECT_EQ(found.saturated, expected.saturated) << name;
  EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1)) << name;
  EXPECT_EQ(found.steps, expected.steps) << name;
}

TEST_P(DeviceAlgorithms, ShortestPathsEqualTheCpusAndStayThere) {
  const context device = watched();
  for (const named_graph& g : graphs) {
    const auto whole = g.weighted<std::int64_t>(), real = g.weighted<float>();
    check_sssp(make_matrix<std::int64_t>(cpu_, whole), make_matrix<std::int64_t>(device, whole),
               g.name);
    seen_.clear();
    const auto there = make_matrix<float>(device, real);
    const index_t steps = sssp(there, 1).steps;
    // If the first pull happens late, its kernel then allocates what it keeps with the matrix (the
    // rows of the tiles of csr_segmented) and its working memory, such as slots, and tickets on
    // some devices. What an iteration needs anew would be more than that.
    expect_resident(std::string("sssp_") + g.name, steps, 5);
    expect_nothing_new(std::string("sssp_") + g.name, [&] { sssp(there, 1); });
    check_sssp(make_matrix<float>(cpu_, real), there, g.name);
  }
}

TEST_P(DeviceAlgorithms, ShortestPathsOfNarrowWeightsEqualTheCpusAndStayThere) {
  const context device = watched();
  const named_graph& g = graphs[2];
  const auto bytes = g.weighted<std::uint8_t>(), whole = g.weighted<std::int32_t>();
  const auto here = make_matrix<std::uint8_t>(cpu_, bytes),
             there = make_matrix<std::uint8_t>(device, bytes);
  seen_.clear();
  const sssp_result<std::int64_t> found = sssp(there, 1);
  expect_resident("sssp_of_bytes", found.steps, 3);
  // Rounds are executed together as over int64 weights. (The choice of a width takes one launch
  // less if the sum of the weights fits their type.)
  const auto launches = [&](const auto& graph) {
    sssp(graph, 1, {.delta = found.delta});  // compiles
    const std::uint64_t before = runtime_->traffic().launches;
    sssp(graph, 1, {.delta = found.delta});
    return runtime_->traffic().launches - before;
  };
  EXPECT_EQ(launches(there),
            launches(make_matrix<std::int64_t>(device, g.weighted<std::int64_t>())));
  check_sssp(here, there, "bytes");
  check_sssp(make_matrix<std::int32_t>(cpu_, whole), make_matrix<std::int32_t>(device, whole),
             "int32");
  EXPECT_EQ(found.saturated, 0);
  EXPECT_EQ(verify_sssp(there, 1, found), "");
  // Most of the grid is at distances above 254.
  const auto short_of_255 = [](const matrix<std::uint8_t>& graph) {
    matrix<std::uint8_t> result(graph.where(), graph.rows(), graph.columns());
    apply(result, bind_second(minimum{}, std::uint8_t{254}), graph);
    return result;
  };
  check_sssp<std::uint8_t>(short_of_255(here), short_of_255(there), "bytes that saturate");
  EXPECT_GT(sssp<std::uint8_t>(short_of_255(there), 1).saturated, 100);
}

TEST_P(DeviceAlgorithms, PagerankEqualsTheCpusAndStaysThere) {
  const context device = watched();
  for (const named_graph& g : graphs) {
    const auto entries = g.make();
    const auto here = make_matrix<bool>(cpu_, entries), there = make_matrix<bool>(device, entries);
    const pagerank_result expected = pagerank(here);
    seen_.clear();
    const pagerank_result found = pagerank(there);
    expect_resident(std::string("pagerank_") + g.name, found.iterations);
    expect_nothing_new(std::string("pagerank_") + g.name, [&] { pagerank(there); });
    EXPECT_LE(std::abs(found.iterations - expected.iterations), 1) << g.name;
    const auto a = found.rank.dense(0), b = expected.rank.dense(0);
    double distance = 0;
    for (std::size_t v = 0; v < a.size(); ++v) distance += std::abs(a[v] - b[v]);
    EXPECT_LE(distance, 1e-6) << g.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceAlgorithms, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
