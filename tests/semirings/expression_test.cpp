// SPDX-License-Identifier: Apache-2.0

// The grammar of the operator language: valid expressions, and errors with their position.

#include <gtest/gtest.h>

#include <string>

#include <tropic/semirings/from_text.hpp>

#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using expression::parse;

// The compiler runs the same parser.
static_assert(parse("x + y").ok());
static_assert(parse("x").uses_x && !parse("x").uses_y);
static_assert(!parse("x +").ok());
static_assert(parse("i * k").positional());
static_assert(parse("d * x", std::array<std::string_view, 1>{"d"}).ok());
static_assert(!parse("d * x").ok());

TEST(Expression, TakesTheWholeLanguage) {
  for (const char* text : {"x",
                           "y",
                           "(x)",
                           "x+y",
                           " x\t+\ny ",
                           "-x",
                           "!x",
                           "~x",
                           "+x",
                           "- -x",
                           "x - -y",
                           "!!x",
                           "x ? y : x",
                           "x<y?x:y",
                           "x ? y ? x : y : y",
                           "x == y",
                           "x != y",
                           "x <= y",
                           "x >= y",
                           "x<<2",
                           "x>>y",
                           "x&y",
                           "x|y",
                           "x^y",
                           "x&&y",
                           "x||y",
                           "x%y",
                           "t_min(x,y)",
                           "t_max( x , 1 )",
                           "t_abs(x)",
                           "t_pow(x,y)",
                           "t_sqrt(x)",
                           "t_exp(x)",
                           "t_log(x)",
                           "t_floor(x)",
                           "t_ceil(x)",
                           "t_isnan(x)",
                           "t_tropical_plus(x,y)",
                           "t_tropical_plus_max(x,y)",
                           "t_make(x,y,1)",
                           "x.name",
                           "x.a_1",
                           "0x1F + x",
                           "1e-3 * x",
                           "2.5E+3*x",
                           ".5 + x",
                           "3. * x",
                           "true",
                           "x ? true : false",
                           "x < 0 ? -t_one : t_one",
                           "x < 3 ? t_inf : t_lowest",
                           "x || false",
                           "t_inf",
                           "t_lowest",
                           "t_one",
                           "t_zero",
                           "-t_inf",
                           "i < j",
                           "k",
                           "0 + x",
                           "1"})
    EXPECT_TRUE(parse(text).ok()) << text << ": " << parse(text).error;
}

TEST(Expression, RefusesWithThePlaceAndTheReason) {
  struct refusal {
    std::string text;
    std::size_t position;
    const char* reason;
  };
  for (const refusal& r :
       std::initializer_list<refusal>{{"", 0, "ends where an operand"},
                                      {"x +", 3, "ends where an operand"},
                                      {"x + * y", 4, "not an operand"},
                                      {"(x", 2, "expected ')'"},
                                      {"x)", 1, "does not belong"},
                                      {"x y", 2, "does not belong"},
                                      {"z + 1", 0, "unknown name"},
                                      {"x + sin(y)", 4, "unknown name"},
                                      {"x = y", 2, "does not belong"},
                                      {"x += y", 2, "may not assign"},
                                      {"x <<= y", 2, "may not assign"},
                                      {"x++", 1, "there is no -- or ++"},
                                      {"--x", 0, "there is no -- or ++"},
                                      {"x ? y", 5, "expected ':'"},
                                      {"1 ? x : y", 3, "decides nothing"},
                                      {"1 + 2", 2, "both sides are literals"},
                                      {"x ? 1 : 2.5", 3, "literals of different forms"},
                                      {"x ? true : 5", 3, "literals of different forms"},
                                      {"x ? t_one : 0", 3, "literals of different forms"},
                                      {"true + true", 5, "both sides are literals"},
                                      {"!true", 0, "needs an operand"},
                                      {"t_min(true, 5)", 0, "all arguments are literals"},
                                      {"t_min(x)", 0, "wrong number of arguments"},
                                      {"t_min(x, y, x)", 0, "wrong number of arguments"},
                                      {"t_abs(1)", 0, "all arguments are literals"},
                                      {"t_min x", 6, "expected '('"},
                                      {"t_min(x, y", 10, "expected ')'"},
                                      {"!1", 0, "needs an operand"},
                                      {"~2", 0, "needs an operand"},
                                      {"x + 010", 4, "octal"},
                                      {"x + 1f", 5, "suffixes"},
                                      {"x * 2.5f", 7, "suffixes"},
                                      {"x * 1e", 6, "not an exponent"},
                                      {"x * 0x", 6, "not a number"},
                                      {"x * .", 4, "not a number"},
                                      {"x.", 2, "name of a field"},
                                      {"x[0]", 1, "does not belong"},
                                      {"x; y", 1, "does not belong"},
                                      {"\"x\"", 0, "not an operand"},
                                      {"x, y", 1, "does not belong"},
                                      {"x // y", 3, "not an operand"}}) {
    const expression::tree tree = parse(r.text);
    ASSERT_FALSE(tree.ok()) << r.text;
    EXPECT_EQ(tree.error_position, r.position) << r.text << ": " << tree.error;
    EXPECT_NE(std::string(tree.error).find(r.reason), std::string::npos)
        << r.text << ": " << tree.error;
  }
}

TEST(Expression, HostileTextIsRefusedAndNeverOverflows) {
  EXPECT_FALSE(parse(std::string(3000, '(') + "x" + std::string(3000, ')')).ok());
  EXPECT_FALSE(parse(std::string(1000, '(')).ok());
  EXPECT_FALSE(parse(std::string(2000, '-') + "x").ok());
  EXPECT_FALSE(parse(std::string(2000, '!') + "x").ok());
  std::string chain = "x", choices;
  for (int n = 0; n < 200; ++n) chain += "+x", choices += "x?y:";
  EXPECT_FALSE(parse(chain).ok());
  EXPECT_FALSE(parse(choices + "x").ok());
  EXPECT_FALSE(parse(std::string(5000, ' ') + "x").ok());
  EXPECT_FALSE(parse(std::string("x + \0 y", 7)).ok());
  EXPECT_FALSE(parse("x + \xff").ok());
}

TEST(Expression, PrecedenceIsThatOfC) {
  const auto value = [](const char* text, std::int64_t x, std::int64_t y) {
    const auto& t = describe<std::int64_t>();
    const operator_description op = operator_from_text(text, t, t, t);
    std::int64_t z = 0;
    op({.z = &z, .x = &x, .y = &y, .count = 1});
    return z;
  };
  EXPECT_EQ(value("x + y * 2", 1, 3), 7);
  EXPECT_EQ(value("(x + y) * 2", 1, 3), 8);
  EXPECT_EQ(value("x - y - 1", 10, 3), 6);
  EXPECT_EQ(value("x / y / 2", 100, 5), 10);
  EXPECT_EQ(value("x << 1 + y", 1, 2), 8);
  EXPECT_EQ(value("x & y == y", 3, 1), 1 & 1);
  EXPECT_EQ(value("x | y & 1", 4, 3), 5);
  EXPECT_EQ(value("x ^ y | 8", 5, 1), 12);
  EXPECT_EQ(value("x < y < 2", 5, 9), 1);
  EXPECT_EQ(value("x || y && 0 * x", 1, 1), 1);
  EXPECT_EQ(value("x ? 1 : y ? 2 : 3", 0, 0), 3);
  EXPECT_EQ(value("-x * y", 2, 3), -6);
  EXPECT_EQ(value("!x + 1", 0, 0), 2);
  EXPECT_EQ(value("x % y * 2", 7, 4), 6);
  EXPECT_EQ(value("x >> 1 >> 1", 16, 0), 4);
}

// Wrong types: rejected when an operator is described for them, with a caret.
TEST(Typing, RefusesWhatDoesNotFit) {
  const auto& whole = describe<std::int32_t>();
  const auto& real = describe<double>();
  const auto& truth = describe<bool>();
  const auto refused = [](const char* text, const type_description& t, const char* reason) {
    const std::string message =
        message_of<expression_error>([&] { operator_from_text(text, t, t, t); });
    EXPECT_NE(message.find(reason), std::string::npos)
        << text << " over " << t.name << ": " << message;
    EXPECT_NE(message.find('^'), std::string::npos) << text << ": " << message;
  };
  refused("x % y", real, "takes integers");
  refused("x & y", real, "takes integers");
  refused("x << 1", real, "takes integers");
  refused("~x", real, "takes integers");
  refused("~x", truth, "write !");
  refused("t_sqrt(x)", whole, "takes fp32 or fp64");
  refused("x + 1.5", whole, "floating literal");
  refused("x.f", whole, "only records");
  refused("t_make(x, y)", whole, "t_make builds a record");
  refused("x + 99999999999999999999", whole, "64 bits");
  refused("x << 1.5", whole, "");
  refused("x +", whole, "ends where");
}

}  // namespace
}  // namespace tropic::testing
