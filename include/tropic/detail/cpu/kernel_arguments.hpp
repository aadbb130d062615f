// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the CPU's kernels share: their arguments, and a semiring's operators with one of the two
// operands bound to the matrix.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tropic/semirings/semiring.hpp>

// A macro, because g++ removes calls of functions that only prefetch.
#if defined(__GNUC__)
#define TROPIC_DETAIL_PREFETCH(address) __builtin_prefetch(address)
#else
#define TROPIC_DETAIL_PREFETCH(address) static_cast<void>(address)
#endif

// Loops over rows lose by a call for each row; a function of this kind is part of one or two loops.
#if defined(__GNUC__)
#define TROPIC_DETAIL_INLINED [[gnu::always_inline]] inline
#else
#define TROPIC_DETAIL_INLINED inline
#endif

namespace tropic::detail {

struct product_arguments {
  const semiring_description* semiring = nullptr;
  const void* offsets = nullptr;  // uint32, or uint64 where wide
  bool wide = false;
  const std::uint32_t* columns = nullptr;
  const void* a = nullptr;
  bool a_iso = false;        // a[0] is the value of every entry
  bool a_is_plain = false;   // integers: from 0 to below the largest; floating: no NaN
  const void* u = nullptr;   // by position (pull), by entry (push)
  bool u_iso = false;        // pull: u is full, of equal values
  bool prefetches = false;   // pull of a full u: columns[e + cpu::prefetch_distance] exists
  std::size_t readable = 0;  // pull: entries of the matrix; loops may read some behind their rows
  const std::uint8_t* u_present = nullptr;   // pull: null where u is full
  const std::uint32_t* u_indices = nullptr;  // push
  const std::uint8_t* skip = nullptr;  // output positions not to compute (non-zero); null: none
  void* w = nullptr;
  // Pull: null where every row gets an entry, or where the caller knows which rows do.
  std::uint8_t* w_present = nullptr;

  std::size_t offset(std::size_t row) const {
    return wide ? static_cast<std::size_t>(static_cast<const std::uint64_t*>(offsets)[row])
                : static_cast<const std::uint32_t*>(offsets)[row];
  }
};

namespace cpu {

/// product_arguments::offset with local fields, which stores to an array of bytes do not change.
struct row_offsets {
  const void* offsets;
  bool wide;

  explicit row_offsets(const product_arguments& arguments)
      : offsets(arguments.offsets), wide(arguments.wide) {}
  std::size_t operator()(std::size_t row) const {
    return wide ? static_cast<std::size_t>(static_cast<const std::uint64_t*>(offsets)[row])
                : static_cast<const std::uint32_t*>(offsets)[row];
  }
};

/// One side of the semiring as the kernel sees it: `First` is vxm, where u is the first operand.
template <class S, bool First>
struct side {
  using monoid = typename S::monoid;
  using addition = typename monoid::operation;
  using multiplication = typename S::operation;
  using z_type = typename S::z_type;
  using matrix_type = std::conditional_t<First, typename S::x_type, typename S::a_type>;
  using vector_type = std::conditional_t<First, typename S::a_type, typename S::x_type>;

  static constexpr bool uses_matrix =
      First ? multiplication::tropic_syntax.uses_y : multiplication::tropic_syntax.uses_x;
  static constexpr bool uses_vector =
      First ? multiplication::tropic_syntax.uses_x : multiplication::tropic_syntax.uses_y;

  multiplication multiply;
  const matrix_type* a;
  std::size_t a_mask;  // 0 if all entries share one value
  const vector_type* u;

  explicit side(const product_arguments& arguments)
      : multiply(multiplication_of(*arguments.semiring)),
        a(static_cast<const matrix_type*>(arguments.a)),
        a_mask(arguments.a_iso ? 0 : ~std::size_t{0}),
        u(static_cast<const vector_type*>(arguments.u)) {}

  // A copy: an operator with parameters has no default.
  static multiplication multiplication_of(const semiring_description& semiring) {
    std::array<std::byte, sizeof(multiplication)> object;
    std::memcpy(object.data(), semiring.multiply.object.data(), sizeof(multiplication));
    return std::bit_cast<multiplication>(object);
  }

  /// The product of a value of the matrix (at `inner` of the sum) with element `element` of u, for
  /// output `out`.
  z_type product_of(const matrix_type& left, std::size_t element, std::size_t out,
                    std::size_t inner) const {
    vector_type right{};
    if constexpr (uses_vector) right = u[element];
    if constexpr (First)
      return multiply.template evaluate<z_type>(right, left, 0, static_cast<index_t>(inner),
                                                static_cast<index_t>(out));
    else
      return multiply.template evaluate<z_type>(left, right, static_cast<index_t>(out),
                                                static_cast<index_t>(inner), 0);
  }
  /// The same of entry e.
  z_type product(std::size_t e, std::size_t element, std::size_t out, std::size_t inner) const {
    matrix_type left{};
    if constexpr (uses_matrix) left = a[e & a_mask];
    return product_of(left, element, out, inner);
  }
  static z_type add(const z_type& x, const z_type& y) {
    return addition{}.template evaluate<z_type>(x, y);
  }
};

template <class S>
inline constexpr bool exits_at_first_product =
    exits_at_first<typename S::monoid, typename S::operation>;

/// Checking after every entry pays where the terminal is common; elsewhere once a block does.
template <class S>
inline constexpr bool has_frequent_terminal =
    terminal_of<typename S::monoid>() != terminal::none &&
    (std::is_same_v<typename S::monoid::operation, logical_or> ||
     std::is_same_v<typename S::monoid::operation, logical_and>);
template <class S>
inline constexpr bool has_rare_terminal = terminal_of<typename S::monoid>() != terminal::none &&
                                          !has_frequent_terminal<S> && !exits_at_first_product<S>;

/// Minima and maxima over numbers.
template <class S>
inline constexpr bool is_minimum = std::is_arithmetic_v<typename S::z_type> &&
                                   std::is_same_v<typename S::monoid::operation, minimum>;
template <class S>
inline constexpr bool is_maximum = std::is_arithmetic_v<typename S::z_type> &&
                                   std::is_same_v<typename S::monoid::operation, maximum>;

/// Where the multiply does not care for the order of its operands, vxm is mxv.
template <class S>
inline constexpr bool one_sided =
    commutes<typename S::operation> && std::is_same_v<typename S::a_type, typename S::x_type> &&
    !S::operation::tropic_syntax.positional();

// --- loops that serve several semirings ----------------------------------------------------------
// They are compiled once in a source file: compilers spend most of their time on the built-ins.

/// Additions and multiplies of integers that give the same bits whether they are signed or not.
template <class Monoid>
inline constexpr bool ignores_sign = false;
template <class T>
inline constexpr bool ignores_sign<plus_monoid<T>> = true;
template <class T>
inline constexpr bool ignores_sign<or_monoid<T>> = true;
template <class T>
inline constexpr bool ignores_sign<and_monoid<T>> = true;
template <class T>
inline constexpr bool ignores_sign<xor_monoid<T>> = true;
template <class T>
inline constexpr bool ignores_sign<any_monoid<T>> = true;
template <>
inline constexpr bool ignores_sign<times> = true;
template <>
inline constexpr bool ignores_sign<first> = true;
template <>
inline constexpr bool ignores_sign<pair> = true;
template <>
inline constexpr bool ignores_sign<logical_and> = true;
template <>
inline constexpr bool ignores_sign<logical_or> = true;

/// The index that is summed over, whatever the values are.
template <class Op>
inline constexpr bool is_summed_index = std::is_same_v<Op, first_j> || std::is_same_v<Op, second_i>;

/// A semiring whose loops give the same bits as those of S.
template <class S>
struct same_bits {
  using type = S;
};
template <template <class> class Monoid, class T, class Op>
  requires(std::is_integral_v<T> && std::is_signed_v<T> && ignores_sign<Monoid<T>> &&
           ignores_sign<Op>)
struct same_bits<semiring<Monoid<T>, Op, T, T>> {
  using natural = std::make_unsigned_t<T>;
  using type = semiring<Monoid<natural>, Op, natural, natural>;
};
template <class Monoid, class Op, class A, class X>
  requires is_summed_index<Op>
struct same_bits<semiring<Monoid, Op, A, X>> {
  using type = semiring<Monoid, first_j, index_t, index_t>;
};

/// The same for a side of it: `second` is `first` with the operands exchanged.
template <class S, bool First>
struct loops_of {
  using semiring = typename same_bits<S>::type;
  static constexpr bool first = First && !is_summed_index<typename S::operation>;
};
template <class Monoid, class A, class X, bool First>
struct loops_of<semiring<Monoid, second, A, X>, First>
    : loops_of<semiring<Monoid, tropic::first, X, A>, !First> {};

}  // namespace cpu
}  // namespace tropic::detail
