// SPDX-License-Identifier: Apache-2.0

// A device whose memory is exhausted, on OpenCL with a reduced memory size: an algorithm fails
// midway with an error that names the step and the device, and succeeds once there is enough
// memory.

#include <gtest/gtest.h>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/algorithms/verify/pagerank.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>

#include "context_on.hpp"
#ifdef TROPIC_WITH_OPENCL
#include "opencl_fixture.hpp"

namespace tropic::testing {
namespace full_device_test {
namespace {

constexpr std::size_t memory = std::size_t{8} << 20;

class FullOpenCLDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto runtime = std::shared_ptr<detail::opencl_runtime>(
        open_runtime({}, nullptr, [](detail::opencl_device& d) { d.memory = memory; }));
    if (runtime == nullptr) GTEST_SKIP() << "no usable OpenCL device";
    shown_ = "opencl:0 (" + runtime->device().name + "): ";
    context_options options;
    options.progress = [this](std::string_view, double) {
      if (++checkpoints_ == fills_at_ && fills_) fill_the_device();
    };
    const context where = context_on(runtime, options);
    graph_ = std::make_unique<matrix<std::int64_t>>(
        make_matrix<std::int64_t>(where, kron(12, 16, 5, {.weighted = true})));
  }
  // `verified_run` returns an error text, empty on success. From its second checkpoint on, or the
  // first, the device memory is exhausted except for a growing number of blocks, finally enough.
  void check(const std::function<std::string()>& verified_run) {
    ASSERT_EQ(verified_run(), "");
    int failures = 0;
    for (bool succeeded = false; !succeeded; ++left_) {
      fills_ = true;
      checkpoints_ = 0;
      try {
        EXPECT_EQ(verified_run(), "");
        succeeded = true;
      } catch (const out_of_memory& e) {
        ++failures;
        EXPECT_NE(std::string(e.what()).find(": " + shown_), std::string::npos) << e.what();
      }
      EXPECT_GE(checkpoints_, fills_at_);
      fills_ = false;
      ballast_.clear();
      ASSERT_EQ(verified_run(), "") << "after " << left_ << " blocks were left";
    }
    EXPECT_GT(failures, 1);
  }
  void fill_the_device() try {
    while (true) {
      ballast_.push_back(detail::make_buffer(graph_->where().state(), std::size_t{16} << 10));
      ballast_.back()->device_write();
    }
  } catch (const out_of_memory&) {
    ballast_.resize(ballast_.size() -
                    std::min(ballast_.size(), left_ + 1));  // the last reason is empty
  }

  std::string shown_;
  int checkpoints_ = 0, fills_at_ = 2;
  bool fills_ = false;
  std::size_t left_ = 0;
  std::vector<detail::buffer_pointer> ballast_;
  std::unique_ptr<matrix<std::int64_t>> graph_;
};

// All rounds have their memory before the first.
TEST_F(FullOpenCLDevice, EndsBfsWithTheStep) {
  fills_at_ = 1;
  check([&] { return verify_bfs(*graph_, 1, bfs(*graph_, 1)); });
}
TEST_F(FullOpenCLDevice, EndsShortestPaths) {
  check([&] { return verify_sssp(*graph_, 1, sssp(*graph_, 1)); });
}
TEST_F(FullOpenCLDevice, EndsPagerankWithTheStep) {
  check([&] { return verify_pagerank(*graph_, pagerank(*graph_)); });
}

}  // namespace
}  // namespace full_device_test
}  // namespace tropic::testing

#endif
