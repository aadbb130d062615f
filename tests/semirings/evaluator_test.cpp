// SPDX-License-Identifier: Apache-2.0

// Every built-in operator over every type that it supports: the compiled functor and the evaluator
// give identical bits.

#include <gtest/gtest.h>

#include "evaluator_check.hpp"

namespace tropic::testing {
namespace {

template <class T>
void check_all() {
#define SAME(op) expect_functor_is_evaluator<T, T, T>(op{})
  SAME(plus);
  SAME(minus);
  SAME(times);
  SAME(divide);
  SAME(power);
  SAME(minimum);
  SAME(maximum);
  SAME(tropical_plus);
  SAME(tropical_plus_max);
  SAME(first);
  SAME(second);
  SAME(pair);
  SAME(logical_or);
  SAME(logical_and);
  SAME(logical_xor);
  SAME(equal);
  SAME(not_equal);
  SAME(less);
  SAME(less_equal);
  SAME(greater);
  SAME(greater_equal);
  SAME(any);
  SAME(identity);
  SAME(negate);
  SAME(absolute);
  SAME(reciprocal);
  SAME(logical_not);
  SAME(one);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    SAME(bit_or);
    SAME(bit_and);
    SAME(bit_xor);
  }
  if constexpr (std::is_floating_point_v<T>) SAME(square_root);
#undef SAME
#define TO(Z, op) expect_functor_is_evaluator<Z, T, T>(op{})
  TO(bool, equal);
  TO(bool, not_equal);
  TO(bool, less);
  TO(bool, less_equal);
  TO(bool, greater);
  TO(bool, greater_equal);
  TO(bool, logical_or);
  TO(bool, logical_and);
  TO(bool, logical_xor);
  TO(bool, nonzero);
  TO(bool, lower_triangle);
  TO(bool, strictly_lower_triangle);
  TO(bool, upper_triangle);
  TO(bool, strictly_upper_triangle);
  TO(bool, diagonal);
  TO(bool, off_diagonal);
  TO(index_t, first_j);
  TO(index_t, second_i);
  TO(index_t, row_index);
  TO(index_t, column_index);
  TO(std::int32_t, row_index);
  TO(double, column_index);
#undef TO
}

#define CHECK(T)                                            \
  TEST(Evaluator, AgreesWithTheCompiledOperatorsOver_##T) { \
    check_all<T>();                                         \
  }
using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
CHECK(bool)
CHECK(int8)
CHECK(int16)
CHECK(int32)
CHECK(int64)
CHECK(uint8)
CHECK(uint16)
CHECK(uint32)
CHECK(uint64)
CHECK(float)
CHECK(double)
#undef CHECK

}  // namespace
}  // namespace tropic::testing
