// SPDX-License-Identifier: Apache-2.0

// JSON from our writer, read by nlohmann's parser.

#include "explain/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace tropic::detail {
namespace {

TEST(PlanJson, ObjectsAndListsNest) {
  json_builder inner = json_builder::list();
  inner.add(1).add(-2.5).add("three").add(true).add(json_builder::object());
  json_builder outer = json_builder::object();
  outer.add("list", inner).add("empty", json_builder::list()).add("last", std::string("end"));
  EXPECT_EQ(outer.text(), R"({"list": [1, -2.5, "three", true, {}], "empty": [], "last": "end"})");
  EXPECT_TRUE(nlohmann::json::accept(outer.text()));
}

TEST(PlanJson, NumbersReadBackAsTheyWere) {
  for (const double value : {0.0, 1.0, -3.0, 0.1, 1e300, 5e-324, 1.0 / 3, 123456789.125}) {
    const auto parsed = nlohmann::json::parse(json_number(value));
    EXPECT_TRUE(parsed.is_number_float()) << json_number(value);
    EXPECT_EQ(parsed.get<double>(), value);
  }
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_number(std::nan("")), "null");
}

TEST(PlanJson, TextReadsBackAsItWas) {
  for (const std::string text :
       {"", "plain", "\"quoted\" \\ back", "two\nlines\ttab\x01", "\u00e4\u20ac\U0001f600"})
    EXPECT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), text);
}

TEST(PlanJson, WhatIsNoUtf8IsReplaced) {
  const std::string replaced = "\xef\xbf\xbd";
  const std::pair<std::string, std::string> all[] = {
      {"a\xff"
       "b",
       "a" + replaced + "b"},
      {"\xc3", replaced},                                               // truncated
      {"\xc0\xaf", replaced + replaced},                                // overlong
      {"\xe0\x80\xaf", replaced + replaced + replaced},                 // overlong
      {"\xed\xa0\x80", replaced + replaced + replaced},                 // a surrogate
      {"\xf4\x90\x80\x80", replaced + replaced + replaced + replaced},  // past U+10FFFF
      {"\xe2\x82"
       "x",
       replaced + replaced + "x"},
  };
  for (const auto& [text, expected] : all)
    EXPECT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), expected);
}

}  // namespace
}  // namespace tropic::detail
