// SPDX-License-Identifier: Apache-2.0

// Calibrations on a few matrices; and their files: they are read back in every locale of the
// calling program, and impossible costs are rejected.

#include <gtest/gtest.h>

#include "backends/backend.hpp"
#include "containers/context_state.hpp"
#include "plan/calibration.hpp"
#include "plan/calibrator.hpp"
#include "support/locale.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

TEST(Calibration, IsReadBackInEveryLocale) {
  cost_constants constants;
  constants.device = "a device, 1,234 MHz";
  constants.seconds = 1234.5;
  constants.noise = 0.012;
  constants.transfer_call = 1.5e-6;
  constants.transfer_byte = 2.25e-10;
  constants.of["pull/4"].call[0] = 1.25e-9;
  constants.of["pull/4"].floor = 4.5e-6;
  constants.of["pull/4"].compares = 0.95;
  const std::string text = to_text(constants);
  const decimal_comma here;
  EXPECT_EQ(to_text(constants), text);
  const std::optional<cost_constants> read = from_text(text, constants.device);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), text);
}

TEST(Calibration, WithImpossibleCostsIsRefused) {
  cost_constants constants;
  constants.device = "a device";
  constants.of["pull/4"].call[0] = 1.25e-9;
  const std::string good = to_text(constants);
  ASSERT_TRUE(from_text(good, constants.device)) << good;
  for (const auto& [from, to] :
       {std::pair{"seconds 0", "seconds -1"}, std::pair{"noise 0", "noise -0.5"},
        std::pair{"transfer 0 0", "transfer 0 -1"}, std::pair{"transfer 0 0", "transfer nan 0"},
        std::pair{"end\n", "pull/4 floor 1e308\nend\n"},
        std::pair{"end\n", "pull/4 compares -1\nend\n"}}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << from << "\n" << good;
    bad.replace(bad.find(from), std::string_view(from).size(), to);
    EXPECT_FALSE(from_text(bad, constants.device)) << to;
  }
}

class DeviceCalibration : public OnContext {};

// csr_hubs gains only on matrices that are larger than those of a calibration, but converts all.
TEST_P(DeviceCalibration, MeasuresEveryConversion) {
  using enum synthetic_matrix::lengths;
  const synthetic_matrix matrices[] = {{8, 8, 4}, {2000, 2000, 540}, {90e3, 90e3, 14, unlike}};
  std::vector<const kernel_info*> kernels;
  for (const kernel_info* kernel : where().state()->executor->kernels())
    if (kernel->relative.to != nullptr) kernels.push_back(kernel);
  ASSERT_FALSE(kernels.empty());
  const cost_constants found = measured_constants(*where().state(), kernels, matrices);
  for (const kernel_info* kernel : kernels)
    for (const std::size_t bytes : {4U, 8U}) {
      const kernel_costs* costs = found.find(kernel->name, bytes);
      ASSERT_NE(costs, nullptr) << kernel->name;
      double sum = 0;
      for (const double seconds : costs->conversion) sum += seconds;
      EXPECT_GT(sum, 0) << kernel->name << " of " << bytes << " bytes";
    }
}
// Over patterns, where rows end early and where they do not.
TEST_P(DeviceCalibration, MeasuresSumsOfBits) {
  using enum synthetic_matrix::lengths;
  const synthetic_matrix matrices[] = {{8, 8, 4}, {2000, 2000, 540}, {90e3, 90e3, 14, unlike}};
  std::vector<const kernel_info*> kernels;
  for (const kernel_info* kernel : where().state()->executor->kernels())
    if (kernel->reads_bits) kernels.push_back(kernel);
  ASSERT_FALSE(kernels.empty());
  const cost_constants found = measured_constants(*where().state(), kernels, matrices);
  for (const kernel_info* kernel : kernels)
    for (const bool early : {false, true}) {
      const std::string name = cost_constants::name_of(*kernel, {.exits_early = early});
      const kernel_costs* costs = found.find(name, 1);
      ASSERT_NE(costs, nullptr) << name;
      EXPECT_GT(costs->floor, 0) << name;
      double conversion = 0, call = 0;
      for (const double seconds : costs->conversion) conversion += seconds;
      for (const double seconds : costs->call) call += seconds;
      EXPECT_GT(conversion, 0) << name;
      EXPECT_GT(call, 0) << name;
      EXPECT_EQ(
          std::ranges::count(found.observed, cost_constants::key(name, 1), &cost_observation::key),
          3)
          << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceCalibration, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
