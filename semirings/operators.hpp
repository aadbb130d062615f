// SPDX-License-Identifier: Apache-2.0
#pragma once

// The built-in operators. GraphBLAS names where GraphBLAS has one.

#include <tropic/semirings/operator.hpp>

namespace tropic {

TROPIC_BINARY_OPERATOR(plus, x + y);
TROPIC_BINARY_OPERATOR(minus, x - y);
TROPIC_BINARY_OPERATOR(times, x* y);
TROPIC_BINARY_OPERATOR(divide, x / y);
TROPIC_BINARY_OPERATOR(power, t_pow(x, y));
TROPIC_BINARY_OPERATOR(minimum, t_min(x, y));
TROPIC_BINARY_OPERATOR(maximum, t_max(x, y));
TROPIC_BINARY_OPERATOR(tropical_plus, t_tropical_plus(x, y));
TROPIC_BINARY_OPERATOR(tropical_plus_max, t_tropical_plus_max(x, y));
TROPIC_BINARY_OPERATOR(first, x);
TROPIC_BINARY_OPERATOR(second, y);
TROPIC_BINARY_OPERATOR(pair, t_one);
TROPIC_BINARY_OPERATOR(logical_or, x || y);
TROPIC_BINARY_OPERATOR(logical_and, x&& y);
TROPIC_BINARY_OPERATOR(logical_xor, !x != !y);
TROPIC_BINARY_OPERATOR(bit_or, x | y);
TROPIC_BINARY_OPERATOR(bit_and, x& y);
TROPIC_BINARY_OPERATOR(bit_xor, x ^ y);
TROPIC_BINARY_OPERATOR(equal, x == y);
TROPIC_BINARY_OPERATOR(not_equal, x != y);
TROPIC_BINARY_OPERATOR(less, x < y);
TROPIC_BINARY_OPERATOR(less_equal, x <= y);
TROPIC_BINARY_OPERATOR(greater, x > y);
TROPIC_BINARY_OPERATOR(greater_equal, x >= y);
/// `any` may return either operand; this implementation returns the first.
TROPIC_BINARY_OPERATOR(any, x);

// Positional: indices of A(i,k) * B(k,j). In an mxv or vxm both give the index that is summed over.
TROPIC_BINARY_OPERATOR(first_j, k);
TROPIC_BINARY_OPERATOR(second_i, k);

TROPIC_UNARY_OPERATOR(identity, x);
TROPIC_UNARY_OPERATOR(negate, -x);
TROPIC_UNARY_OPERATOR(absolute, t_abs(x));
TROPIC_UNARY_OPERATOR(reciprocal, 1 / x);
TROPIC_UNARY_OPERATOR(logical_not, !x);
TROPIC_UNARY_OPERATOR(square_root, t_sqrt(x));
TROPIC_UNARY_OPERATOR(one, t_one);
TROPIC_UNARY_OPERATOR(row_index, i);
TROPIC_UNARY_OPERATOR(column_index, j);

// Predicates for select, besides the comparisons bound by bind_second.
TROPIC_UNARY_OPERATOR(nonzero, x != 0);
TROPIC_UNARY_OPERATOR(lower_triangle, j <= i);
TROPIC_UNARY_OPERATOR(strictly_lower_triangle, j < i);
TROPIC_UNARY_OPERATOR(upper_triangle, j >= i);
TROPIC_UNARY_OPERATOR(strictly_upper_triangle, j > i);
TROPIC_UNARY_OPERATOR(diagonal, i == j);
TROPIC_UNARY_OPERATOR(off_diagonal, i != j);

// m(operator, type) for operators whose loops over arrays are in the library, since most programs
// use some of them.
#define TROPIC_DETAIL_FOR_EACH_LOOP(m, T)                                                 \
  m(plus, T) m(minus, T) m(times, T) m(divide, T) m(minimum, T) m(maximum, T) m(first, T) \
      m(second, T) m(pair, T) m(any, T) m(logical_or, T) m(logical_and, T) m(logical_xor, T)
#define TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, T) \
  TROPIC_DETAIL_FOR_EACH_LOOP(m, T) m(tropical_plus, T) m(tropical_plus_max, T)
#define TROPIC_DETAIL_FOR_EACH_COMPILED_LOOP(m)            \
  TROPIC_DETAIL_FOR_EACH_LOOP(m, bool)                     \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::int8_t)   \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::int16_t)  \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::int32_t)  \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::int64_t)  \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::uint8_t)  \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::uint16_t) \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::uint32_t) \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, std::uint64_t) \
  TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, float) TROPIC_DETAIL_FOR_EACH_LOOP_OF_NUMBERS(m, double)
namespace detail {
#define TROPIC_DETAIL_EXTERN_LOOP(op, T) extern template struct TROPIC_API bulk_loop<op, T, T, T>;
TROPIC_DETAIL_FOR_EACH_COMPILED_LOOP(TROPIC_DETAIL_EXTERN_LOOP)
#undef TROPIC_DETAIL_EXTERN_LOOP
}  // namespace detail

}  // namespace tropic
