// SPDX-License-Identifier: Apache-2.0

// Calibration files: they are read back in every locale of the calling program, and impossible
// costs are rejected.

#include <gtest/gtest.h>

#include "plan/calibration.hpp"
#include "support/locale.hpp"

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

}  // namespace
}  // namespace tropic::testing
