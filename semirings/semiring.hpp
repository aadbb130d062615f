// SPDX-License-Identifier: Apache-2.0
#pragma once

// Semirings: multiply A x X -> Z, add Z x Z -> Z.
//
//   using my_semiring = tropic::semiring<tropic::minimum_monoid<float>, absdiff>;
//
// `semiring_description` is the run-time value that crosses the seam between the typed API and
// plans and backends: texts, types, identity, traits, a hash, and the CPU kernels.

#include <cstdint>
#include <string_view>

#include <tropic/semirings/monoid.hpp>

namespace tropic {

namespace detail {
struct cpu_kernel_table;       // tropic/detail/cpu/kernels.hpp
struct cpu_round_kernels;      // tropic/detail/cpu/round_arguments.hpp
struct cpu_mxm_kernel_table;   // tropic/detail/cpu/mxm_table.hpp
struct cpu_spmm_kernel_table;  // tropic/detail/cpu/spmm_table.hpp
}  // namespace detail

/// Declared properties of a (monoid, multiply) pair; no others are assumed, and the law tests check
/// every declared one.
template <class Monoid, class Multiply>
struct annihilation {
  static constexpr bool left = false;   // identity * y == identity
  static constexpr bool right = false;  // x * identity == identity
};
template <bool Left, bool Right = Left>
struct annihilation_claim {
  static constexpr bool left = Left;
  static constexpr bool right = Right;
};
// 0 * inf is NaN, so only the integers.
template <class T>
struct annihilation<plus_monoid<T>, times> : annihilation_claim<std::is_integral_v<T>> {};
template <class T>
struct annihilation<minimum_monoid<T>, tropical_plus> : annihilation_claim<true> {};
template <class T>
struct annihilation<maximum_monoid<T>, tropical_plus_max>
    : annihilation_claim<std::is_signed_v<T>> {};
template <class T>
struct annihilation<minimum_monoid<T>, maximum> : annihilation_claim<true> {};
template <class T>
struct annihilation<maximum_monoid<T>, minimum> : annihilation_claim<true> {};
template <class T>
struct annihilation<plus_monoid<T>, minimum> : annihilation_claim<std::is_unsigned_v<T>> {};
template <class T>
struct annihilation<or_monoid<T>, logical_and> : annihilation_claim<true> {};
template <class T>
struct annihilation<and_monoid<T>, logical_or> : annihilation_claim<true> {};
template <class T>
struct annihilation<xor_monoid<T>, logical_and> : annihilation_claim<true> {};
template <class T, template <class> class Monoid>
  requires(Monoid<T>::traits.has_identity)
struct annihilation<Monoid<T>, first> : annihilation_claim<true, false> {};
template <class T, template <class> class Monoid>
  requires(Monoid<T>::traits.has_identity)
struct annihilation<Monoid<T>, second> : annihilation_claim<false, true> {};

/// x * y == y * x whenever both have the same type.
template <class Op>
inline constexpr bool commutes = false;
template <>
inline constexpr bool commutes<plus> = true;
template <>
inline constexpr bool commutes<times> = true;
template <>
inline constexpr bool commutes<minimum> = true;
template <>
inline constexpr bool commutes<maximum> = true;
template <>
inline constexpr bool commutes<tropical_plus> = true;
template <>
inline constexpr bool commutes<tropical_plus_max> = true;
template <>
inline constexpr bool commutes<logical_or> = true;
template <>
inline constexpr bool commutes<logical_and> = true;
template <>
inline constexpr bool commutes<logical_xor> = true;
template <>
inline constexpr bool commutes<pair> = true;

/// The first product of a sum, in ascending order of the index summed over, is the whole sum: any,
/// and the minimum of that index itself, in a type that every index fits.
template <class Monoid, class Multiply>
inline constexpr bool exits_at_first =
    terminal_of<Monoid>() == terminal::any_value ||
    (std::is_same_v<typename Monoid::operation, minimum> && sizeof(typename Monoid::type) == 8 &&
     (std::is_same_v<Multiply, first_j> || std::is_same_v<Multiply, second_i>));

/// A semiring at run time. Two descriptions with one hash compile to the same device program.
struct semiring_description {
  std::string_view name;  // of a built-in; empty for a user-defined one
  monoid_description add;
  operator_description multiply;
  bool annihilates_left = false, annihilates_right = false;
  bool multiply_commutes = false;
  bool exits_at_first_product = false;
  // Null: the evaluator runs it.
  const detail::cpu_kernel_table* cpu_kernels[2] = {};              // [0]: mxv, [1]: vxm
  const detail::cpu_round_kernels* cpu_round_kernels = nullptr;     // of iterate_until
  const detail::cpu_mxm_kernel_table* cpu_mxm_kernels = nullptr;    // of mxm
  const detail::cpu_spmm_kernel_table* cpu_spmm_kernels = nullptr;  // of mxm with full matrices

  const type_description& a() const { return *multiply.x; }
  const type_description& x() const { return *multiply.y; }
  const type_description& z() const { return *multiply.z; }
};

/// A stable hash of everything that shapes a device program: texts, types, identity, terminal.
/// Parameter values are not part of it.
TROPIC_API std::uint64_t hash_of(const semiring_description& semiring);

namespace detail {
template <class Monoid>
struct result_of {
  using type = bool;  // not a monoid: a placeholder, for one error only
};
template <monoid_type Monoid>
struct result_of<Monoid> {
  using type = typename Monoid::type;
};
/// True if the two form a semiring; else a compile error of one sentence.
template <class Monoid, class Multiply, class A, class X>
constexpr bool require_semiring() {
  if constexpr (!require_monoid<Monoid>())
    return false;
  else
    return require_operands<Multiply, A, X>();
}
}  // namespace detail

/// A semiring over an add monoid and a multiply operator. The multiply's parameters live here. It
/// is a value: threads may share one that none of them changes.
template <class Monoid, class Multiply, value_type A = typename detail::result_of<Monoid>::type,
          value_type X = A>
struct semiring {
  using monoid = Monoid;
  using operation = Multiply;
  using a_type = A;
  using x_type = X;
  using z_type = typename detail::result_of<Monoid>::type;
  Multiply multiply{};
};

template <class S>
inline constexpr bool is_semiring = false;
template <class M, class O, class A, class X>
inline constexpr bool is_semiring<semiring<M, O, A, X>> = true;
/// An instance of tropic::semiring<Monoid, Multiply[, A[, X]]>.
template <class S>
concept semiring_type = is_semiring<S>;

// The built-in semirings over one type. A and X may differ from Z where the multiply allows it.
#define TROPIC_DETAIL_SEMIRING(name, monoid, multiply) \
  template <class T, class A = T, class X = A>         \
  using name = semiring<monoid<T>, multiply, A, X>
TROPIC_DETAIL_SEMIRING(plus_times, plus_monoid, times);
TROPIC_DETAIL_SEMIRING(min_plus, minimum_monoid, tropical_plus);
TROPIC_DETAIL_SEMIRING(max_plus, maximum_monoid, tropical_plus_max);
TROPIC_DETAIL_SEMIRING(min_times, minimum_monoid, times);
TROPIC_DETAIL_SEMIRING(max_times, maximum_monoid, times);
TROPIC_DETAIL_SEMIRING(or_and, or_monoid, logical_and);
TROPIC_DETAIL_SEMIRING(and_or, and_monoid, logical_or);
TROPIC_DETAIL_SEMIRING(xor_and, xor_monoid, logical_and);
TROPIC_DETAIL_SEMIRING(min_max, minimum_monoid, maximum);
TROPIC_DETAIL_SEMIRING(max_min, maximum_monoid, minimum);
TROPIC_DETAIL_SEMIRING(plus_min, plus_monoid, minimum);
TROPIC_DETAIL_SEMIRING(any_pair, any_monoid, pair);
TROPIC_DETAIL_SEMIRING(plus_pair, plus_monoid, pair);
TROPIC_DETAIL_SEMIRING(min_first, minimum_monoid, first);
TROPIC_DETAIL_SEMIRING(min_second, minimum_monoid, second);
TROPIC_DETAIL_SEMIRING(max_second, maximum_monoid, second);
TROPIC_DETAIL_SEMIRING(plus_first, plus_monoid, first);
TROPIC_DETAIL_SEMIRING(plus_second, plus_monoid, second);
TROPIC_DETAIL_SEMIRING(any_first, any_monoid, first);
TROPIC_DETAIL_SEMIRING(any_second, any_monoid, second);
#undef TROPIC_DETAIL_SEMIRING

// Positional ones give an index, whatever the values are.
template <class A, class X = A>
using any_firstj = semiring<any_monoid<index_t>, first_j, A, X>;
template <class A, class X = A>
using min_firstj = semiring<minimum_monoid<index_t>, first_j, A, X>;
template <class A, class X = A>
using any_secondi = semiring<any_monoid<index_t>, second_i, A, X>;
template <class A, class X = A>
using min_secondi = semiring<minimum_monoid<index_t>, second_i, A, X>;

}  // namespace tropic
