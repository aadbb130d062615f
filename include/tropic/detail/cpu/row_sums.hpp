// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of the products of one row, for the pull kernels (cpu/kernels.hpp).
//
//   sum_of_equal       all products of the row are one value
//   extremum_of_row    minima and maxima, over a u without gaps: cpu/row_extrema.hpp
//   sum_full           other monoids, over a u without gaps; cpu/rows_ahead.hpp has its fast form
//   sum_bitmap         u has gaps
//
// `Values` states how the matrix stores values: per entry, one for all, or either, where the index
// is masked.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tropic/detail/cpu/kernel_arguments.hpp>

namespace tropic::detail::cpu {

enum class values : std::uint8_t { per_entry, one, either };

/// What is loaded into the cache ahead of time: nothing, the entries of the matrix, or those and
/// the elements of u that later entries need.
enum class loads : std::uint8_t { on_demand, entries, prefetched };

/// The number of entries between an element of u that is loaded and the entry that needs it. It
/// spans the ends of rows, where mispredicted branches delay loads.
inline constexpr std::size_t prefetch_distance = 128;

/// Whether prefetching loads can pay: rows that end at a product would load too much.
template <class S, class Side>
inline constexpr bool gains_by_prefetch =
    Side::uses_vector && std::is_arithmetic_v<typename Side::vector_type> &&
    sizeof(typename Side::vector_type) >= 4 && !exits_at_first_product<S> &&
    !has_frequent_terminal<S>;

/// Loads entries that are 1 KB ahead. Processors that find streams by the address of the load see
/// several streams where a loop is unrolled.
template <values Values, class Side>
inline void fetch_entries(const Side& s, const std::uint32_t* columns, std::size_t e) {
  constexpr std::size_t bytes = 1024;
  if constexpr (Side::uses_vector)
    TROPIC_DETAIL_PREFETCH(columns + e + bytes / sizeof(std::uint32_t));
  if constexpr (Side::uses_matrix && Values == values::per_entry)
    TROPIC_DETAIL_PREFETCH(s.a + e + bytes / sizeof(typename Side::matrix_type));
}

/// The value of entry e.
template <values Values, class Side>
inline auto matrix_value(const Side& s, std::size_t e) {
  if constexpr (!Side::uses_matrix)
    return typename Side::matrix_type{};
  else if constexpr (Values == values::either)
    return s.a[e & s.a_mask];
  else
    return s.a[Values == values::one ? 0 : e];
}

template <values Values, class Side>
inline auto product_at(const Side& s, const std::uint32_t* columns, std::size_t row,
                       std::size_t e) {
  return s.product_of(matrix_value<Values>(s, e), columns[e], row, columns[e]);
}

// --- rows of equal products ----------------------------------------------------------------------

/// Whether equal products can be summed without a loop: a sum of n equal values is known.
template <class S>
inline constexpr bool has_sum_of_equal =
    !S::operation::tropic_syntax.positional() &&
    (exits_at_first_product<S> || S::monoid::traits.idempotent ||
     (std::is_same_v<typename S::monoid::operation, plus> &&
      std::is_arithmetic_v<typename S::z_type> && !std::is_same_v<typename S::z_type, bool>));

/// Whether all products of a row are one value.
template <class S, bool First>
inline bool has_equal_products(const product_arguments& arguments) {
  using Side = side<S, First>;
  return (!Side::uses_matrix || arguments.a_iso) && (!Side::uses_vector || arguments.u_iso);
}

/// Whether sum_of_equal gives the sum of up to `max_count` values as a loop does.
template <class S>
inline bool has_exact_sums([[maybe_unused]] const typename S::z_type& value,
                           [[maybe_unused]] std::size_t max_count) {
  using Z = typename S::z_type;
  if constexpr (std::is_floating_point_v<Z> && !exits_at_first_product<S> &&
                !S::monoid::traits.idempotent) {
    // Integers whose partial sums are at most 2^digits.
    constexpr auto exact = static_cast<Z>(std::uint64_t{1} << std::numeric_limits<Z>::digits);
    return std::trunc(value) == value && std::abs(value) * static_cast<Z>(max_count) <= exact;
  } else {
    return true;
  }
}

/// What sums of equal products depend on. Common to semirings, so that their loops are compiled
/// once for a type.
enum class equal_sums : std::uint8_t {
  by_number,  // the product times the number of them
  by_any,     // whether there is more than one
  by_none,    // nothing: as by_any, where the sum of two has the bits of one
};
template <class S>
inline constexpr equal_sums kind_of_equal_sums =
    exits_at_first_product<S> || S::monoid::traits.idempotent ? equal_sums::by_any
                                                              : equal_sums::by_number;

/// The sum of two equal products; by number: not used.
template <class S>
inline typename S::z_type sum_of_two(const typename S::z_type& value) {
  if constexpr (exits_at_first_product<S> || kind_of_equal_sums<S> == equal_sums::by_number)
    return value;
  else
    return side<S, false>::add(value, value);
}

/// The sum of `count` > 0 values; for 0 any value.
template <equal_sums Kind, class Z, class Count>
inline Z sum_of_equal(const Z& one, [[maybe_unused]] const Z& two, [[maybe_unused]] Count count) {
  if constexpr (Kind == equal_sums::by_none)
    return one;
  else if constexpr (Kind == equal_sums::by_any)
    return count > 1 ? two : one;
  else if constexpr (std::is_integral_v<Z>)
    return arithmetic::multiply(one, static_cast<Z>(count));  // wraps as repeated sums do
  else
    return one * static_cast<Z>(count);
}

// --- minima and maxima ---------------------------------------------------------------------------

template <class S>
inline constexpr bool is_extremum = (is_minimum<S> || is_maximum<S>)&&!exits_at_first_product<S>;

/// Whether the operands of the multiply have the type of the result.
template <class S>
inline constexpr bool has_one_type = std::is_same_v<typename S::a_type, typename S::z_type> &&
                                     std::is_same_v<typename S::x_type, typename S::z_type>;
/// Minimum of saturating sums, or maximum.
template <class S>
inline constexpr bool sums_saturate =
    is_extremum<S> && has_one_type<S> &&
    std::is_same_v<typename S::operation,
                   std::conditional_t<is_minimum<S>, tropical_plus, tropical_plus_max>>;
/// Minimum of maxima, or maximum of minima.
template <class S>
inline constexpr bool is_bottleneck =
    is_extremum<S> && has_one_type<S> &&
    std::is_same_v<typename S::operation, std::conditional_t<is_minimum<S>, maximum, minimum>>;

/// Whether extremum_of_row may compute products without the rules for rare operands: always, or if
/// the matrix has none of those (product_arguments::a_is_plain).
template <class S>
inline constexpr bool has_bare_products =
    sums_saturate<S> && std::is_floating_point_v<typename S::z_type>;
template <class S>
inline constexpr bool has_bare_products_of_plain =
    (sums_saturate<S> && is_minimum<S> && std::is_integral_v<typename S::z_type> &&
     std::is_signed_v<typename S::z_type>) ||
    (is_bottleneck<S> && std::is_floating_point_v<typename S::z_type>);

template <class S>
inline typename S::z_type bare_product(typename S::z_type a, typename S::z_type u) {
  if constexpr (!is_bottleneck<S>)
    return arithmetic::add(a, u);
  else if constexpr (is_minimum<S>)
    return a < u ? u : a;  // a is no NaN: it is the result if u is one
  else
    return u < a ? u : a;
}

// --- sums ----------------------------------------------------------------------------------------

/// The sum over entries [begin, end), begin < end, with a full u. Long rows use four running sums,
/// joined in a fixed order.
template <class S, bool First, values Values, loads Loads>
inline typename S::z_type sum_full(const side<S, First>& s, const std::uint32_t* columns,
                                   std::size_t row, std::size_t begin, std::size_t end) {
  using Z = typename S::z_type;
  using M = typename S::monoid;
  const auto product = [&](std::size_t e) {
    if constexpr (Loads == loads::prefetched)
      TROPIC_DETAIL_PREFETCH(s.u + columns[e + prefetch_distance]);
    return product_at<Values>(s, columns, row, e);
  };
  if constexpr (exits_at_first_product<S>) {
    return product(begin);
  } else if constexpr (has_frequent_terminal<S>) {
    // In groups of four; the last one repeats the last entry, which changes no `or` and no `and` of
    // two or more products. A single one is the sum as it is: 5, where 5 or 5 is 1.
    const std::size_t last = end - 1;
    if constexpr (!std::is_same_v<Z, bool>)
      if (begin == last) return product(begin);
    Z sum = s.add(s.add(product(begin), product(std::min(begin + 1, last))),
                  s.add(product(std::min(begin + 2, last)), product(std::min(begin + 3, last))));
    for (std::size_t e = begin + 4; e < end && !is_terminal<M>(sum); e += 4)
      sum =
          s.add(sum, s.add(s.add(product(e), product(std::min(e + 1, last))),
                           s.add(product(std::min(e + 2, last)), product(std::min(e + 3, last)))));
    return sum;
  } else {
    constexpr std::size_t block = 64;
    Z sum = product(begin);
    std::size_t e = begin + 1;
    while (end - e >= 16) {
      const std::size_t stop = e + std::min(block, (end - e) & ~std::size_t{3});
      Z s0 = product(e), s1 = product(e + 1), s2 = product(e + 2), s3 = product(e + 3);
      for (e += 4; e < stop; e += 4) {
        s0 = s.add(s0, product(e));
        s1 = s.add(s1, product(e + 1));
        s2 = s.add(s2, product(e + 2));
        s3 = s.add(s3, product(e + 3));
      }
      sum = s.add(sum, s.add(s.add(s0, s1), s.add(s2, s3)));
      if constexpr (has_rare_terminal<S>)
        if (is_terminal<M>(sum)) return sum;
    }
    for (; e < end; ++e) sum = s.add(sum, product(e));
    return sum;
  }
}

/// The sum of a row whose minimum or maximum needs the rules for rare values.
template <class S, bool First>
[[gnu::noinline]] typename S::z_type sum_by_rules(const product_arguments& arguments,
                                                  std::size_t row, std::size_t begin,
                                                  std::size_t end) {
  return sum_full<S, First, values::either, loads::on_demand>(side<S, First>(arguments),
                                                              arguments.columns, row, begin, end);
}

/// The sum of entries [begin, end) where u has gaps. Returns whether any entry was met.
template <class S, bool First>
inline bool sum_bitmap(const side<S, First>& s, const std::uint32_t* columns,
                       const std::uint8_t* present, std::size_t row, std::size_t begin,
                       std::size_t end, typename S::z_type& sum) {
  using M = typename S::monoid;
  std::size_t e = begin;
  while (e < end && !present[columns[e]]) ++e;
  if (e == end) return false;
  sum = s.product(e, columns[e], row, columns[e]);
  if constexpr (exits_at_first_product<S>) return true;
  for (++e; e < end; ++e) {
    if constexpr (terminal_of<M>() != terminal::none)
      if (is_terminal<M>(sum)) return true;
    if (present[columns[e]]) sum = s.add(sum, s.product(e, columns[e], row, columns[e]));
  }
  return true;
}

}  // namespace tropic::detail::cpu
