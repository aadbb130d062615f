// SPDX-License-Identifier: Apache-2.0
#pragma once

// Monoids: an associative, commutative operator over one type, with its identity and traits.
// A user-defined one takes one line:
//
//   TROPIC_BINARY_OPERATOR(gcd_step, ...);
//   TROPIC_MONOID(gcd_monoid, gcd_step, 0, .idempotent = true);

#include <array>
#include <concepts>
#include <type_traits>

#include <tropic/semirings/operators.hpp>

namespace tropic {

/// A value after which no further operand changes the result, so that a sum may stop early.
enum class terminal : std::uint8_t { none, largest, smallest, zero, one, any_value };

struct monoid_traits {
  terminal terminal_value = terminal::none;
  bool terminal_for_integers_only = false;
  bool idempotent = false;
  bool exact_for_floating = false;  // any order of floating operands gives the same value
  bool has_identity = true;         // false: `any`, whose empty sum has no value
};

template <class M>
concept monoid_type = requires {
  typename M::type;
  typename M::operation;
  { M::identity() } -> std::convertible_to<typename M::type>;
  { M::traits } -> std::convertible_to<monoid_traits>;
} && value_type<typename M::type> && operator_type<typename M::operation>;

template <monoid_type M>
constexpr terminal terminal_of() {
  using T = typename M::type;
  if (record_traits<T>::is_record && M::traits.terminal_value != terminal::any_value)
    return terminal::none;
  if (M::traits.terminal_for_integers_only && !std::is_integral_v<T>) return terminal::none;
  return M::traits.terminal_value;
}

/// Whether `value` ends a sum.
template <monoid_type M>
constexpr bool is_terminal([[maybe_unused]] const typename M::type& value) {
  using T = typename M::type;
  constexpr terminal kind = terminal_of<M>();
  if constexpr (kind == terminal::none)
    return false;
  else if constexpr (kind == terminal::any_value)
    return true;
  else if constexpr (kind == terminal::largest)
    return value == arithmetic::largest<T>();
  else if constexpr (kind == terminal::smallest)
    return value == arithmetic::smallest<T>();
  else if constexpr (kind == terminal::zero)
    return value == T{};
  else
    return value == T{1};
}

/// The result does not depend on the order of the operands.
template <monoid_type M>
constexpr bool is_exact() {
  return std::is_integral_v<typename M::type> || M::traits.exact_for_floating;
}

/// A monoid at run time.
struct monoid_description {
  operator_description add;
  scalar_bytes identity{};
  terminal terminal_value = terminal::none;
  bool has_identity = true;
  bool idempotent = false;
  bool exact = false;
};

namespace detail {

/// True for a monoid that can be described; else an error of one sentence.
template <class M>
constexpr bool require_monoid() {
  if constexpr (monoid_type<M>) {
    using Op = typename M::operation;
    constexpr bool over_fields = require_operands<Op, typename M::type, typename M::type>();
    static_assert(!Op::tropic_syntax.positional(),
                  "tropic: a monoid has two values and no position");
    constexpr bool plain = std::tuple_size_v<decltype(Op::tropic_parameters())> == 0;
    static_assert(plain, "tropic: the operator of a monoid has no parameters");
    return over_fields && plain;
  } else if constexpr (operator_type<M>) {
    static_assert(never<M>,
                  "tropic: a monoid belongs here, found an operator, which has no identity: write "
                  "plus_monoid<double>{} instead of plus{}, or declare one by TROPIC_MONOID");
  } else {
    static_assert(never<M>,
                  "tropic: a monoid belongs here, as plus_monoid<double>{} or one that "
                  "TROPIC_MONOID declares; a lambda or a function has no text for devices");
  }
  return false;
}
/// The same for a monoid over each of T.
template <class M, class... T>
constexpr bool require_monoid_over() {
  if constexpr (!monoid_type<M>) {
    return require_monoid<M>();
  } else {
    constexpr bool same = (std::is_same_v<typename M::type, T> && ...);
    static_assert(same, "tropic: the monoid is over another type");
    if constexpr (same) return require_monoid<M>();
    return false;
  }
}

}  // namespace detail

template <class M>
monoid_description describe_monoid(const M& = {}) {
  if constexpr (!detail::require_monoid<M>()) {
    return {};
  } else {
    using T = typename M::type;
    return {describe_operator<T, T, T>(typename M::operation{}),
            scalar_bytes::of(M::identity()),
            terminal_of<M>(),
            M::traits.has_identity,
            M::traits.idempotent,
            is_exact<M>()};
  }
}

}  // namespace tropic

/// Declares `template <class T> struct name_`: a monoid over operator_ with its identity (in the
/// operator language) and, optionally, designated members of monoid_traits.
#define TROPIC_MONOID(name_, operator_, identity_, ...)           \
  template <class T>                                              \
  struct name_ {                                                  \
    using type = T;                                               \
    using operation = operator_;                                  \
    static constexpr ::tropic::monoid_traits traits{__VA_ARGS__}; \
    static constexpr T identity() {                               \
      using namespace ::tropic::words;                            \
      return ::tropic::detail::result<T>(identity_);              \
    }                                                             \
  }

namespace tropic {

TROPIC_MONOID(plus_monoid, plus, 0);
TROPIC_MONOID(times_monoid, times, 1, .terminal_value = terminal::zero,
              .terminal_for_integers_only = true);
TROPIC_MONOID(minimum_monoid, minimum, t_inf, .terminal_value = terminal::smallest,
              .idempotent = true, .exact_for_floating = true);
TROPIC_MONOID(maximum_monoid, maximum, t_lowest, .terminal_value = terminal::largest,
              .idempotent = true, .exact_for_floating = true);
TROPIC_MONOID(or_monoid, logical_or, 0, .terminal_value = terminal::one, .idempotent = true,
              .exact_for_floating = true);
TROPIC_MONOID(and_monoid, logical_and, 1, .terminal_value = terminal::zero, .idempotent = true,
              .exact_for_floating = true);
TROPIC_MONOID(xor_monoid, logical_xor, 0, .exact_for_floating = true);
TROPIC_MONOID(any_monoid, any, 0, .terminal_value = terminal::any_value, .idempotent = true,
              .exact_for_floating = true, .has_identity = false);

}  // namespace tropic
