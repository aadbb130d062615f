// SPDX-License-Identifier: Apache-2.0

// Operands of different types, and expressions that use the whole language: functor and evaluator
// must agree on common types and conversions.

#include <gtest/gtest.h>

#include "support/values.hpp"

#include "evaluator_check.hpp"

TROPIC_BINARY_OPERATOR(mixed_conditional, x < y ? x : y * 2);
TROPIC_BINARY_OPERATOR(mixed_arithmetic, (x + y) * x - y / 3);
TROPIC_BINARY_OPERATOR(mixed_calls, t_min(t_abs(x), t_max(y, 5)) + t_pow(x, 2));
TROPIC_BINARY_OPERATOR(mixed_logic, (x > 0 && y <= 1) || !x ? t_one : x - y);
TROPIC_BINARY_OPERATOR(logic_of_words, (x && t_one) + (t_zero || y) + (x && true) + (0 || y));
TROPIC_BINARY_OPERATOR(words_meet, x == t_inf ? t_lowest : t_isnan(y) ? -t_one : x);
TROPIC_BINARY_OPERATOR(mixed_positions, i < j ? x + k : y - j);
TROPIC_BINARY_OPERATOR(truths, x > y ? true : x == y);
TROPIC_BINARY_OPERATOR(truth_or_value, (x > y ? true : x) + (x < y ? y : x == y) + true);
TROPIC_BINARY_OPERATOR(sum_of_choices, (x < y ? x : y) + (y ? x < 1 : y) * 100);
TROPIC_BINARY_OPERATOR(minus_true, x - -true);
TROPIC_BINARY_OPERATOR(sign, x < 0 ? -t_one : x == 0 ? t_zero : t_one);
TROPIC_BINARY_OPERATOR(truth, x < y ? true : false);
TROPIC_BINARY_OPERATOR(many_bits, (((x << 3) ^ (y >> 2)) | (~x & 0x1f)) % 7 + (x << y));
TROPIC_BINARY_OPERATOR(real_functions,
                       t_floor(x) + t_ceil(y) * t_exp(-t_abs(x)) + t_log(t_sqrt(y)));
TROPIC_BINARY_OPERATOR(damped, d* x + (n - y) * scale, (double, d), (std::int16_t, n),
                       (float, scale));
// Parameters that hide the positions of the same names; j is still a position.
TROPIC_UNARY_OPERATOR(below, x < k, (std::int64_t, k));
TROPIC_BINARY_OPERATOR(hides, k* x + i * y - j, (double, k), (std::int32_t, i));
TROPIC_BINARY_OPERATOR(hides_all, i - j + x * k, (float, i), (std::uint8_t, j), (bool, k));
TROPIC_BINARY_OPERATOR(literals, x * 0x10 + 100 - y * 1);
TROPIC_BINARY_OPERATOR(real_literals, x * 2.5e-1 + .5 - 3. * y);
TROPIC_BINARY_OPERATOR(nested_choice, x < 1 ? y < 1 ? 1 : 2 : y < 1 ? 3 : 4);

namespace tropic::testing {
namespace {

template <class A, class X>
void check_pair() {
  using Met = arithmetic::meeting_type<A, X>;
  expect_functor_is_evaluator<Met, A, X>(plus{});
  expect_functor_is_evaluator<Met, A, X>(minimum{});
  expect_functor_is_evaluator<bool, A, X>(less{});
  expect_functor_is_evaluator<A, A, X>(times{});
  expect_functor_is_evaluator<X, A, X>(first{});
  // Results wider than the common type of the branches, so that a wrong common type is detected.
  expect_functor_is_evaluator<Met, A, X>(mixed_conditional{});
  expect_functor_is_evaluator<double, A, X>(mixed_conditional{});
  expect_functor_is_evaluator<std::int64_t, A, X>(truth_or_value{});
  expect_functor_is_evaluator<std::int64_t, A, X>(sum_of_choices{});
}

template <class A>
void check_with_all() {
#define WITH(X) check_pair<A, X>();
  TROPIC_FOR_EACH_VALUE_TYPE(WITH)
#undef WITH
}

TEST(Evaluator, AgreesOnOperandsOfTwoTypesSigned) {
  check_with_all<bool>();
  check_with_all<std::int8_t>();
  check_with_all<std::int16_t>();
  check_with_all<std::int32_t>();
  check_with_all<std::int64_t>();
}
TEST(Evaluator, AgreesOnOperandsOfTwoTypesUnsigned) {
  check_with_all<std::uint8_t>();
  check_with_all<std::uint16_t>();
  check_with_all<std::uint32_t>();
  check_with_all<std::uint64_t>();
}
TEST(Evaluator, AgreesOnOperandsOfTwoTypesFloating) {
  check_with_all<float>();
  check_with_all<double>();
}

template <class T>
void check_language() {
  expect_functor_is_evaluator<T, T, T>(mixed_conditional{});
  expect_functor_is_evaluator<T, T, T>(mixed_arithmetic{});
  expect_functor_is_evaluator<T, T, T>(mixed_calls{});
  expect_functor_is_evaluator<T, T, T>(mixed_logic{});
  expect_functor_is_evaluator<T, T, T>(logic_of_words{});
  expect_functor_is_evaluator<T, T, T>(words_meet{});
  expect_functor_is_evaluator<T, T, T>(mixed_positions{});
  expect_functor_is_evaluator<T, T, T>(truths{});
  expect_functor_is_evaluator<T, T, T>(truth_or_value{});
  expect_functor_is_evaluator<double, T, T>(minus_true{});
  expect_functor_is_evaluator<T, T, T>(sign{});
  expect_functor_is_evaluator<double, T, T>(sign{});
  expect_functor_is_evaluator<T, T, T>(truth{});
  expect_functor_is_evaluator<T, T, T>(literals{});
  expect_functor_is_evaluator<T, T, T>(nested_choice{});
  expect_functor_is_evaluator<T, T, T>(damped{0.85, -3, 1.5f});
  expect_functor_is_evaluator<bool, T, T>(below{2});
  expect_functor_is_evaluator<double, T, T>(hides{0.5, 1000});
  expect_functor_is_evaluator<double, T, T>(hides_all{3.5f, 7, true});
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    expect_functor_is_evaluator<T, T, T>(many_bits{});
  if constexpr (std::is_floating_point_v<T>) {
    expect_functor_is_evaluator<T, T, T>(real_functions{});
    expect_functor_is_evaluator<T, T, T>(real_literals{});
  }
}

TEST(Evaluator, AgreesOnTheWholeLanguage) {
#define LANGUAGE(T) check_language<T>();
  TROPIC_FOR_EACH_VALUE_TYPE(LANGUAGE)
#undef LANGUAGE
}

TEST(Parameters, ArePassedAsValuesAndNeverAsText) {
  const operator_description slow = describe_operator<double, double, double>(damped{0.5, 0, 0});
  const operator_description fast = describe_operator<double, double, double>(damped{2.0, 0, 0});
  EXPECT_EQ(slow.text, fast.text);
  ASSERT_EQ(slow.parameters.size(), 3u);
  EXPECT_EQ(slow.parameters[0].name, "d");
  EXPECT_EQ(slow.parameters[1].code, type_code::int16);
  EXPECT_EQ(slow.parameters[2].offset, offsetof(damped, scale));
  const double x = 8, y = 0;
  double half = 0, twice = 0;
  evaluator{slow}(&half, &x, &y);
  evaluator{fast}(&twice, &x, &y);
  EXPECT_EQ(half, 4.0);
  EXPECT_EQ(twice, 16.0);
  semiring_description a, b;
  a.add = b.add = describe_monoid<plus_monoid<double>>();
  a.multiply = slow;
  b.multiply = fast;
  EXPECT_EQ(hash_of(a), hash_of(b));
}

TEST(Parameters, HideThePositionsOfTheirNames) {
  EXPECT_FALSE(below::tropic_syntax.positional());
  EXPECT_TRUE(hides::tropic_syntax.uses_j);
  EXPECT_FALSE(hides::tropic_syntax.uses_i || hides::tropic_syntax.uses_k);
  EXPECT_FALSE(hides_all::tropic_syntax.positional());
  // Positions that are visible in the result: 100, 200 and 3.
  EXPECT_TRUE((below{2}.evaluate<bool>(std::int64_t{1}, std::int64_t{0}, 100, 0, 3)));
  EXPECT_EQ((hides{0.5, 10}.evaluate<double>(4.0, 2.0, 100, 200, 3)), 0.5 * 4 + 10 * 2 - 3);
  const evaluator run(describe_operator<double, double, double>(hides{0.5, 10}));
  const double x = 4, y = 2;
  double z = 0;
  run(&z, &x, &y, 100, 200, 3);
  EXPECT_EQ(z, 19);
}

TEST(Parameters, AreReadAndChangedAsNumbers) {
  damped op{.d = 0.5, .n = 2, .scale = 3};
  op.d += 1;
  op.n = static_cast<std::int16_t>(op.n * 2);
  EXPECT_EQ(op.d, 1.5);
  EXPECT_EQ(op.n, 4);
  EXPECT_EQ(op.evaluate<double>(2.0, 1.0), 1.5 * 2 + (4 - 1) * 3);
  const std::int64_t large = 40000;
  EXPECT_THROW(static_cast<void>(damped{0, large, 0}), std::out_of_range);
  EXPECT_THROW(static_cast<void>(hides_all{0, -static_cast<int>(large), true}), std::out_of_range);
}

TEST(Bulk, ReadsElementZeroOfAScalarSideAndMayWriteOverItsInput) {
  const operator_description op = describe_operator<int, int, int>(minus{});
  int x[4] = {10, 20, 30, 40};
  const int y[4] = {1, 2, 3, 4};
  op({.z = x, .x = x, .y = y, .count = 4});
  EXPECT_EQ(x[0], 9);
  EXPECT_EQ(x[3], 36);
  op({.z = x, .x = x, .y = y, .count = 4, .y_scalar = true});
  EXPECT_EQ(x[3], 35);
  const operator_description text =
      operator_from_text("x - y", describe<int>(), describe<int>(), describe<int>());
  text({.z = x, .x = y, .y = x, .count = 4, .x_scalar = true});
  EXPECT_EQ(x[0], 1 - 8);
  EXPECT_EQ(x[3], 1 - 35);
}

}  // namespace
}  // namespace tropic::testing
