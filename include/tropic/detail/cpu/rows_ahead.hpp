// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pulls with a u without gaps, of rows behind which more entries follow: the loop may read those,
// which needs no branch by the length of a short row. A mispredicted branch takes as long as two or
// three entries.
//
// Sums take the products of the entries behind a row as well, and leave them out by a mask.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tropic/detail/cpu/entry_masks.hpp>
#include <tropic/detail/cpu/kernel_arguments.hpp>
#include <tropic/detail/cpu/row_extrema.hpp>
#include <tropic/detail/cpu/row_sums.hpp>

namespace tropic::detail::cpu {

// --- sums ----------------------------------------------------------------------------------------

/// Operators by their text, so that a user's operator that says the same costs the same.
template <class Op, class Other>
inline constexpr bool has_text_of = Op::tropic_text == Other::tropic_text;

/// Whether absent products can be a value that changes no sum, -0.0 or 0.
template <class S>
inline constexpr bool has_neutral_product =
    has_text_of<typename S::monoid::operation, plus> && !std::is_same_v<typename S::z_type, bool>;

/// sum_full for begin < end, where read_ahead entries behind `end` can be read.
template <class S, bool First, values Values, loads Loads>
TROPIC_DETAIL_INLINED typename S::z_type sum_ahead(const side<S, First>& s,
                                                   const std::uint32_t* columns, std::size_t row,
                                                   std::size_t begin, std::size_t end) {
  using Z = typename S::z_type;
  using M = typename S::monoid;
  constexpr auto neutral = std::bit_cast<bits_of<Z>>(static_cast<Z>(-0.0));
  constexpr const auto& masks = entry_masks<Z, neutral>;
  const auto product = [&](std::size_t e) {
    if constexpr (Loads == loads::prefetched)
      TROPIC_DETAIL_PREFETCH(s.u + columns[e + prefetch_distance]);
    return opaque(product_at<Values>(s, columns, row, e));
  };
  if constexpr (exits_at_first_product<S>) {
    return product(begin);
  } else {
    constexpr std::size_t block = 64;
    Z sum = product(begin);
    std::size_t e = begin + 1;
    while (end - e >= 16) {
      const std::size_t stop = e + std::min(block, (end - e) & ~std::size_t{3});
      Z s0 = product(e), s1 = product(e + 1), s2 = product(e + 2), s3 = product(e + 3);
      for (e += 4; e < stop; e = opaque(e + 4)) {
        fetch_entries<Values>(s, columns, e);
        s0 = s.add(s0, product(e));
        s1 = s.add(s1, product(e + 1));
        s2 = s.add(s2, product(e + 2));
        s3 = s.add(s3, product(e + 3));
      }
      sum = s.add(sum, s.add(s.add(s0, s1), s.add(s2, s3)));
      if constexpr (has_rare_terminal<S>)
        if (is_terminal<M>(sum)) return sum;
    }
    for (; end - e >= 4; e = opaque(e + 4)) {
      sum = s.add(sum, product(e));
      sum = s.add(sum, product(e + 1));
      sum = s.add(sum, product(e + 2));
      sum = s.add(sum, product(e + 3));
    }
    const auto* const mask = masks.data() + (3 - (end - e));
    const Z p0 = product(e), p1 = product(e + 1), p2 = product(e + 2);
    if constexpr (has_neutral_product<S>) {
      sum = s.add(sum, masked<neutral>(p0, mask[0]));
      sum = s.add(sum, masked<neutral>(p1, mask[1]));
      return s.add(sum, masked<neutral>(p2, mask[2]));
    } else {
      sum = selected(mask[0], s.add(sum, p0), sum);
      sum = selected(mask[1], s.add(sum, p1), sum);
      return selected(mask[2], s.add(sum, p2), sum);
    }
  }
}

/// Whether rows end where a boolean sum is known.
template <class S>
inline constexpr bool ends_at_boolean =
    has_frequent_terminal<S> && std::is_same_v<typename S::z_type, bool>;

/// sum_full of these, in groups of four products of which absent ones change no sum.
template <class S, bool First, values Values>
TROPIC_DETAIL_INLINED bool boolean_ahead(const side<S, First>& s, const std::uint32_t* columns,
                                         std::size_t row, std::size_t begin, std::size_t end) {
  constexpr bool terminal = terminal_of<typename S::monoid>() == terminal::one;
  constexpr auto& masks = entry_masks<bool, !terminal>;
  const auto product = [&](std::size_t e) {
    return opaque(product_at<Values>(s, columns, row, e));
  };
  for (std::size_t e = begin;; e += 4) {
    const auto* const mask = masks.data() + (4 - std::min<std::size_t>(end - e, 4));
    const unsigned p0 = product(e), p1 = masked<!terminal>(product(e + 1), mask[0]),
                   p2 = masked<!terminal>(product(e + 2), mask[1]),
                   p3 = masked<!terminal>(product(e + 3), mask[2]);
    // Not `||`: compilers make branches of it.
    const bool sum = terminal ? (p0 | p1 | p2 | p3) != 0 : (p0 & p1 & p2 & p3) != 0;
    if (sum == terminal || end - e <= 4) return sum;
  }
}

// --- rows ----------------------------------------------------------------------------------------

template <class S>
inline constexpr bool can_read_ahead =
    std::is_arithmetic_v<typename S::a_type> && std::is_arithmetic_v<typename S::x_type> &&
    std::is_arithmetic_v<typename S::z_type>;

/// Whether loading entries ahead of time slows rows of fewer entries than that. Sums do so in long
/// rows only.
template <class S, bool First, values Values>
inline constexpr bool loses_by_loads =
    is_extremum<S> && std::is_floating_point_v<typename S::z_type> &&
    (!side<S, First>::uses_matrix || Values == values::per_entry);
inline constexpr std::size_t short_row = 16;

/// Writes w of rows [begin, end), behind whose entries read_ahead others can be read; w of a row
/// without entries is arbitrary. For narrow offsets.
template <class S, bool First, values Values, bool Bare, loads Loads>
void pull_ahead(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  using Z = typename S::z_type;
  side<S, First> s(arguments);
  const std::uint32_t* const columns = arguments.columns;
  Z* const w = static_cast<Z*>(arguments.w);
  [[maybe_unused]] typename side<S, First>::matrix_type one{};
  if constexpr (side<S, First>::uses_matrix && Values == values::one) {
    one = *s.a;
    s.a = &one;  // so that it stays in a register
  }
  const auto* const offsets = static_cast<const std::uint32_t*>(arguments.offsets);
  std::size_t next = offsets[begin];
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t first = next;
    next = offsets[row + 1];
    const std::size_t stop = next + (next == first);  // at least one entry
    if constexpr (is_extremum<S>) {
      Z best;
      if (!extremum_of_row<S, First, Values, Bare, Loads, true>(s, columns, row, first, stop, best))
          [[unlikely]]
        best = sum_by_rules<S, First>(arguments, row, first, stop);
      w[row] = best;
    } else if constexpr (ends_at_boolean<S>) {
      w[row] = boolean_ahead<S, First, Values>(s, columns, row, first, stop);
    } else if constexpr (has_frequent_terminal<S>) {
      w[row] = sum_full<S, First, Values, loads::on_demand>(s, columns, row, first, stop);
    } else {
      w[row] = sum_ahead<S, First, Values, Loads>(s, columns, row, first, stop);
    }
  }
}

// Minima of integers need instructions that baseline x86-64 does not have.
#if defined(__x86_64__) && defined(__GNUC__)
#define TROPIC_DETAIL_HAS_AVX2_LOOPS 1
template <class S, bool First, values Values, bool Bare, loads Loads>
[[gnu::target("avx2"), gnu::flatten]] void pull_ahead_by_avx2(const product_arguments& arguments,
                                                              std::size_t begin, std::size_t end) {
  pull_ahead<S, First, Values, Bare, Loads>(arguments, begin, end);
}
inline bool machine_has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
template <class S>
inline constexpr bool gains_by_avx2 = is_extremum<S> && sizeof(typename S::z_type) >= 4;
#else
template <class S>
inline constexpr bool gains_by_avx2 = false;
#endif

/// Flags of rows [begin, end) whose every entry counts; returns how many have one.
inline std::size_t mark_rows(const std::uint32_t* offsets, std::uint8_t* present, std::size_t begin,
                             std::size_t end) {
  std::uint32_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const std::uint8_t found = offsets[row + 1] != offsets[row];
    present[row] = found;
    count += found;
  }
  return count;
}

}  // namespace tropic::detail::cpu
