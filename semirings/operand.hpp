// SPDX-License-Identifier: Apache-2.0
#pragma once

// Host operands: what `x` and `y` are inside an operator's expression. Wrapping a value in
// `operand<T>` gives the expression the language's meaning (arithmetic.hpp) instead of C++'s
// promotions and undefined overflow; after inlining nothing of the wrapper is left.

#include <tuple>
#include <type_traits>

#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic {

/// A value of built-in type T inside an operator's expression. Records specialise it with their
/// fields as operands (record.hpp).
template <class T>
struct operand;

namespace words {

// t_inf and the like are of one type, so that ?: takes them side by side; they become values where
// an operand or the result gives them a type.
struct word {
  enum class kind { infinity, lowest, one, zero } means;
  bool negated = false;
};
template <class... Fields>
struct record_parts {
  std::tuple<Fields...> fields;
};

inline constexpr word t_inf{word::kind::infinity};
inline constexpr word t_lowest{word::kind::lowest};
inline constexpr word t_one{word::kind::one};
inline constexpr word t_zero{word::kind::zero};

constexpr word operator-(word w) {
  return {w.means, !w.negated};
}

}  // namespace words

namespace detail {
template <class T>
inline constexpr bool is_operand = false;
template <class T>
inline constexpr bool is_operand<operand<T>> = true;

// true and false are literals too: 1 and 0 of the operand beside them.
template <class L>
concept literal = std::is_arithmetic_v<L>;
template <class T, class L>
concept literal_of = literal<L> && (std::is_floating_point_v<T> || std::is_integral_v<L>);
template <class L>
concept untyped = literal<L> || std::is_same_v<L, words::word>;

template <class T>
constexpr T word_value(words::word w) {
  T value{};
  if (w.means == words::word::kind::infinity) value = arithmetic::largest<T>();
  if (w.means == words::word::kind::lowest) value = arithmetic::smallest<T>();
  if (w.means == words::word::kind::one) value = T{1};
  if (!w.negated) return value;
  return arithmetic::convert<T>(
      arithmetic::negate(arithmetic::convert<arithmetic::promoted<T>>(value)));
}
}  // namespace detail

template <class T>
struct operand {
  static_assert(builtin_value_type<T>, "tropic: records are declared by TROPIC_VALUE_TYPE");
  T value{};

  constexpr operand() = default;
  constexpr explicit operand(T v) : value(v) {}
  template <detail::literal L>
    requires(detail::literal_of<T, L>)
  constexpr operand(L literal) : value(static_cast<T>(literal)) {}
  constexpr operand(words::word word) : value(detail::word_value<T>(word)) {}
  // Implicit one way only, so that the branches of ?: know where to meet.
  template <class U>
    requires(!std::is_same_v<T, U> && builtin_value_type<U> &&
             std::is_same_v<arithmetic::meeting_type<T, U>, T>)
  constexpr operand(operand<U> other) : value(arithmetic::convert<T>(other.value)) {}

  constexpr explicit operator bool() const { return arithmetic::convert<bool>(value); }
};

namespace detail {

// The common operand type of an expression's two sides; at least one is an operand.
template <class P, class Q>
struct meeting;
template <class T, class U>
struct meeting<operand<T>, operand<U>> {
  using type = arithmetic::meeting_type<T, U>;
};
template <class T, untyped L>
struct meeting<operand<T>, L> {
  using type = arithmetic::promoted<T>;
};
template <class T, untyped L>
struct meeting<L, operand<T>> {
  using type = arithmetic::promoted<T>;
};

template <class P, class Q>
concept operands = (is_operand<P> || is_operand<Q>)&&requires { typename meeting<P, Q>::type; };

template <class T, class P>
constexpr T at(P p) {
  if constexpr (is_operand<P>)
    return arithmetic::convert<T>(p.value);
  else
    return operand<T>(p).value;
}

template <class P, class Q, class Side>
constexpr bool is_true(Side side) {
  return arithmetic::convert<bool>(at<typename meeting<P, Q>::type>(side));
}

template <class C>
constexpr index_t count_of(C count) {
  if constexpr (is_operand<C>)
    return arithmetic::convert<index_t>(count.value);
  else
    return static_cast<index_t>(count);
}

}  // namespace detail

#define TROPIC_DETAIL_ARITHMETIC(sign, rule)                                 \
  template <class P, class Q>                                                \
    requires(detail::operands<P, Q>)                                         \
  constexpr auto operator sign(P p, Q q) {                                   \
    using T = typename detail::meeting<P, Q>::type;                          \
    return operand<T>(arithmetic::rule(detail::at<T>(p), detail::at<T>(q))); \
  }
TROPIC_DETAIL_ARITHMETIC(+, add)
TROPIC_DETAIL_ARITHMETIC(-, subtract)
TROPIC_DETAIL_ARITHMETIC(*, multiply)
TROPIC_DETAIL_ARITHMETIC(/, divide)
TROPIC_DETAIL_ARITHMETIC(%, modulo)
#undef TROPIC_DETAIL_ARITHMETIC

#define TROPIC_DETAIL_BITS(sign)                                                 \
  template <class P, class Q>                                                    \
    requires(detail::operands<P, Q>)                                             \
  constexpr auto operator sign(P p, Q q) {                                       \
    using T = typename detail::meeting<P, Q>::type;                              \
    static_assert(std::is_integral_v<T>, "tropic: bit operators take integers"); \
    return operand<T>(static_cast<T>(detail::at<T>(p) sign detail::at<T>(q)));   \
  }
TROPIC_DETAIL_BITS(&)
TROPIC_DETAIL_BITS(|)
TROPIC_DETAIL_BITS(^)
#undef TROPIC_DETAIL_BITS

#define TROPIC_DETAIL_COMPARISON(sign)                            \
  template <class P, class Q>                                     \
    requires(detail::operands<P, Q>)                              \
  constexpr operand<bool> operator sign(P p, Q q) {               \
    using T = typename detail::meeting<P, Q>::type;               \
    return operand<bool>(detail::at<T>(p) sign detail::at<T>(q)); \
  }
TROPIC_DETAIL_COMPARISON(==)
TROPIC_DETAIL_COMPARISON(!=)
TROPIC_DETAIL_COMPARISON(<)
TROPIC_DETAIL_COMPARISON(<=)
TROPIC_DETAIL_COMPARISON(>)
TROPIC_DETAIL_COMPARISON(>=)
#undef TROPIC_DETAIL_COMPARISON

template <class P, class Q>
  requires(detail::operands<P, Q>)
constexpr operand<bool> operator&&(P p, Q q) {
  return operand<bool>(detail::is_true<P, Q>(p) && detail::is_true<P, Q>(q));
}
template <class P, class Q>
  requires(detail::operands<P, Q>)
constexpr operand<bool> operator||(P p, Q q) {
  return operand<bool>(detail::is_true<P, Q>(p) || detail::is_true<P, Q>(q));
}
template <class T>
constexpr operand<bool> operator!(operand<T> a) {
  return operand<bool>(!static_cast<bool>(a));
}
template <class T>
constexpr auto operator-(operand<T> a) {
  using P = arithmetic::promoted<T>;
  return operand<P>(arithmetic::negate(static_cast<P>(a.value)));
}
template <class T>
constexpr operand<T> operator~(operand<T> a) {
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "tropic: ~ takes integers");
  return operand<T>(static_cast<T>(~a.value));
}
template <class T, class C>
  requires(detail::is_operand<C> || std::is_integral_v<C>)
constexpr auto operator<<(operand<T> a, C count) {
  using P = arithmetic::promoted<T>;
  static_assert(std::is_integral_v<P>, "tropic: << takes integers");
  return operand<P>(arithmetic::shift_left(static_cast<P>(a.value), detail::count_of(count)));
}
template <class T, class C>
  requires(detail::is_operand<C> || std::is_integral_v<C>)
constexpr auto operator>>(operand<T> a, C count) {
  using P = arithmetic::promoted<T>;
  static_assert(std::is_integral_v<P>, "tropic: >> takes integers");
  return operand<P>(arithmetic::shift_right(static_cast<P>(a.value), detail::count_of(count)));
}

namespace words {

#define TROPIC_DETAIL_TWO(name, rule)                                                        \
  template <class P, class Q>                                                                \
    requires(tropic::detail::operands<P, Q>)                                                 \
  constexpr auto name(P p, Q q) {                                                            \
    using T = typename tropic::detail::meeting<P, Q>::type;                                  \
    return operand<T>(arithmetic::rule(tropic::detail::at<T>(p), tropic::detail::at<T>(q))); \
  }
TROPIC_DETAIL_TWO(t_min, minimum)
TROPIC_DETAIL_TWO(t_max, maximum)
TROPIC_DETAIL_TWO(t_pow, power)
TROPIC_DETAIL_TWO(t_tropical_plus, tropical_plus)
TROPIC_DETAIL_TWO(t_tropical_plus_max, tropical_plus_max)
#undef TROPIC_DETAIL_TWO

template <class T>
constexpr auto t_abs(operand<T> a) {
  using P = arithmetic::promoted<T>;
  return operand<P>(arithmetic::absolute(static_cast<P>(a.value)));
}

#define TROPIC_DETAIL_REAL(name, rule)                                                  \
  template <class T>                                                                    \
  constexpr operand<T> name(operand<T> a) {                                             \
    static_assert(std::is_floating_point_v<T>, "tropic: " #name " takes fp32 or fp64"); \
    return operand<T>(rule(a.value));                                                   \
  }
TROPIC_DETAIL_REAL(t_sqrt, std::sqrt)
TROPIC_DETAIL_REAL(t_exp, std::exp)
TROPIC_DETAIL_REAL(t_log, std::log)
TROPIC_DETAIL_REAL(t_floor, std::floor)
TROPIC_DETAIL_REAL(t_ceil, std::ceil)
#undef TROPIC_DETAIL_REAL

template <class T>
constexpr operand<bool> t_isnan(operand<T> a) {
  return operand<bool>(a.value != a.value);
}
template <class... Fields>
constexpr record_parts<Fields...> t_make(Fields... fields) {
  return {{fields...}};
}

}  // namespace words

namespace detail {

/// The value of an expression, as the semiring's result type.
template <class Z, class P>
constexpr Z result(P p) {
  if constexpr (record_traits<Z>::is_record)
    return static_cast<Z>(operand<Z>(p));
  else if constexpr (is_operand<P>)
    return at<Z>(p);
  else if constexpr (std::is_same_v<P, words::word>)
    return word_value<Z>(p);
  else {
    static_assert(literal_of<Z, P> || std::is_same_v<Z, bool>,
                  "tropic: a floating literal is no value of an integer type");
    return arithmetic::convert<Z>(p);
  }
}

}  // namespace detail
}  // namespace tropic
