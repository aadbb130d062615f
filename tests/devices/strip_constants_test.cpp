// SPDX-License-Identifier: Apache-2.0

// The tuning constants of kernels over strips and blocks: their table in docs/kernels.md, and the
// ranges of their options.

#include "backends/device/formats/strip_constants.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <tropic/error.hpp>
#include "containers/context_state.hpp"

#include "backends/backend.hpp"
#include "support/contexts.hpp"

namespace tropic::testing {
namespace {

TEST(StripConstants, TheDocumentsShowThem) {
  std::ifstream file(TROPIC_DOCS "/kernels.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty()) << "no docs at " << TROPIC_DOCS;
  EXPECT_NE(text.find(detail::strip_constants_table()), std::string::npos)
      << "docs/kernels.md needs this table:\n"
      << detail::strip_constants_table();
}

TEST(StripConstants, OptionsOutOfRangeAreRefused) {
  const found_context device = make_context("opencl_0");
  if (!device.where) GTEST_SKIP() << device.reason;
  const auto& executor = *device.where->state()->executor;
  EXPECT_NE(executor.find_kernel("cmrs:height=16,subgroups=4"), nullptr);
  EXPECT_THROW(executor.find_kernel("cmrs:height=17"), usage_error);
  EXPECT_THROW(executor.find_kernel("cmrs_padded:slots=3"), usage_error);
  EXPECT_THROW(executor.find_kernel("cmrs_padded:overhead=0"), usage_error);
  EXPECT_NE(executor.find_kernel("csr_blocked:block=16x32,fill=50"), nullptr);
  EXPECT_THROW(executor.find_kernel("csr_blocked:block=8x8"), usage_error);
  EXPECT_THROW(executor.find_kernel("csr_blocked:fill=101"), usage_error);
}

}  // namespace
}  // namespace tropic::testing
