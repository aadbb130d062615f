// SPDX-License-Identifier: Apache-2.0

// The laws of every built-in semiring over every type where its traits claim them, over adversarial
// values; and nothing is claimed that does not hold. -0 equals +0. Floating-point sums that round
// are tested on small integers, where no sum rounds. or, and, xor are tested on 0 and 1, the only
// values that their multiplies give.

#include <gtest/gtest.h>

#include <string_view>

#include <tropic/semirings/builtins.hpp>

#include "support/values.hpp"

namespace tropic::testing {
namespace {

template <class M>
inline constexpr bool is_logical = std::is_same_v<typename M::operation, logical_or> ||
                                   std::is_same_v<typename M::operation, logical_and> ||
                                   std::is_same_v<typename M::operation, logical_xor>;

/// The values that sums over M may contain.
template <class M>
std::vector<typename M::type> sum_domain() {
  using T = typename M::type;
  if constexpr (is_logical<M>)
    return {T(0), T(1)};
  else if constexpr (!is_exact<M>())
    return {T(0), T(1), T(-1), T(2), T(5), T(-8), T(64), T(1000)};
  else
    return adversarial_values<T>();
}

template <class M>
void check_monoid(std::string_view name) {
  using T = typename M::type;
  const auto add = [](T a, T b) { return typename M::operation{}.template evaluate<T>(a, b); };
  const auto values = sum_domain<M>();
  for (const T a : values) {
    // fmin and fmax ignore NaN, so the identity wins over a NaN: a sum that starts with its first
    // product never sees it.
    if (M::traits.has_identity && a == a) {
      EXPECT_TRUE(same_value(add(M::identity(), a), a)) << name << " identity + " << +a;
      EXPECT_TRUE(same_value(add(a, M::identity()), a)) << name << " " << +a << " + identity";
    }
    if (M::traits.idempotent) {
      EXPECT_TRUE(same_value(add(a, a), a)) << name << " " << +a;
    }
    for (const T b : values) {
      if (terminal_of<M>() != terminal::any_value) {
        EXPECT_TRUE(same_value(add(a, b), add(b, a))) << name << " " << +a << ", " << +b;
        if (is_terminal<M>(a)) {
          EXPECT_TRUE(same_value(add(a, b), a)) << name << " terminal " << +a << " + " << +b;
        }
      }
      for (const T c : values)
        EXPECT_TRUE(same_value(add(add(a, b), c), add(a, add(b, c))))
            << name << " " << +a << ", " << +b << ", " << +c;
    }
  }
}

/// Multiplication distributes over sums, from the left and from the right.
struct distributes {
  bool left = false, right = false;
};
template <class Monoid, class Multiply>
constexpr distributes distributivity() {
  using Add = typename Monoid::operation;
  constexpr bool exact = is_exact<Monoid>() || std::is_same_v<Add, plus>;
  constexpr auto pair_of = []<class P, class Q>(std::type_identity<P>, std::type_identity<Q>) {
    return std::is_same_v<Add, P> && std::is_same_v<Multiply, Q>;
  };
#define IS(p, q) pair_of(std::type_identity<p>{}, std::type_identity<q>{})
  if (!exact) return {};
  if (IS(plus, times) || IS(minimum, tropical_plus) || IS(maximum, tropical_plus_max) ||
      IS(minimum, maximum) || IS(maximum, minimum) || IS(logical_or, logical_and) ||
      IS(logical_and, logical_or) || IS(logical_xor, logical_and))
    return {true, true};
  if (Monoid::traits.idempotent &&
      (IS(minimum, first) || IS(minimum, second) || IS(maximum, second)))
    return {true, true};
  if (IS(plus, first)) return {false, true};   // (a + b) first c
  if (IS(plus, second)) return {true, false};  // a second (b + c)
#undef IS
  return {};
}

template <class S>
void check_semiring(std::string_view name) {
  using M = typename S::monoid;
  using Z = typename S::z_type;
  using A = typename S::a_type;
  check_monoid<M>(name);
  if constexpr (std::is_same_v<Z, A>) {
    using claims = annihilation<M, typename S::operation>;
    const auto add = [](Z a, Z b) { return typename M::operation{}.template evaluate<Z>(a, b); };
    const auto multiply = [](Z a, Z b) {
      return typename S::operation{}.template evaluate<Z>(a, b);
    };
    const Z zero = M::identity();
    const std::vector<Z> all = adversarial_values<Z>(), summed = sum_domain<M>();
    for (const Z a : all) {
      if (claims::left) {
        EXPECT_TRUE(same_value(multiply(zero, a), zero)) << name << " 0 * " << +a;
      }
      if (claims::right) {
        EXPECT_TRUE(same_value(multiply(a, zero), zero)) << name << " " << +a << " * 0";
      }
      for (const Z b : all) {
        if (!commutes<typename S::operation>) break;
        EXPECT_TRUE(same_value(multiply(a, b), multiply(b, a))) << name << " " << +a << ", " << +b;
      }
    }
    constexpr distributes law = distributivity<M, typename S::operation>();
    for (const Z a : summed)
      for (const Z b : summed)
        for (const Z c : summed) {
          if (a != a || b != b || c != c) continue;  // fmin has no law for NaN
          if (law.left) {
            EXPECT_TRUE(same_value(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c))))
                << name << " " << +a << " * (" << +b << " + " << +c << ")";
          }
          if (law.right) {
            EXPECT_TRUE(same_value(multiply(add(a, b), c), add(multiply(a, c), multiply(b, c))))
                << name << " (" << +a << " + " << +b << ") * " << +c;
          }
        }
  }
}

template <class T>
void check_boolean_semirings() {
#define LAWS(name) check_semiring<name<T>>(#name);
  TROPIC_FOR_EACH_BOOLEAN_SEMIRING(LAWS)
}
template <class T>
void check_semirings() {
  check_boolean_semirings<T>();
  TROPIC_FOR_EACH_NUMERIC_SEMIRING(LAWS)
  TROPIC_FOR_EACH_POSITIONAL_SEMIRING(LAWS)
#undef LAWS
}

TEST(Laws, HoldWhereClaimedOverBooleans) {
  check_boolean_semirings<bool>();
}
TEST(Laws, HoldWhereClaimedOverSmallIntegers) {
  check_semirings<std::int8_t>();
  check_semirings<std::int16_t>();
  check_semirings<std::uint8_t>();
  check_semirings<std::uint16_t>();
}
TEST(Laws, HoldWhereClaimedOverLargeIntegers) {
  check_semirings<std::int32_t>();
  check_semirings<std::int64_t>();
  check_semirings<std::uint32_t>();
  check_semirings<std::uint64_t>();
}
TEST(Laws, HoldWhereClaimedOverFloatingNumbers) {
  check_semirings<float>();
  check_semirings<double>();
}

template <class S>
constexpr bool claims_left = annihilation<typename S::monoid, typename S::operation>::left;
template <class S>
constexpr bool claims_right = annihilation<typename S::monoid, typename S::operation>::right;

TEST(Laws, NothingFalseIsClaimed) {
  // 0 * inf is NaN.
  EXPECT_FALSE(claims_left<plus_times<float>> || claims_right<plus_times<double>>);
  // inf * 0, and the largest integer times anything.
  EXPECT_FALSE(claims_left<min_times<float>> || claims_right<min_times<std::int32_t>>);
  EXPECT_FALSE(claims_left<max_times<double>> || claims_right<max_times<std::uint8_t>>);
  // 0 + x is x.
  EXPECT_FALSE(claims_left<max_plus<std::uint32_t>> || claims_right<max_plus<std::uint32_t>>);
  EXPECT_FALSE(claims_left<plus_min<std::int64_t>> || claims_right<plus_min<float>>);
  EXPECT_FALSE(claims_left<plus_pair<std::int32_t>> || claims_right<plus_pair<std::int32_t>>);
  EXPECT_FALSE(claims_left<min_second<float>>);
  EXPECT_FALSE(claims_right<min_first<float>>);
  EXPECT_FALSE((claims_left<any_first<std::int32_t>>));
  EXPECT_FALSE((claims_right<any_second<std::int32_t>>));
  EXPECT_FALSE(any_monoid<bool>::traits.has_identity);
  // 0 * NaN is NaN, so a floating product has no terminal.
  EXPECT_EQ(terminal_of<times_monoid<float>>(), terminal::none);
  EXPECT_EQ(terminal_of<plus_monoid<std::int32_t>>(), terminal::none);
  EXPECT_EQ(terminal_of<xor_monoid<bool>>(), terminal::none);
  EXPECT_FALSE(is_exact<plus_monoid<float>>() || is_exact<times_monoid<double>>());
  EXPECT_TRUE(is_exact<plus_monoid<std::int64_t>>() && is_exact<minimum_monoid<float>>());
  EXPECT_FALSE(plus_monoid<bool>::traits.idempotent || xor_monoid<bool>::traits.idempotent);
  EXPECT_FALSE(commutes<first> || commutes<second> || commutes<minus> || commutes<divide>);
}

// The first product of a sum, in ascending order of the inner index, is the sum.
TEST(Laws, TheFirstProductWinsOnlyWhereItIsTheSum) {
  const auto holds = []<class M, class O>(std::type_identity<M>, std::type_identity<O>) {
    using T = typename M::type;
    const index_t ascending[] = {0, 1, 127, 128, 255, 65536, 2147483648, 4294967295};
    const T first = O{}.template evaluate<T>(T{}, T{}, 0, ascending[0], 0);
    T sum = first;
    for (const index_t k : ascending)
      sum = typename M::operation{}.template evaluate<T>(
          sum, O{}.template evaluate<T>(T{}, T{}, 0, k, 0));
    return sum == first;
  };
#define HELD(m, o)                                                                                \
  EXPECT_TRUE((!exits_at_first<m, o> || holds(std::type_identity<m>{}, std::type_identity<o>{}))) \
      << #m ", " #o
  HELD(minimum_monoid<index_t>, first_j);
  HELD(minimum_monoid<index_t>, second_i);
  HELD(minimum_monoid<std::int8_t>, first_j);
  HELD(minimum_monoid<std::int32_t>, second_i);
  HELD(minimum_monoid<std::uint64_t>, first_j);
  HELD(minimum_monoid<double>, second_i);
  HELD(maximum_monoid<index_t>, first_j);
  HELD(any_monoid<index_t>, first_j);
#undef HELD
  EXPECT_TRUE((exits_at_first<minimum_monoid<index_t>, first_j>));
  EXPECT_FALSE((exits_at_first<minimum_monoid<std::int8_t>, first_j>));
  EXPECT_FALSE((exits_at_first<minimum_monoid<index_t>, first>));
}

TEST(Laws, WhatIsClaimedReachesTheDescription) {
  const monoid_description least = describe_monoid<minimum_monoid<std::int16_t>>();
  EXPECT_EQ(least.identity.as<std::int16_t>(), 32767);
  EXPECT_TRUE(least.idempotent && least.exact && least.has_identity);
  EXPECT_EQ(least.terminal_value, terminal::smallest);
  EXPECT_EQ(describe_monoid<maximum_monoid<double>>().identity.as<double>(),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(describe_monoid<and_monoid<bool>>().identity.as<bool>(), true);
  EXPECT_FALSE(describe_monoid<plus_monoid<float>>().exact);
}

TEST(Hash, DiffersForDifferentPrograms) {
  const auto semiring = []<class M, class O>(std::type_identity<M>, std::type_identity<O>) {
    using T = typename M::type;
    semiring_description result;
    result.add = describe_monoid<M>();
    result.multiply = describe_operator<T, T, T>(O{});
    return hash_of(result);
  };
#define SEMIRING(m, o) semiring(std::type_identity<m>{}, std::type_identity<o>{})
  EXPECT_EQ(SEMIRING(plus_monoid<float>, times), SEMIRING(plus_monoid<float>, times));
  EXPECT_NE(SEMIRING(plus_monoid<float>, times), SEMIRING(plus_monoid<double>, times));
  EXPECT_NE(SEMIRING(plus_monoid<float>, times), SEMIRING(plus_monoid<float>, minimum));
  EXPECT_NE(SEMIRING(plus_monoid<float>, times), SEMIRING(minimum_monoid<float>, times));
  EXPECT_NE(SEMIRING(plus_monoid<std::int32_t>, first),
            SEMIRING(plus_monoid<std::uint32_t>, first));
#undef SEMIRING
}

}  // namespace
}  // namespace tropic::testing
