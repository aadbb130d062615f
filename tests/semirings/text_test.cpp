// SPDX-License-Identifier: Apache-2.0

// Values and semirings given as text at run time.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include <tropic/semirings/from_text.hpp>

#include "support/messages.hpp"
#include "support/values.hpp"

namespace tropic::testing {
namespace {

template <class T>
T value(const char* text) {
  return value_from_text(text, describe<T>()).template as<T>();
}

TEST(ValueFromText, ReadsNumbersAndTheWordsOfTheLanguage) {
  EXPECT_EQ(value<std::int32_t>("42"), 42);
  EXPECT_EQ(value<std::int32_t>("-7"), -7);
  EXPECT_EQ(value<std::uint8_t>("0xff"), 255);
  EXPECT_EQ(value<double>("2.5e3"), 2500.0);
  EXPECT_EQ(value<double>("-0.5"), -0.5);
  EXPECT_EQ(value<float>("3"), 3.0f);
  EXPECT_EQ(value<float>("inf"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(value<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(value<std::int64_t>("inf"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value<std::int64_t>("-inf"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value<std::int16_t>("t_one"), 1);
  EXPECT_EQ(value<bool>("true"), true);
  EXPECT_EQ(value<bool>("0"), false);
  EXPECT_EQ(value<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(value<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(ValueFromText, RefusesEverythingElse) {
  for (const char* text :
       {"", "x", "1 + x", "nonsense", "1.5", "1 2", "i", "99999999999999999999", "1f", "0x"})
    EXPECT_THROW(value_from_text(text, describe<std::int32_t>()), expression_error) << text;
  EXPECT_THROW(value_from_text("1e999", describe<double>()), expression_error);
  EXPECT_THROW(value_from_text("0x10000000000000000", describe<double>()), expression_error);
}

TEST(ValueFromText, RefusesNumbersThatTheTypeCannotHold) {
  const auto refused = [](const char* text, const type_description& type) {
    return message_of<expression_error>([&] {
             value_from_text(text, type);
           }).find("does not fit " + std::string(type.name)) != std::string::npos;
  };
  EXPECT_TRUE(refused("256", describe<std::uint8_t>()));
  EXPECT_TRUE(refused("0x100", describe<std::uint8_t>()));
  EXPECT_TRUE(refused("-1", describe<std::uint64_t>()));
  EXPECT_TRUE(refused("300", describe<std::int8_t>()));
  EXPECT_TRUE(refused("-129", describe<std::int8_t>()));
  EXPECT_TRUE(refused("9223372036854775808", describe<std::int64_t>()));
  EXPECT_TRUE(refused("2", describe<bool>()));
  EXPECT_EQ(value<std::uint8_t>("255"), 255);
  EXPECT_EQ(value<std::int8_t>("-128"), -128);
  EXPECT_EQ(value<float>("-16777217"), -16777216.0F);
}

TEST(SemiringFromText, BehavesLikeTheBuiltInOne) {
  const auto& t = describe<std::int64_t>();
  const semiring_description semiring =
      semiring_from_text("t_min(x, y)", "inf", "t_tropical_plus(x, y)", t);
  EXPECT_EQ(semiring.cpu_kernels[0], nullptr);
  EXPECT_EQ(semiring.cpu_kernels[1], nullptr);
  EXPECT_EQ(semiring.add.identity.as<std::int64_t>(), std::numeric_limits<std::int64_t>::max());
  for (const std::int64_t x : adversarial_values<std::int64_t>())
    for (const std::int64_t y : adversarial_values<std::int64_t>()) {
      std::int64_t sum = 0, product = 0;
      semiring.add.add({.z = &sum, .x = &x, .y = &y, .count = 1});
      semiring.multiply({.z = &product, .x = &x, .y = &y, .count = 1});
      EXPECT_EQ(sum, std::min(x, y));
      EXPECT_EQ(product, arithmetic::tropical_plus(x, y));
    }
}

TEST(SemiringFromText, NamesTheFaultyPart) {
  const auto refused = [](const char* add, const char* identity, const char* multiply) {
    EXPECT_THROW(semiring_from_text(add, identity, multiply, describe<std::int32_t>()),
                 expression_error)
        << add << ", " << identity << ", " << multiply;
  };
  refused("x +", "0", "x * y");
  refused("x + y", "zero", "x * y");
  refused("x + y", "0", "x ** y");
  refused("x + y", "0", "t_sqrt(x)");
  refused("x + y", "x", "x * y");
}

TEST(OperatorFromText, QuotesOnlyThePlaceInALongText) {
  const auto& t = describe<double>();
  const auto refused = [&](const std::string& text) {
    return message_of<expression_error>([&] { operator_from_text(text, t, t, t); });
  };
  const auto lines = [](const std::string& message) {
    std::vector<std::string> found;
    std::istringstream all(message);
    for (std::string line; std::getline(all, line);) found.push_back(line);
    return found;
  };
  const std::string long_one = refused("x" + std::string(60000, '+'));
  EXPECT_LT(long_one.size(), 400u);
  EXPECT_EQ(long_one.rfind("the expression is longer than 4000 characters\n  x+++", 0), 0u);
  EXPECT_NE(long_one.find("+++...\n  ^"), std::string::npos);

  std::string sum = "x";
  for (int n = 0; n < 100; ++n) sum += " + x";
  const std::string wrong = sum.substr(0, 197) + " ? $ : 1" + sum;
  const auto shown = lines(refused(wrong));
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[1].substr(0, 6), "  ...x");
  EXPECT_EQ(shown[1].substr(shown[1].size() - 3), "...");
  EXPECT_EQ(shown[1][shown[2].find('^')], '$');  // the caret is below the error

  // No character of UTF-8 is cut.
  std::string accents = "x + $";
  for (int n = 0; n < 200; ++n) accents += "\xc3\xa9";
  const std::string cut = lines(refused(accents))[1];
  EXPECT_EQ((cut.size() - std::string("  x + $...").size()) % 2, 0u);
}

TEST(OperatorFromText, SaysThatThereIsNoDecrement) {
  const auto& t = describe<double>();
  for (const std::string& text :
       {std::string(3999, '-'), std::string("x--y"), std::string("++x"), std::string("x - --y")})
    EXPECT_TRUE(
        message_of<expression_error>([&] {
          operator_from_text(text, t, t, t);
        }).starts_with("there is no -- or ++ in the language: two signs stand apart, as in x - -y"))
        << text;
  EXPECT_NO_THROW(operator_from_text("x - -y", t, t, t));
  EXPECT_NO_THROW(operator_from_text("x + +y - - -x", t, t, t));
}

TEST(OperatorFromText, OutlivesItsTextAndItsCopies) {
  const auto& t = describe<double>();
  operator_description kept;
  {
    std::string text = "x * y + 1";
    const operator_description result = operator_from_text(text, t, t, t);
    text.assign(text.size(), '?');
    kept = result;
  }
  EXPECT_EQ(kept.text, "x * y + 1");
  const double x = 3, y = 4;
  double z = 0;
  kept({.z = &z, .x = &x, .y = &y, .count = 1});
  EXPECT_EQ(z, 13);
}

}  // namespace
}  // namespace tropic::testing
