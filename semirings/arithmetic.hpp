// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each word of the operator language does to values of one built-in type. The host functors
// (operand.hpp) and the evaluator (evaluate.hpp) both call these; the device prelude states the
// same rules in C. The rules, wherever C++ leaves a choice:
//   * integers wrap, in every width; shift counts are taken modulo the width;
//   * integer x / 0 is the type's largest value, its smallest for negative x, 0 for x == 0; x % 0
//     is 0; floating x / 0 is as in IEEE 754;
//   * t_min and t_max ignore NaN as fmin and fmax do;
//   * a floating value becomes an integer by truncation, saturated at the ends, NaN as 0;
//   * anything but zero is true, NaN too;
//   * arithmetic on two bools is done in int32; mixed operands meet in the wider type, in the
//     floating one if there is one, in the unsigned one at equal width, and a bool is converted to
//     the other operand's type. The result has thus one of the two types, as C++'s `?:` requires.

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tropic/semirings/types.hpp>

namespace tropic::arithmetic {

template <class T>
using promoted = std::conditional_t<std::is_same_v<T, bool>, std::int32_t, T>;

/// The code of the type in which two operands meet.
constexpr type_code meet(type_code a, type_code b) {
  if (a == b) return a == type_code::boolean ? type_code::int32 : a;
  if (a == type_code::boolean) return b;
  if (b == type_code::boolean) return a;
  if (a == type_code::fp64 || b == type_code::fp64) return type_code::fp64;
  if (a == type_code::fp32 || b == type_code::fp32) return type_code::fp32;
  const std::size_t size_a = describe(a).size, size_b = describe(b).size;
  if (size_a != size_b) return size_a > size_b ? a : b;
  return is_unsigned_integer(a) ? a : b;
}

namespace detail {
template <type_code Code>
constexpr auto type_behind() {
  if constexpr (Code == type_code::boolean) return std::type_identity<bool>{};
  if constexpr (Code == type_code::int8) return std::type_identity<std::int8_t>{};
  if constexpr (Code == type_code::int16) return std::type_identity<std::int16_t>{};
  if constexpr (Code == type_code::int32) return std::type_identity<std::int32_t>{};
  if constexpr (Code == type_code::int64) return std::type_identity<std::int64_t>{};
  if constexpr (Code == type_code::uint8) return std::type_identity<std::uint8_t>{};
  if constexpr (Code == type_code::uint16) return std::type_identity<std::uint16_t>{};
  if constexpr (Code == type_code::uint32) return std::type_identity<std::uint32_t>{};
  if constexpr (Code == type_code::uint64) return std::type_identity<std::uint64_t>{};
  if constexpr (Code == type_code::fp32) return std::type_identity<float>{};
  if constexpr (Code == type_code::fp64) return std::type_identity<double>{};
}
}  // namespace detail

template <type_code Code>
using type_behind = typename decltype(detail::type_behind<Code>())::type;
template <class A, class B>
using meeting_type = type_behind<meet(builtin_code<A>(), builtin_code<B>())>;

// Unsigned arithmetic wide enough that nothing is promoted to a signed int implicitly.
template <class T>
using wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class To, class From>
constexpr To convert(From v) {
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (std::is_same_v<To, bool>) {
    return v != From{};
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    // Powers of two, so both bounds are exact in From.
    constexpr From above = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From{2};
    constexpr From lowest = static_cast<From>(std::numeric_limits<To>::lowest());
    if (v >= above) return std::numeric_limits<To>::max();
    if (v <= lowest) return std::numeric_limits<To>::lowest();
    return v == v ? static_cast<To>(v) : To{0};
  } else {
    return static_cast<To>(v);
  }
}

template <class T>
constexpr T largest() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}
template <class T>
constexpr T smallest() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::lowest();
}

// Every function below takes promoted operands: T is never bool, except in comparisons.

template <class T>
constexpr T add(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
}
template <class T>
constexpr T subtract(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a - b;
  else
    return static_cast<T>(static_cast<wrapping<T>>(a) - static_cast<wrapping<T>>(b));
}
template <class T>
constexpr T multiply(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a * b;
  else
    return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
}
template <class T>
constexpr T negate(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return -a;
  else
    return subtract(T{0}, a);
}
template <class T>
constexpr T divide(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    if (b == 0) return a == 0 ? T{0} : a > 0 ? largest<T>() : smallest<T>();
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return negate(a);
    return static_cast<T>(a / b);
  }
}
template <class T>
constexpr T modulo(T a, T b) {
  static_assert(std::is_integral_v<T>, "tropic: % takes integers");
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return 0;
  return static_cast<T>(a % b);
}
template <class T, class C>
constexpr T shift_left(T a, C count) {
  return static_cast<T>(static_cast<wrapping<T>>(a)
                        << (static_cast<unsigned>(count) & (8 * sizeof(T) - 1)));
}
template <class T, class C>
constexpr T shift_right(T a, C count) {
  return static_cast<T>(a >> (static_cast<unsigned>(count) & (8 * sizeof(T) - 1)));
}
template <class T>
constexpr T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T least = b < a ? b : a;  // one instruction, which a NaN in b does not reach
    return a == a ? least : b;
  } else
    return b < a ? b : a;
}
template <class T>
constexpr T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T larger = a < b ? b : a;
    return a == a ? larger : b;
  } else
    return a < b ? b : a;
}
template <class T>
constexpr T absolute(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(a);
  else if constexpr (std::is_unsigned_v<T>)
    return a;
  else
    return a < 0 ? negate(a) : a;
}
template <class T>
constexpr T power(T base, T exponent) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(base, exponent);
  } else {
    if constexpr (std::is_signed_v<T>)
      if (exponent < 0) {  // 1 / base^n, truncated
        if (base == 0) return largest<T>();
        if (base == T(-1)) return exponent % 2 == 0 ? T(1) : T(-1);
        return static_cast<T>(base == 1);
      }
    T result = 1;
    for (T square = base; exponent != 0; exponent = static_cast<T>(exponent / 2)) {
      if (exponent % 2 != 0) result = multiply(result, square);
      square = multiply(square, square);
    }
    return result;
  }
}

/// The multiply of min_plus: an operand that is the identity of min (largest<T>()) gives it back;
/// other results are clamped below it, so that a long path is never mistaken for a missing one.
template <class T>
constexpr T tropical_plus(T a, T b) {
  constexpr T identity = largest<T>();
  if constexpr (std::is_floating_point_v<T>) {
    const T sum = a + b;
    if (sum < identity) [[likely]]
      return sum;
    if (a == identity || b == identity) return identity;
    return sum == sum ? std::numeric_limits<T>::max() : sum;
  } else {
    const T sum = add(a, b);
    if (a == identity || b == identity) return identity;
    if constexpr (std::is_unsigned_v<T>) {
      return sum < a || sum == identity ? static_cast<T>(identity - 1) : sum;
    } else {
      if (a >= 0 && b >= 0) return sum < 0 || sum == identity ? static_cast<T>(identity - 1) : sum;
      if (a < 0 && b < 0) return sum >= 0 ? smallest<T>() : sum;
      return sum;
    }
  }
}

/// The multiply of max_plus, mirrored. Unsigned max has identity 0, which absorbs nothing under
/// plus: there only the upper end saturates.
template <class T>
constexpr T tropical_plus_max(T a, T b) {
  constexpr T identity = smallest<T>();
  if constexpr (std::is_floating_point_v<T>) {
    const T sum = a + b;
    if (sum > identity) [[likely]]
      return sum;
    if (a == identity || b == identity) return identity;
    return sum == sum ? std::numeric_limits<T>::lowest() : sum;
  } else if constexpr (std::is_unsigned_v<T>) {
    const T sum = add(a, b);
    return sum < a ? largest<T>() : sum;
  } else {
    const T sum = add(a, b);
    if (a == identity || b == identity) return identity;
    if (a < 0 && b < 0) return sum >= 0 || sum == identity ? static_cast<T>(identity + 1) : sum;
    if (a >= 0 && b >= 0) return sum < 0 ? largest<T>() : sum;
    return sum;
  }
}

}  // namespace tropic::arithmetic
