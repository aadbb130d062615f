// SPDX-License-Identifier: Apache-2.0

// Operators run by blocks: records, scalar operands, results over their operands, and what the
// assembler leaves out. The language itself is compared in evaluator_test.cpp and
// evaluator_mixed_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <tropic/semirings/block_evaluator.hpp>
#include <tropic/semirings/from_text.hpp>

#include "support/values.hpp"

#include "evaluator_check.hpp"

TROPIC_VALUE_TYPE(block_padded, (std::int8_t, small), (double, big), (bool, flag));
TROPIC_VALUE_TYPE(block_wide, (std::uint64_t, a), (std::uint64_t, b), (std::uint64_t, c),
                  (std::uint64_t, d), (std::uint64_t, e), (std::uint64_t, f), (std::uint64_t, g),
                  (std::uint64_t, h));
TROPIC_BINARY_OPERATOR(block_mixed,
                       t_make(x.small + y.small, x.flag ? x.big : y.big, x.small > y.big));
TROPIC_BINARY_OPERATOR(block_smaller, x.big < y.big || (x.big == y.big && x.flag) ? x : y);
TROPIC_BINARY_OPERATOR(block_first, x);
TROPIC_BINARY_OPERATOR(block_rotated, t_make(x.b, x.c, x.d, x.e, x.f, x.g, x.h, y.a));
TROPIC_BINARY_OPERATOR(block_total, x.a + y.h);
TROPIC_BINARY_OPERATOR(block_field, y.flag);
TROPIC_BINARY_OPERATOR(block_limited, limit > 0 ? x : t_exp(y) + 1, (double, limit));
TROPIC_BINARY_OPERATOR(block_extended, t_make(x.small, x.big + y, y > 0));

namespace tropic::testing {
namespace {

template <class T>
const type_description& type() {
  return describe<T>();
}

// Numbers of entries around those of a block.
std::vector<std::size_t> counts_around(std::size_t block) {
  return {1, 2, block - 1, block, block + 1, 3 * block + 5};
}

std::vector<block_padded> padded_values(std::size_t count, int salt) {
  std::vector<block_padded> values;
  for (std::size_t n = 0; n < count; ++n) {
    const int v = static_cast<int>(n * 7 + static_cast<std::size_t>(salt)) % 23;
    values.push_back({static_cast<std::int8_t>(v * 11), v * 0.75 - 4, v % 3 == 0});
  }
  return values;
}

template <class Z, class A, class X, class Op>
void expect_records(const Op& op, const std::vector<A>& x, const std::vector<X>& y) {
  const operator_description description = describe_operator<Z, A, X>(op);
  const evaluator single(description);
  const block_evaluator blocks(description);
  for (const bool x_scalar : {false, true})
    for (const bool y_scalar : {false, true})
      for (const std::size_t count : counts_around(blocks.block())) {
        ASSERT_LE(count, x.size());
        const std::unique_ptr<Z[]> z(new Z[count]());  // a vector of bool has no array
        blocks({.z = z.get(),
                .x = x.data(),
                .y = y.data(),
                .count = count,
                .x_scalar = x_scalar,
                .y_scalar = y_scalar});
        for (std::size_t n = 0; n < count; ++n) {
          Z expected{};
          single(&expected, &x[x_scalar ? 0 : n], &y[y_scalar ? 0 : n]);
          ASSERT_TRUE(expected == z[n]) << Op::tropic_name << ", entry " << n << " of " << count;
        }
      }
}

TEST(BlockEvaluator, AgreesOnRecords) {
  const std::size_t count_limit = 3 * block_evaluator::largest_block + 5;
  const auto x = padded_values(count_limit, 1), y = padded_values(count_limit, 12);
  expect_records<block_padded>(block_mixed{}, x, y);
  expect_records<block_padded>(block_smaller{}, x, y);
  expect_records<block_padded>(block_first{}, x, y);
  expect_records<bool>(block_field{}, x, y);
  std::vector<float> numbers;
  std::vector<block_wide> wide;
  for (std::uint64_t n = 0; n < count_limit; ++n) {
    numbers.push_back(static_cast<float>(n % 9) - 4);
    wide.push_back({n, n + 1, n + 2, n * n, n ^ 5, 7, n << 40, ~n});
  }
  expect_records<block_padded>(block_extended{}, x, numbers);
  expect_records<block_wide>(block_rotated{}, wide, wide);
  expect_records<std::uint64_t>(block_total{}, wide, wide);
}

TEST(BlockEvaluator, WritesOverAnOperandOfAnySizeOfResult) {
  const std::size_t count = 2 * block_evaluator::largest_block + 3;
  for (const char* text : {"x - y", "x * y - x", "y", "x < y ? x + 1 : y", "7"}) {
    const operator_description op =
        operator_from_text(text, type<std::int32_t>(), type<std::int32_t>(), type<std::int32_t>());
    const evaluator single(op);
    for (const bool over_x : {true, false}) {
      std::vector<std::int32_t> x(count), y(count), expected(count);
      for (std::size_t n = 0; n < count; ++n) {
        x[n] = static_cast<std::int32_t>(n * 31 % 101) - 50;
        y[n] = static_cast<std::int32_t>(n * 17 % 103) - 50;
        single(&expected[n], &x[n], &y[n]);
      }
      std::vector<std::int32_t>& z = over_x ? x : y;
      op({.z = z.data(), .x = x.data(), .y = y.data(), .count = count});
      EXPECT_EQ(z, expected) << text;
    }
  }
  // A result of fewer bytes than the operand that it overwrites.
  std::vector<double> x(count);
  for (std::size_t n = 0; n < count; ++n) x[n] = static_cast<double>(n % 7);
  const operator_description narrow =
      operator_from_text("x < 3", type<double>(), type<double>(), type<bool>());
  narrow({.z = x.data(), .x = x.data(), .count = count});
  for (std::size_t n = 0; n < count; ++n)
    ASSERT_EQ(reinterpret_cast<const unsigned char*>(x.data())[n], n % 7 < 3) << n;
}

TEST(BlockEvaluator, ReadsElementZeroOfAScalarSide) {
  const std::size_t count = block_evaluator::largest_block + 9;
  const operator_description op = operator_from_text("x * 1000 + y", type<std::int64_t>(),
                                                     type<std::int16_t>(), type<std::int64_t>());
  std::vector<std::int64_t> x(count), z(count);
  std::vector<std::int16_t> y(count);
  for (std::size_t n = 0; n < count; ++n) {
    x[n] = static_cast<std::int64_t>(n) + 2;
    y[n] = static_cast<std::int16_t>(n + 5);
  }
  op({.z = z.data(), .x = x.data(), .y = y.data(), .count = count, .x_scalar = true});
  for (std::size_t n = 0; n < count; ++n) ASSERT_EQ(z[n], 2000 + y[n]);
  op({.z = z.data(), .x = x.data(), .y = y.data(), .count = count, .y_scalar = true});
  for (std::size_t n = 0; n < count; ++n) ASSERT_EQ(z[n], x[n] * 1000 + 5);
}

std::size_t steps_of(const char* text) {
  return block_evaluator(operator_from_text(text, type<double>(), type<double>(), type<double>()))
      .steps();
}

TEST(BlockEvaluator, ComputesEqualPartsOnceAndConstantsBefore) {
  EXPECT_EQ(steps_of("x + y"), 1u);
  EXPECT_EQ(steps_of("t_sqrt(x * x + y * y)"), 4u);
  EXPECT_EQ(steps_of("(x - y) * (x - y)"), 2u);
  EXPECT_EQ(steps_of("x * y + x * y"), 2u);
  EXPECT_EQ(steps_of("x < y ? x : y"), 1u);
  EXPECT_EQ(steps_of("-t_inf"), 0u);
  EXPECT_EQ(steps_of("x + -t_one"), 1u);
  EXPECT_EQ(steps_of("x"), 0u);
  EXPECT_EQ(steps_of("x < t_exp(y) ? x * 2 : x * 2"), 1u);
  // What only the branch that is not taken needs is not computed.
  const auto chosen = [](double limit) {
    return block_evaluator(describe_operator<double, double, double>(block_limited{limit})).steps();
  };
  EXPECT_EQ(chosen(1), 0u);
  EXPECT_EQ(chosen(-1), 2u);
}

TEST(BlockEvaluator, TakesSmallerBlocksForLargeExpressions) {
  // All of them live until the end: each x + n is used again after the last one.
  std::string text = "x";
  for (int n = 0; n < 20; ++n) text = "t_max(x * " + std::to_string(n) + ", " + text + ")";
  const operator_description op =
      operator_from_text(text, type<float>(), type<float>(), type<float>());
  const block_evaluator blocks(op);
  EXPECT_LT(blocks.block(), block_evaluator::largest_block);
  EXPECT_GE(blocks.block(), 8u);
  const evaluator single(op);
  const std::size_t count = 2 * blocks.block() + 1;
  std::vector<float> x(count), z(count);
  for (std::size_t n = 0; n < count; ++n) x[n] = static_cast<float>(n % 29) - 11.5F;
  blocks({.z = z.data(), .x = x.data(), .count = count});
  for (std::size_t n = 0; n < count; ++n) {
    float expected = 0;
    single(&expected, &x[n], nullptr);
    ASSERT_TRUE(same_bits(expected, z[n])) << n;
  }
}

}  // namespace
}  // namespace tropic::testing
