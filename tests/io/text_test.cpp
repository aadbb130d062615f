// SPDX-License-Identifier: Apache-2.0

// Numbers and quotes, the lowest layer of the readers.

#include "io/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tropic::io::detail {
namespace {

template <class T>
std::string parsed(std::string_view text, number_rule rule = number_rule::real) {
  cursor c(text);
  try {
    const T value = number<T>(c, rule);
    return std::to_string(value) + (c.at_line_end() ? "" : " unfinished");
  } catch (const parse_failure& failure) {
    return failure.found + " for " + failure.expected;
  }
}

TEST(Numbers, IntegersStopAtTheEdgesOfTheirType) {
  EXPECT_EQ(parsed<std::int8_t>("-128"), "-128");
  EXPECT_EQ(parsed<std::int8_t>("-129"), "'-129' for an integer from -128 to 127");
  EXPECT_EQ(parsed<std::uint8_t>("-1"), "'-1' for an integer from 0 to 255");
  EXPECT_EQ(parsed<std::uint8_t>("-0"), "0");
  EXPECT_EQ(parsed<std::int64_t>("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(parsed<std::uint64_t>("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(parsed<std::uint64_t>("18446744073709551616"),
            "'18446744073709551616' for an integer from 0 to 18446744073709551615");
}

// Up to 19 digits are taken without a check for overflow.
TEST(Numbers, NaturalOnesMayHaveAnyNumberOfDigits) {
  EXPECT_EQ(parsed<std::uint64_t>("999999999999999999"), "999999999999999999");
  EXPECT_EQ(parsed<std::uint64_t>("9999999999999999999"), "9999999999999999999");
  EXPECT_EQ(parsed<std::uint64_t>("10000000000000000000"), "10000000000000000000");
  EXPECT_EQ(parsed<std::uint64_t>("0000000000000000000000000012"), "12");
  EXPECT_EQ(parsed<std::uint64_t>("0018446744073709551615"), "18446744073709551615");
  EXPECT_EQ(parsed<std::uint64_t>("99999999999999999999").substr(0, 22), "'99999999999999999999'");
  EXPECT_EQ(parsed<std::uint64_t>("9999999999999999999x"),
            "'9999999999999999999x' for an integer from 0 to 18446744073709551615");
  EXPECT_EQ(parsed<std::uint64_t>("1234567890123456789 2"), "1234567890123456789 unfinished");
}

TEST(Numbers, EveryNumberButZeroIsTrue) {
  for (const char* yes : {"1", "2", "-1", "0.5", "1e300", "-inf", "nan", "18446744073709551616"})
    EXPECT_EQ(parsed<bool>(yes), "1") << yes;
  for (const char* no : {"0", "-0", "+0", "0.0", "-0e7", "00000000000000000000000"})
    EXPECT_EQ(parsed<bool>(no), "0") << no;
  EXPECT_EQ(parsed<bool>("true"), "'true' for a number that fp64 can hold");
  EXPECT_EQ(parsed<bool>("1e400"), "'1e400' for a number that fp64 can hold");
  EXPECT_EQ(parsed<bool>("2.0", number_rule::integer), "'2.0' for an integer");
  EXPECT_EQ(parsed<bool>("-2", number_rule::integer), "1");
  // A file that states booleans has no other values.
  EXPECT_EQ(parsed<bool>("1", number_rule::truth), "1");
  for (const char* other : {"2", "-1", "0.5"})
    EXPECT_EQ(parsed<bool>(other, number_rule::truth),
              std::string("'") + other + "' for an integer from 0 to 1");
}

TEST(Numbers, RealTextMayBecomeAnIntegerOnlyExactly) {
  EXPECT_EQ(parsed<int>("3.0"), "3");
  EXPECT_EQ(parsed<int>("1e3"), "1000");
  EXPECT_EQ(parsed<int>("3.5"), "'3.5' for an integer from -2147483648 to 2147483647");
  EXPECT_EQ(parsed<int>("nan"), "'nan' for an integer from -2147483648 to 2147483647");
  EXPECT_EQ(parsed<std::int64_t>("9223372036854775808.0").substr(0, 23), "'9223372036854775808.0'");
  EXPECT_EQ(parsed<int>("3.0", number_rule::integer), "'3.0' for an integer");
  EXPECT_EQ(parsed<double>("3.0", number_rule::integer), "'3.0' for an integer");
  EXPECT_EQ(parsed<double>("3", number_rule::integer), "3.000000");
}

TEST(Numbers, RealNumbersTakeEverySpellingOfInfinityAndASign) {
  EXPECT_EQ(parsed<double>("+1.5"), "1.500000");
  EXPECT_EQ(parsed<double>(".5"), "0.500000");
  EXPECT_EQ(parsed<double>("5."), "5.000000");
  EXPECT_EQ(parsed<double>("inf"), "inf");
  EXPECT_EQ(parsed<double>("-Infinity"), "-inf");
  EXPECT_EQ(parsed<double>("+INF"), "inf");
  EXPECT_EQ(parsed<double>("NaN"), "nan");
  EXPECT_EQ(parsed<double>("1e5\n7"), "100000.000000");
  EXPECT_EQ(parsed<double>("-2.5\r"), "-2.500000 unfinished");
  EXPECT_EQ(parsed<double>("nan(2)"), "nan");
  EXPECT_EQ(parsed<float>("0.1"), "0.100000");
  EXPECT_EQ(parsed<double>("123456789012345678901234567890"),
            "123456789012345677877719597056.000000");
  EXPECT_EQ(parsed<double>("2.2250738585072011e-308 1").substr(0, 8), "0.000000");
  for (const char* bad : {"+-1", "++1", "+", "-", ".", "1e", "1.0x", "0x10", "1,5", "--1"})
    EXPECT_EQ(parsed<double>(bad), std::string("'") + bad + "' for a number that fp64 can hold");
}

TEST(Numbers, OverflowIsAnErrorAndUnderflowIsZero) {
  EXPECT_EQ(parsed<double>("1e400"), "'1e400' for a number that fp64 can hold");
  EXPECT_EQ(parsed<double>("-1e99999999999999999999").substr(0, 5), "'-1e9");
  EXPECT_EQ(parsed<double>("1e-400"), "0.000000");
  EXPECT_EQ(parsed<double>("-1e-400"), "-0.000000");
  EXPECT_EQ(parsed<double>("1e-99999999999999999999"), "0.000000");
  EXPECT_EQ(parsed<double>("0.0001e400").substr(0, 12), "'0.0001e400'");
  EXPECT_EQ(parsed<float>("1e39"), "'1e39' for a number that fp32 can hold");
  EXPECT_EQ(parsed<float>("1e-60"), "0.000000");
  cursor tiny("1e-320");
  EXPECT_GT(number<double>(tiny, number_rule::real), 0.0);
}

TEST(Quotes, ShortenLongTokensAndShowUnprintableBytes) {
  EXPECT_EQ(quote("abc"), "'abc'");
  EXPECT_EQ(quote(std::string_view("a\0\xff", 3)), "'a\\x00\\xff'");
  EXPECT_EQ(quote(std::string(100, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace tropic::io::detail
