// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of the products of one row of a sparse matrix with a block of columns of a full matrix that
// has every entry, for cpu/spmm_kernels.hpp.
//
//   sum_block        any monoid
//   extremum_block   minima and maxima of numbers, by comparisons alone

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tropic/detail/cpu/row_sums.hpp>
#include <tropic/detail/cpu/spmm_table.hpp>

// Loops over the columns of a block, whose number is constant: g++ vectorises few loops at -O2 by
// itself. clang does, and warns of each marked loop that it leaves as it is.
#if defined(_OPENMP) && !defined(__clang__)
#define TROPIC_DETAIL_SIMD _Pragma("omp simd")
#else
#define TROPIC_DETAIL_SIMD
#endif

namespace tropic::detail {
namespace spmm_on_cpu {

/// A semiring's operators with one operand bound to the sparse matrix. `First`: multiply(b, a).
template <class S, bool First>
struct factors {
  using multiplication = typename S::operation;
  using z_type = typename S::z_type;
  using a_type = std::conditional_t<First, typename S::x_type, typename S::a_type>;
  using b_type = std::conditional_t<First, typename S::a_type, typename S::x_type>;
  static constexpr bool uses_a =
      First ? multiplication::tropic_syntax.uses_y : multiplication::tropic_syntax.uses_x;
  static constexpr bool uses_b =
      First ? multiplication::tropic_syntax.uses_x : multiplication::tropic_syntax.uses_y;

  multiplication multiply;
  const a_type* a;
  const b_type* b;
  std::size_t a_mask;  // 0 if all entries share one value
  std::size_t leading;
  const std::uint32_t* columns;

  explicit factors(const spmm_arguments& arguments)
      : multiply(cpu::side<S, false>::multiplication_of(*arguments.semiring)),
        a(static_cast<const a_type*>(arguments.a.values)),
        b(static_cast<const b_type*>(arguments.b)),
        a_mask(arguments.a.iso ? 0 : ~std::size_t{0}),
        leading(arguments.leading),
        columns(arguments.a.columns) {}

  a_type value_of_a(std::size_t e) const {
    if constexpr (uses_a)
      return a[e & a_mask];
    else
      return a_type{};
  }
  const b_type* row_of_b(std::size_t k) const { return b + k * leading; }
  /// The product of a value of A with element j of a row of B; row, k, j as in C = A B.
  z_type product(const a_type& x, const b_type* row_of_b, std::size_t row, std::size_t k,
                 std::size_t j) const {
    b_type y{};
    if constexpr (uses_b) y = row_of_b[j];
    if constexpr (First)
      return multiply.template evaluate<z_type>(y, x, static_cast<index_t>(j),
                                                static_cast<index_t>(k), static_cast<index_t>(row));
    else
      return multiply.template evaluate<z_type>(x, y, static_cast<index_t>(row),
                                                static_cast<index_t>(k), static_cast<index_t>(j));
  }
  static z_type add(const z_type& x, const z_type& y) { return cpu::side<S, false>::add(x, y); }
};

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// Entries between two checks whether all sums of a block are terminal.
inline constexpr std::size_t terminal_distance = 32;

template <class S, class Z>
inline bool all_terminal([[maybe_unused]] const Z* sums, [[maybe_unused]] std::size_t count) {
  if constexpr (terminal_of<typename S::monoid>() == terminal::none) {
    return false;
  } else {
    for (std::size_t j = 0; j < count; ++j)
      if (!is_terminal<typename S::monoid>(sums[j])) return false;
    return true;
  }
}

/// The entries of A whose rows of B are read together: sums are loaded and stored once for them.
inline constexpr std::size_t group = 4;
/// Not where an operator is long: the loop would be, too.
template <class S>
inline constexpr bool groups_entries = is_number<typename S::z_type> && !cpu::sums_saturate<S>;

/// The sums of columns [first, first + W) of a row with entries [begin, end), begin < end.
template <class S, bool First, std::size_t W>
inline void sum_block(const factors<S, First>& f, std::size_t row, std::size_t begin,
                      std::size_t end, std::size_t first, typename S::z_type* to) {
  using Z = typename S::z_type;
  Z sums[W];
  const auto row_of = [&](std::size_t e) { return f.row_of_b(f.columns[e]); };
  const auto product = [&](const auto& x, const auto* b, std::size_t e, std::size_t j) {
    return f.product(x, b, row, f.columns[e], first + j);
  };
  {
    const auto x = f.value_of_a(begin);
    const auto* const b = row_of(begin);
    for (std::size_t j = 0; j < W; ++j) sums[j] = product(x, b, begin, j);
  }
  if constexpr (!cpu::exits_at_first_product<S>) {
    constexpr bool exits = terminal_of<typename S::monoid>() != terminal::none;
    std::size_t e = begin + 1;
    while (groups_entries<S> && end - e >= group) {
      const std::size_t stop = exits ? std::min(end, e + terminal_distance) : end;
      for (; stop - e >= group; e += group) {
        const auto x0 = f.value_of_a(e), x1 = f.value_of_a(e + 1), x2 = f.value_of_a(e + 2),
                   x3 = f.value_of_a(e + 3);
        const auto *const b0 = row_of(e), *const b1 = row_of(e + 1), *const b2 = row_of(e + 2),
                          *const b3 = row_of(e + 3);
        TROPIC_DETAIL_SIMD
        for (std::size_t j = 0; j < W; ++j)
          sums[j] =
              f.add(f.add(f.add(f.add(sums[j], product(x0, b0, e, j)), product(x1, b1, e + 1, j)),
                          product(x2, b2, e + 2, j)),
                    product(x3, b3, e + 3, j));
      }
      if (exits && e < end && all_terminal<S>(sums, W)) e = end;
    }
    for (std::size_t n = 1; e < end; ++e, ++n) {
      if (exits && n % terminal_distance == 0 && all_terminal<S>(sums, W)) break;
      const auto x = f.value_of_a(e);
      const auto* const b = row_of(e);
      TROPIC_DETAIL_SIMD
      for (std::size_t j = 0; j < W; ++j) sums[j] = f.add(sums[j], product(x, b, e, j));
    }
  }
  for (std::size_t j = 0; j < W; ++j) to[first + j] = sums[j];
}

/// The same for minima and maxima, by comparisons alone. False if a rule may apply.
template <class S, bool First, std::size_t W>
inline bool extremum_block(const factors<S, First>& f, std::size_t begin, std::size_t end,
                           std::size_t first, typename S::z_type* to) {
  using Z = typename S::z_type;
  constexpr Z identity = cpu::is_minimum<S> ? arithmetic::largest<Z>() : arithmetic::smallest<Z>();
  const auto better = [](Z x, Z y) {
    return cpu::is_minimum<S> ? (x < y ? x : y) : (x > y ? x : y);  // y if x is NaN
  };
  const auto row_of = [&](std::size_t e) { return f.row_of_b(f.columns[e]) + first; };
  Z best[W];
  for (std::size_t j = 0; j < W; ++j) best[j] = identity;
  std::size_t e = begin;
  for (; end - e >= group; e += group) {
    const Z x0 = f.value_of_a(e), x1 = f.value_of_a(e + 1), x2 = f.value_of_a(e + 2),
            x3 = f.value_of_a(e + 3);
    const Z *const b0 = row_of(e), *const b1 = row_of(e + 1), *const b2 = row_of(e + 2),
                   *const b3 = row_of(e + 3);
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j) {
      const Z early =
          better(cpu::bare_product<S>(x1, b1[j]), better(cpu::bare_product<S>(x0, b0[j]), best[j]));
      best[j] =
          better(cpu::bare_product<S>(x3, b3[j]), better(cpu::bare_product<S>(x2, b2[j]), early));
    }
  }
  for (; e < end; ++e) {
    const Z x = f.value_of_a(e);
    const Z* const b = row_of(e);
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j) best[j] = better(cpu::bare_product<S>(x, b[j]), best[j]);
  }
  bool is_clear = true;
  for (std::size_t j = 0; j < W; ++j) {
    if constexpr (std::is_floating_point_v<Z>)
      is_clear &= cpu::is_minimum<S> ? best[j] < identity : best[j] > identity;
    else
      is_clear &= static_cast<std::make_unsigned_t<Z>>(best[j]) <
                  static_cast<std::make_unsigned_t<Z>>(identity);
    to[first + j] = best[j];
  }
  return is_clear;
}

/// Columns whose minimum or maximum needs the rules.
template <class S, bool First>
[[gnu::noinline]] void sum_by_rules(const factors<S, First>& f, std::size_t row, std::size_t begin,
                                    std::size_t end, std::size_t first, std::size_t last,
                                    typename S::z_type* to) {
  for (; first < last; ++first) sum_block<S, First, 1>(f, row, begin, end, first, to);
}

template <class S, bool First, bool Bare, std::size_t W>
inline void block(const factors<S, First>& f, std::size_t row, std::size_t begin, std::size_t end,
                  std::size_t first, typename S::z_type* to) {
  if constexpr (!Bare)
    sum_block<S, First, W>(f, row, begin, end, first, to);
  else if (!extremum_block<S, First, W>(f, begin, end, first, to)) [[unlikely]]
    sum_by_rules<S, First>(f, row, begin, end, first, first + W, to);
}

}  // namespace spmm_on_cpu
}  // namespace tropic::detail
