// SPDX-License-Identifier: Apache-2.0

// Device texts and files on disk are the same in every locale of the calling program.

#include <gtest/gtest.h>

#include "backends/device/program/program.hpp"
#include "locale.hpp"
#include "plan/calibration.hpp"
#include "semiring_samples.hpp"

namespace tropic::test {
namespace {

using namespace tropic::detail;

std::string text_of(const operator_description& op) {
  prelude generated(dialect::opencl);
  generated.define_operator("t_op", op);
  return generated.text();
}

TEST(Locale, LiteralsOfDeviceTextsHaveADecimalPoint) {
  for (const type_code code : {type_code::fp32, type_code::fp64}) {
    const operator_description op =
        operator_from_text("x * 1.5 - 0.1 + y", describe(code), describe(code), describe(code));
    const std::string expected = text_of(op);
    const decimal_comma here;
    ASSERT_TRUE(here.is_set()) << "localedef cannot make a locale";
    EXPECT_EQ(text_of(op), expected);
    EXPECT_NE(expected.find("0x1.8p+0"), std::string::npos) << expected;
  }
}

TEST(Locale, CalibrationFilesReadBack) {
  cost_constants made;
  made.device = "a device, 1,234 MHz";
  made.seconds = 1234.5;
  made.noise = 0.012;
  made.transfer_call = 1.5e-6;
  made.transfer_byte = 2.25e-10;
  made.of["pull/4"].call[0] = 1.25e-9;
  made.of["pull/4"].floor = 4.5e-6;
  made.of["pull/4"].compares = 0.95;
  const std::string text = to_text(made);
  const decimal_comma here;
  EXPECT_EQ(to_text(made), text);
  const std::optional<cost_constants> read = from_text(text, made.device);
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), text);
}

TEST(Calibration, NumbersThatNothingCostsAreRefused) {
  cost_constants made;
  made.device = "a device";
  made.of["pull/4"].call[0] = 1.25e-9;
  const std::string good = to_text(made);
  ASSERT_TRUE(from_text(good, made.device)) << good;
  for (const auto& [from, to] :
       {std::pair{"seconds 0", "seconds -1"}, std::pair{"noise 0", "noise -0.5"},
        std::pair{"transfer 0 0", "transfer 0 -1"}, std::pair{"transfer 0 0", "transfer nan 0"},
        std::pair{"end\n", "pull/4 floor 1e308\nend\n"},
        std::pair{"end\n", "pull/4 compares -1\nend\n"}}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << from << "\n" << good;
    bad.replace(bad.find(from), std::string_view(from).size(), to);
    EXPECT_FALSE(from_text(bad, made.device)) << to;
  }
}

}  // namespace
}  // namespace tropic::test
