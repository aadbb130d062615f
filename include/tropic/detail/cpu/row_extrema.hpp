// SPDX-License-Identifier: Apache-2.0
#pragma once

// Minima and maxima of the products of one row, over a u without gaps.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tropic/detail/cpu/entry_masks.hpp>
#include <tropic/detail/cpu/kernel_arguments.hpp>
#include <tropic/detail/cpu/row_sums.hpp>

namespace tropic::detail::cpu {

/// The minimum or maximum of entries [begin, end), begin < end, by comparisons alone: without the
/// rules for NaN and, if `Bare`, with sums that do not saturate. False if a rule may apply, which
/// the result shows:
///  - Floating: products better than the identity are neither NaN nor clamped, and comparisons with
///    a running minimum ignore the others. If one was found, it is the result.
///  - Signed sums of a value of the matrix from 0 to below the identity wrap to a negative value if
///    they exceed the type. If the minimum is from 0 to below the identity, no sum wrapped below
///    it, and operands that are the identity did not count.
///
/// Two running minima, or for integers, without NaN, one by groups of four. `Ahead`:
/// read_ahead entries behind `end` can be read, and the last group has no branch by its length.
template <class S, bool First, values Values, bool Bare, loads Loads, bool Ahead>
TROPIC_DETAIL_INLINED bool extremum_of_row(const side<S, First>& s, const std::uint32_t* columns,
                                           std::size_t row, std::size_t begin, std::size_t end,
                                           typename S::z_type& result) {
  using Z = typename S::z_type;
  using M = typename S::monoid;
  constexpr Z identity = is_minimum<S> ? arithmetic::largest<Z>() : arithmetic::smallest<Z>();
  constexpr Z opposite = is_minimum<S> ? arithmetic::smallest<Z>() : arithmetic::largest<Z>();
  constexpr std::size_t block = 256;  // entries between two tests for the terminal value
  constexpr bool ends = !Bare && terminal_of<M>() != terminal::none;
  const auto product = [&](std::size_t e) -> Z {
    if constexpr (Loads == loads::prefetched)
      TROPIC_DETAIL_PREFETCH(s.u + columns[e + prefetch_distance]);
    if constexpr (Bare)
      return bare_product<S>(matrix_value<Values>(s, e), s.u[columns[e]]);
    else
      return product_at<Values>(s, columns, row, e);
  };
  // The second one if a NaN is the first.
  const auto better = [](Z x, Z y) { return is_minimum<S> ? (x < y ? x : y) : (y < x ? x : y); };
  Z best = identity, other = identity;
  const auto take = [&](Z p0, Z p1, Z p2, Z p3) {
    if constexpr (std::is_integral_v<Z>) {
      best = better(better(better(p0, p2), better(p1, p3)), best);
    } else {
      best = better(p2, better(p0, best));
      other = better(p3, better(p1, other));
    }
  };
  const auto take_group = [&](std::size_t e) {
    if constexpr (Loads != loads::on_demand) fetch_entries<Values>(s, columns, e);
    take(product(e), product(e + 1), product(e + 2), product(e + 3));
  };
  std::size_t e = begin;
  if constexpr (ends)
    while (end - e > block) [[unlikely]] {
      for (const std::size_t stop = e + block; e != stop; e = opaque(e + 4)) take_group(e);
      if (is_terminal<M>(better(best, other))) {
        result = better(best, other);
        return true;
      }
    }
  for (; end - e > 4; e = opaque(e + 4)) take_group(e);
  if constexpr (!Ahead) {
    for (; e != end; ++e) best = better(product(e), best);
  } else {
    // An absent product is a NaN, which is never better, or bounded by the identity.
    constexpr auto bits = [](Z x) { return std::bit_cast<bits_of<Z>>(x); };
    constexpr bool is_bounded = std::is_integral_v<Z>;
    constexpr auto &masks = entry_masks < Z, is_bounded ? bits(identity) : all_ones<Z>,
                   is_bounded ? bits(opposite) : 0 > ;
    const auto* const mask = masks.data() + (4 - (end - e));
    const auto present = [&](Z x, std::size_t n) {
      if constexpr (is_bounded) {
        const auto bound = std::bit_cast<Z>(mask[n].fill[0]);
        return is_minimum<S> ? (x < bound ? bound : x) : (bound < x ? bound : x);
      } else {
        return masked<all_ones<Z>>(x, mask[n]);
      }
    };
    take(product(e), present(product(e + 1), 0), present(product(e + 2), 1),
         present(product(e + 3), 2));
  }
  if constexpr (!std::is_integral_v<Z>) best = better(best, other);
  result = best;
  if constexpr (std::is_floating_point_v<Z>)
    return is_minimum<S> ? best < identity : best > identity;
  else if constexpr (Bare)
    return static_cast<std::make_unsigned_t<Z>>(best) <
           static_cast<std::make_unsigned_t<Z>>(identity);
  else
    return true;
}

}  // namespace tropic::detail::cpu
