// SPDX-License-Identifier: Apache-2.0

// A device that is lost while an algorithm runs, on the fake CUDA driver, whose kernels do nothing:
// the error names the enqueued work, every later one states that the context is lost, and data that
// is valid on the host, in particular the graph, is still available.

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>

#include "context_on.hpp"
#include "cuda_fixture.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace lost_device_test {
namespace {

constexpr int illegal_address = 700, launch_failed = 719;

class LostFakeCudaDevice : public FakeCudaPrograms {
 protected:
  void SetUp() override {
    FakeCudaPrograms::SetUp();
    if (!HasFatalFailure()) fake->reset(std::size_t{64} << 20);
  }
  // A graph whose algorithms call `happens` at a checkpoint.
  matrix<bool> graph(int checkpoint, const std::function<void()>& happens) {
    context_options options;
    options.progress = [this, checkpoint, happens](std::string_view, double) {
      if (++checkpoints_ == checkpoint) happens();
    };
    return make_matrix<bool>(context_on(open(), options), kron(6, 4, 1));
  }
  // "vxm, fill or assign on cuda:0 (Fake 0): CUDA_ERROR_...".
  static void expect_step(const std::string& message, const std::string& error) {
    const std::size_t end = message.find(" on cuda:0 (Fake 0): " + error);
    ASSERT_NE(end, std::string::npos) << message;
    const std::string steps = message.substr(0, end);
    bool named = false;
    for (const char* step :
         {"iterate_until", "vxm", "assign", "ewise", "apply", "reduce", "conversion to a bitmap"})
      named = named || steps.find(step) != std::string::npos;
    EXPECT_TRUE(named) << message;
  }
  static void expect_lost_but_readable(const matrix<bool>& graph) {
    const std::string later = message_of<device_error>([&] {
      vector<double> ones(graph.where(), graph.rows(), 1.0), w(graph.where(), graph.rows());
      mxv(w, plus_pair<double, bool, double>{}, graph, ones);
    });
    EXPECT_TRUE(later.starts_with("cuda:0 (Fake 0) can no longer be used by this context: "))
        << later;
    const matrix<bool> copy = graph.to(context::cpu());
    EXPECT_EQ(verify_bfs(copy, 1, bfs(copy, 1)), "");
  }
  int checkpoints_ = 0;
};

TEST_F(LostFakeCudaDevice, EndsBfsWithTheStep) {
  const auto a = graph(1, [this] { fake->fail("cuLaunchKernel", 2, illegal_address); });
  expect_step(message_of<device_error>([&] { bfs(a, 1); }), "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
  EXPECT_EQ(checkpoints_, 1);
  expect_lost_but_readable(a);
}

TEST_F(LostFakeCudaDevice, EndsPagerankInItsThirdIteration) {
  const auto a = graph(3, [this] { fake->fail_kernels(launch_failed); });
  expect_step(message_of<device_error>([&] { pagerank(a, {.iterations = 10}); }),
              "CUDA_ERROR_LAUNCH_FAILED (719)");
  EXPECT_EQ(checkpoints_, 3);
  expect_lost_but_readable(a);
}

TEST_F(LostFakeCudaDevice, WithEachLaunchWaitedForTheErrorNamesTheKernel) {
  const environment_variable wait("TROPIC_CUDA_SYNC", "1");
  const auto a = graph(3, [this] { fake->fail("cuLaunchKernel", 2, illegal_address); });
  const std::string message = message_of<device_error>([&] { pagerank(a, {.iterations = 10}); });
  EXPECT_NE(message.find(": kernel t_"), std::string::npos) << message;
  expect_lost_but_readable(a);
}

}  // namespace
}  // namespace lost_device_test
}  // namespace tropic::testing
