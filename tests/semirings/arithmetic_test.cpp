// SPDX-License-Identifier: Apache-2.0

// The meaning of the words of the language, computed by hand where C++ leaves a choice.

#include <gtest/gtest.h>

#include <tropic/semirings/operators.hpp>

#include "support/values.hpp"

TROPIC_BINARY_OPERATOR(shifted_left, x << y);
TROPIC_BINARY_OPERATOR(shifted_right, x >> y);
TROPIC_BINARY_OPERATOR(remainder_of, x % y);

namespace tropic::testing {
namespace {

template <class T, class Op>
T run(Op op, T x, T y) {
  return op.template evaluate<T>(x, y);
}

TEST(Integers, WrapInEveryWidth) {
  EXPECT_EQ(run<std::int8_t>(plus{}, 127, 1), -128);
  EXPECT_EQ(run<std::int16_t>(times{}, -32768, -1), -32768);
  EXPECT_EQ(run<std::uint16_t>(times{}, 65535, 65535), 1);
  EXPECT_EQ(run<std::int32_t>(minus{}, std::numeric_limits<int>::min(), 1),
            std::numeric_limits<int>::max());
  EXPECT_EQ(run<std::uint64_t>(minus{}, 0, 1), ~std::uint64_t{0});
  EXPECT_EQ(negate{}.evaluate<std::int64_t>(std::numeric_limits<std::int64_t>::min(), 0),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(absolute{}.evaluate<std::int8_t>(std::int8_t{-128}, 0), -128);
}

TEST(Division, ByZeroGivesTheLimitOfTheTypeAndRemainderZero) {
  EXPECT_EQ(run<std::int32_t>(divide{}, 5, 0), std::numeric_limits<int>::max());
  EXPECT_EQ(run<std::int32_t>(divide{}, -5, 0), std::numeric_limits<int>::min());
  EXPECT_EQ(run<std::int32_t>(divide{}, 0, 0), 0);
  EXPECT_EQ(run<std::uint8_t>(divide{}, 9, 0), 255);
  EXPECT_EQ(run<std::int32_t>(divide{}, std::numeric_limits<int>::min(), -1),
            std::numeric_limits<int>::min());
  EXPECT_EQ(run<std::int64_t>(remainder_of{}, 7, 0), 0);
  EXPECT_EQ(run<std::int64_t>(remainder_of{}, std::numeric_limits<std::int64_t>::min(), -1), 0);
  EXPECT_EQ(run<std::int32_t>(remainder_of{}, -7, 3), -1);
  EXPECT_EQ(run<double>(divide{}, 1, 0), std::numeric_limits<double>::infinity());
}

TEST(Shifts, TakeTheirCountModuloTheWidth) {
  EXPECT_EQ(run<std::int32_t>(shifted_left{}, 1, 33), 2);
  EXPECT_EQ(run<std::int8_t>(shifted_left{}, 1, 9), 2);
  EXPECT_EQ(run<std::int64_t>(shifted_left{}, 1, 63), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(run<std::int32_t>(shifted_right{}, -8, 1), -4);
  EXPECT_EQ(run<std::uint32_t>(shifted_right{}, 0x80000000u, 31), 1u);
  EXPECT_EQ(run<std::int32_t>(shifted_left{}, 1, -1), std::numeric_limits<int>::min());
}

TEST(FloatingMinimumAndMaximum, IgnoreNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run<double>(minimum{}, nan, 3), 3);
  EXPECT_EQ(run<double>(minimum{}, 3, nan), 3);
  EXPECT_EQ(run<double>(maximum{}, nan, -3), -3);
  EXPECT_TRUE(std::isnan(run<double>(maximum{}, nan, nan)));
}

TEST(Conversions, TruncateAndSaturateAndTakeNaNAsZero) {
  using arithmetic::convert;
  EXPECT_EQ(convert<std::int8_t>(127.9), 127);
  EXPECT_EQ(convert<std::int8_t>(300.0), 127);
  EXPECT_EQ(convert<std::int8_t>(-1e30f), -128);
  EXPECT_EQ(convert<std::uint8_t>(-1.5), 0);
  EXPECT_EQ(convert<std::uint8_t>(255.5), 255);
  EXPECT_EQ(convert<std::uint8_t>(256.0), 255);
  EXPECT_EQ(convert<std::int64_t>(9223372036854775807.0), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert<std::uint64_t>(1.8446744073709552e19), ~std::uint64_t{0});
  EXPECT_EQ(convert<std::int32_t>(std::nan("")), 0);
  EXPECT_EQ(convert<std::int32_t>(-2147483648.0f), std::numeric_limits<int>::min());
  EXPECT_TRUE(convert<bool>(std::nan("")));
  EXPECT_FALSE(convert<bool>(-0.0));
  EXPECT_EQ(convert<std::int8_t>(std::int32_t{300}), 44);
}

// min_plus: the largest value means "no path" and is absorbing; a path that is too long saturates
// below it.
TEST(TropicalPlus, SaturatesWorkedByHand) {
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, 100, 27), 126);  // 127 would mean "no path"
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, 100, 100), 126);
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, 100, 26), 126);
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, 127, -100), 127);
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, -1, 127), 127);
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, -100, -100), -128);
  EXPECT_EQ(run<std::int8_t>(tropical_plus{}, -128, 126), -2);
  EXPECT_EQ(run<std::uint8_t>(tropical_plus{}, 200, 100), 254);
  EXPECT_EQ(run<std::uint8_t>(tropical_plus{}, 200, 55), 254);
  EXPECT_EQ(run<std::uint8_t>(tropical_plus{}, 255, 0), 255);
  EXPECT_EQ(run<std::int64_t>(tropical_plus{}, std::numeric_limits<std::int64_t>::max() - 1, 5),
            std::numeric_limits<std::int64_t>::max() - 1);
  const float inf = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(run<float>(tropical_plus{}, largest, largest), largest);
  EXPECT_EQ(run<float>(tropical_plus{}, inf, -inf), inf);
  EXPECT_EQ(run<float>(tropical_plus{}, inf, std::nanf("")), inf);
  EXPECT_TRUE(std::isnan(run<float>(tropical_plus{}, 1, std::nanf(""))));
  EXPECT_EQ(run<float>(tropical_plus{}, -largest, -largest), -inf);
}

TEST(TropicalPlusMax, SaturatesWorkedByHand) {
  EXPECT_EQ(run<std::int8_t>(tropical_plus_max{}, -100, -28), -127);  // -128 means "no path"
  EXPECT_EQ(run<std::int8_t>(tropical_plus_max{}, -100, -100), -127);
  EXPECT_EQ(run<std::int8_t>(tropical_plus_max{}, -128, 100), -128);
  EXPECT_EQ(run<std::int8_t>(tropical_plus_max{}, 100, 100), 127);
  EXPECT_EQ(run<std::uint8_t>(tropical_plus_max{}, 200, 100), 255);
  EXPECT_EQ(run<std::uint8_t>(tropical_plus_max{}, 0, 7), 7);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run<double>(tropical_plus_max{}, -inf, inf), -inf);
  EXPECT_EQ(run<double>(tropical_plus_max{}, std::numeric_limits<double>::lowest(),
                        std::numeric_limits<double>::lowest()),
            std::numeric_limits<double>::lowest());
}

TEST(Power, OfIntegersWrapsAndANegativeExponentTruncates) {
  EXPECT_EQ(run<std::int32_t>(power{}, 3, 4), 81);
  EXPECT_EQ(run<std::int32_t>(power{}, 0, 0), 1);
  EXPECT_EQ(run<std::int32_t>(power{}, 2, 32), 0);
  EXPECT_EQ(run<std::int32_t>(power{}, 2, -1), 0);
  EXPECT_EQ(run<std::int32_t>(power{}, -1, -3), -1);
  EXPECT_EQ(run<std::int32_t>(power{}, 2, -32), 0);  // though 2^32 wraps to 0
  EXPECT_EQ(run<std::int32_t>(power{}, 10, -33), 0);
  EXPECT_EQ(run<std::int32_t>(power{}, 0, -1), std::numeric_limits<int>::max());
  EXPECT_EQ(run<std::int32_t>(power{}, 1, std::numeric_limits<int>::min()), 1);
  EXPECT_EQ(run<std::int32_t>(power{}, -1, std::numeric_limits<int>::min()), 1);
  EXPECT_EQ(run<std::uint8_t>(power{}, 3, 255), 171);  // 3^256 = 1 modulo 256, 3 * 171 = 513
}

TEST(MixedOperands, MeetInTheWiderTypeTheFloatingOneOrTheUnsignedOne) {
  using arithmetic::meet;
  EXPECT_EQ(meet(type_code::boolean, type_code::boolean), type_code::int32);
  EXPECT_EQ(meet(type_code::boolean, type_code::int8), type_code::int8);
  EXPECT_EQ(meet(type_code::int8, type_code::int8), type_code::int8);
  EXPECT_EQ(meet(type_code::int32, type_code::uint32), type_code::uint32);
  EXPECT_EQ(meet(type_code::uint8, type_code::int16), type_code::int16);
  EXPECT_EQ(meet(type_code::int64, type_code::fp32), type_code::fp32);
  EXPECT_EQ(meet(type_code::fp32, type_code::fp64), type_code::fp64);
  for (int a = 0; a < builtin_type_count; ++a)
    for (int b = 0; b < builtin_type_count; ++b)
      EXPECT_EQ(meet(static_cast<type_code>(a), static_cast<type_code>(b)),
                meet(static_cast<type_code>(b), static_cast<type_code>(a)));
}

}  // namespace
}  // namespace tropic::testing
