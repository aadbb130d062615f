// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of the products of one row of a sparse matrix with a block of columns of a full matrix that
// lacks entries, for cpu/spmm_kernels.hpp.
//
//   sum_present                numbers: computes the products of absent elements as well, without
//                              branches, and does not take them
//   sum_present_by_branches    all other values

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tropic/detail/cpu/spmm_blocks.hpp>

namespace tropic::detail {
namespace spmm_on_cpu {

/// Whether all of `count` flags are set: of a mask that excludes positions, or of found sums.
inline bool all_set(const std::uint8_t* flags, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j)
    if (flags[j] == 0) return false;
  return true;
}

/// Unsigned integers of as many bytes as T.
template <class T>
using word_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Where values are numbers, products of arbitrary bits are harmless: no branch an element.
template <class S, bool First>
inline constexpr bool multiplies_absent =
    is_number<typename S::z_type> && is_number<typename factors<S, First>::b_type> &&
    !cpu::exits_at_first_product<S>;

template <class Word>
inline constexpr Word every_bit = static_cast<Word>(~Word{0});
/// `yes` where all bits of the mask are set, `no` where none is: without a branch, which compilers
/// make of ?: here.
template <class Word, class T>
inline T chosen(Word mask, T yes, T no) {
  return std::bit_cast<T>(
      static_cast<Word>((std::bit_cast<Word>(yes) & mask) | (std::bit_cast<Word>(no) & ~mask)));
}

/// Whether a sum may begin with a value that changes no product, so that an absent product is that
/// value and nothing depends on which product is the first one. Not where the add makes truth
/// values of numbers; floating values: not for minima and maxima, which ignore NaN, nor if the
/// multiply may give a signalling NaN, which an addition would make quiet.
template <class S>
inline constexpr bool begins_with_neutral = [] {
  using Z = typename S::z_type;
  using addition = typename S::monoid::operation;
  if constexpr (std::is_floating_point_v<Z>)
    return std::is_same_v<addition, plus> && (std::is_same_v<typename S::operation, times> ||
                                              std::is_same_v<typename S::operation, pair>);
  else
    return is_number<Z> &&
           (std::is_same_v<addition, plus> || cpu::is_minimum<S> || cpu::is_maximum<S>);
}();
template <class S>
constexpr typename S::z_type neutral() {
  using Z = typename S::z_type;
  if constexpr (cpu::is_minimum<S>)
    return arithmetic::largest<Z>();
  else if constexpr (cpu::is_maximum<S>)
    return arithmetic::smallest<Z>();
  else
    return std::is_floating_point_v<Z> ? static_cast<Z>(-0.0) : Z{};
}

/// The sums of columns [first, first + W) of a row where B lacks entries: sets `has`. Masks are as
/// wide as values, for vector instructions.
template <class S, bool First, std::size_t W>
inline void sum_present(const spmm_arguments& arguments, const factors<S, First>& f,
                        std::size_t row, std::size_t begin, std::size_t end, std::size_t first,
                        typename S::z_type* sums, std::uint8_t* has)
  requires(multiplies_absent<S, First> && begins_with_neutral<S>)
{
  using Z = typename S::z_type;
  using word = word_of<Z>;
  constexpr Z absent = neutral<S>();
  Z running[W];
  std::uint8_t found[W];
  for (std::size_t j = 0; j < W; ++j) running[j] = absent, found[j] = 0;
  for (std::size_t e = begin; e < end; ++e) {
    const std::size_t k = f.columns[e];
    if (arguments.b_rows[k] == 0) continue;
    const auto x = f.value_of_a(e);
    const auto* const b = f.row_of_b(k);
    const std::uint8_t* const present = arguments.b_present + k * arguments.columns + first;
    word is[W];
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j) is[j] = static_cast<word>(0 - present[j]);
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j) found[j] = static_cast<std::uint8_t>(found[j] | present[j]);
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j)
      running[j] = f.add(running[j], chosen(is[j], f.product(x, b, row, k, first + j), absent));
    if constexpr (terminal_of<typename S::monoid>() != terminal::none)
      if ((e - begin) % terminal_distance == terminal_distance - 1 && all_terminal<S>(running, W))
        break;
  }
  for (std::size_t j = 0; j < W; ++j) {
    sums[j] = running[j];
    has[j] = found[j];
  }
}

/// The same for other additions: the first product of a position replaces what was there.
template <class S, bool First, std::size_t W>
inline void sum_present(const spmm_arguments& arguments, const factors<S, First>& f,
                        std::size_t row, std::size_t begin, std::size_t end, std::size_t first,
                        typename S::z_type* sums, std::uint8_t* has)
  requires(multiplies_absent<S, First> && !begins_with_neutral<S>)
{
  using Z = typename S::z_type;
  using word = word_of<Z>;
  Z running[W];
  word found[W];
  for (std::size_t j = 0; j < W; ++j) running[j] = Z{}, found[j] = 0;
  for (std::size_t e = begin; e < end; ++e) {
    const std::size_t k = f.columns[e];
    if (arguments.b_rows[k] == 0) continue;
    const auto x = f.value_of_a(e);
    const auto* const b = f.row_of_b(k);
    const std::uint8_t* const present = arguments.b_present + k * arguments.columns + first;
    word is[W];
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j) is[j] = static_cast<word>(0 - present[j]);
    TROPIC_DETAIL_SIMD
    for (std::size_t j = 0; j < W; ++j) {
      const Z product = f.product(x, b, row, k, first + j);
      const Z both = f.add(running[j], product);
      running[j] = chosen(is[j], chosen(found[j], both, product), running[j]);
      found[j] = static_cast<word>(found[j] | is[j]);
    }
    if constexpr (terminal_of<typename S::monoid>() != terminal::none) {
      if ((e - begin) % terminal_distance == terminal_distance - 1) {
        word all = every_bit<word>;
        for (std::size_t j = 0; j < W; ++j) all = static_cast<word>(all & found[j]);
        if (all != 0 && all_terminal<S>(running, W)) break;
      }
    }
  }
  for (std::size_t j = 0; j < W; ++j) {
    sums[j] = running[j];
    has[j] = found[j] != 0;
  }
}

/// The same for all other values. `skip`: positions whose sums are not wanted.
template <class S, bool First, std::size_t W>
inline void sum_present_by_branches(const spmm_arguments& arguments, const factors<S, First>& f,
                                    std::size_t row, std::size_t begin, std::size_t end,
                                    std::size_t first, const std::uint8_t* skip,
                                    typename S::z_type* sums, std::uint8_t* has) {
  for (std::size_t j = 0; j < W; ++j) has[j] = 0;
  for (std::size_t e = begin; e < end; ++e) {
    const std::size_t k = f.columns[e];
    if (arguments.b_rows[k] == 0) continue;
    const auto x = f.value_of_a(e);
    const auto* const b = f.row_of_b(k);
    const std::uint8_t* const present = arguments.b_present + k * arguments.columns + first;
    for (std::size_t j = 0; j < W; ++j) {
      if (present[j] == 0) continue;
      if (has[j] == 0)
        sums[j] = f.product(x, b, row, k, first + j);
      else if constexpr (!cpu::exits_at_first_product<S>)
        sums[j] = f.add(sums[j], f.product(x, b, row, k, first + j));
      has[j] = 1;
    }
    if constexpr (cpu::exits_at_first_product<S>) {
      bool is_complete = true;
      for (std::size_t j = 0; j < W; ++j)
        is_complete &= has[j] != 0 || (skip != nullptr && skip[j] != 0);
      if (is_complete) return;
    } else if constexpr (terminal_of<typename S::monoid>() != terminal::none) {
      if ((e - begin) % terminal_distance == terminal_distance - 1 && all_set(has, W) &&
          all_terminal<S>(sums, W))
        return;
    }
  }
}

}  // namespace spmm_on_cpu
}  // namespace tropic::detail
