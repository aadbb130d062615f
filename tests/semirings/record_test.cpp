// SPDX-License-Identifier: Apache-2.0

// Records: their run-time description, operators on their fields, and functor against evaluator.

#include <gtest/gtest.h>

#include <tropic/semirings/evaluate.hpp>

#include "support/messages.hpp"
#include "support/values.hpp"

TROPIC_VALUE_TYPE(path_step, (float, length), (std::int32_t, hops));
TROPIC_VALUE_TYPE(padded, (std::int8_t, small), (double, big), (bool, flag));
TROPIC_VALUE_TYPE(full_house, (std::uint64_t, a), (std::uint64_t, b), (std::uint64_t, c),
                  (std::uint64_t, d), (std::uint64_t, e), (std::uint64_t, f), (std::uint64_t, g),
                  (std::uint64_t, h));

TROPIC_BINARY_OPERATOR(shorter,
                       x.length < y.length || (x.length == y.length && x.hops <= y.hops) ? x : y);
TROPIC_BINARY_OPERATOR(extend, t_make(x.length + y.length, x.hops + y.hops));
TROPIC_BINARY_OPERATOR(lengthen, t_make(x.length + y, x.hops + 1));
TROPIC_BINARY_OPERATOR(mixed_fields,
                       t_make(x.small + y.small, x.flag ? x.big : y.big, x.small > y.big));
TROPIC_BINARY_OPERATOR(total, x.a + y.h);
TROPIC_BINARY_OPERATOR(rotated, t_make(x.b, x.c, x.d, x.e, x.f, x.g, x.h, y.a));
TROPIC_MONOID(shorter_monoid, shorter, t_make(t_inf, t_inf), .idempotent = true);

namespace tropic::testing {
namespace {

template <class Z, class A, class X, class Op>
void expect_same(const Op& op, const A& x, const X& y) {
  const Z compiled = op.template evaluate<Z>(x, y);
  Z evaluated{};
  evaluator{describe_operator<Z, A, X>(op)}(&evaluated, &x, &y);
  EXPECT_TRUE(compiled == evaluated) << Op::tropic_name;
}

TEST(Record, DescribesItsFields) {
  const type_description& t = describe<padded>();
  EXPECT_EQ(t.code, type_code::record);
  EXPECT_EQ(t.name, "padded");
  EXPECT_EQ(t.size, sizeof(padded));
  EXPECT_EQ(t.alignment, alignof(padded));
  ASSERT_EQ(t.fields.size(), 3u);
  EXPECT_EQ(t.fields[1].name, "big");
  EXPECT_EQ(t.fields[1].code, type_code::fp64);
  EXPECT_EQ(t.fields[1].offset, offsetof(padded, big));
  EXPECT_EQ(t.fields[2].offset, offsetof(padded, flag));
  EXPECT_TRUE(describe<padded>() == describe<padded>());
  EXPECT_FALSE(describe<padded>() == describe<path_step>());
  static_assert(value_type<path_step> && !builtin_value_type<path_step>);
}

TEST(Record, OperatorsAgreeWithTheEvaluator) {
  std::vector<path_step> steps;
  for (const float length : adversarial_values<float>())
    if (length == length)
      for (const std::int32_t hops : adversarial_values<std::int32_t>())
        steps.push_back({length, hops});
  for (std::size_t n = 0; n < steps.size(); n += 7)
    for (std::size_t m = 0; m < steps.size(); m += 5) {
      expect_same<path_step>(shorter{}, steps[n], steps[m]);
      // inf - inf is NaN, which no record equals.
      if (std::isinf(steps[n].length) && std::isinf(steps[m].length)) continue;
      expect_same<path_step>(lengthen{}, steps[n], steps[m].length);
      expect_same<path_step>(extend{}, steps[n], steps[m]);
    }
  expect_same<padded>(mixed_fields{}, padded{100, 2.5, true}, padded{100, -1, false});
  expect_same<padded>(mixed_fields{}, padded{-3, 2.5, false}, padded{7, 1e300, true});
  const full_house one{1, 2, 3, 4, 5, 6, 7, 8}, two{10, 20, 30, 40, 50, 60, 70, 80};
  expect_same<std::uint64_t>(total{}, one, two);
  expect_same<full_house>(rotated{}, one, two);
  EXPECT_EQ(rotated{}.evaluate<full_house>(one, two).h, 10u);
}

TEST(Record, MonoidsOfRecordsHaveTheirIdentity) {
  const path_step none = shorter_monoid<path_step>::identity();
  EXPECT_EQ(none.length, std::numeric_limits<float>::infinity());
  EXPECT_EQ(none.hops, std::numeric_limits<std::int32_t>::max());
  const path_step some{3, 4};
  EXPECT_TRUE(shorter{}.evaluate<path_step>(none, some) == some);
  EXPECT_TRUE(shorter{}.evaluate<path_step>(some, none) == some);
  EXPECT_EQ(terminal_of<shorter_monoid<path_step>>(), terminal::none);
  EXPECT_TRUE(describe_monoid<shorter_monoid<path_step>>().identity.as<path_step>() == none);
}

TEST(Record, TextOperatorsSeeTheFields) {
  const operator_description op =
      operator_from_text("t_make(t_min(x.length, y.length), x.hops + y.hops)",
                         describe<path_step>(), describe<path_step>(), describe<path_step>());
  const path_step x{2, 3}, y{1, 4};
  path_step z{};
  op({.z = &z, .x = &x, .y = &y, .count = 1});
  EXPECT_TRUE((z == path_step{1, 7}));
}

TEST(Record, WhatDoesNotFitIsRefused) {
  const auto refused = [](const char* text, const type_description& z, const char* reason) {
    const auto& t = describe<path_step>();
    const std::string message =
        message_of<expression_error>([&] { operator_from_text(text, t, t, z); });
    EXPECT_NE(message.find(reason), std::string::npos) << text << ": " << message;
  };
  const auto &record = describe<path_step>(), &real = describe<float>();
  refused("x.weight", real, "no such field");
  refused("x + y", record, "fields only");
  refused("x", real, "yields path_step");
  refused("x.length", record, "yields fp32");
  refused("t_make(x.length)", record, "one value for each field");
  refused("t_make(x.length, x.hops, 1)", record, "one value for each field");
  refused("1", record, "not a value of the record");
  refused("x ? x : y", record, "fields only");
  refused("x.length.hops", real, "only records");
  refused("!x", real, "fields only");
}

}  // namespace
}  // namespace tropic::testing
