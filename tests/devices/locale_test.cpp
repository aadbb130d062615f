// SPDX-License-Identifier: Apache-2.0

// Device texts are the same in every locale of the calling program.

#include <gtest/gtest.h>

#include "backends/device/program/program.hpp"
#include "semiring_samples.hpp"
#include "support/locale.hpp"

namespace tropic::testing {
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

}  // namespace
}  // namespace tropic::testing
