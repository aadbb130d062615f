// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU's two product kernels, instantiated for one semiring: in the library for the built-ins,
// in the user's program for his own, so that both are inlined alike.
//
//   pull   w(r) = sum over the entries of row r: balanced row ranges in parallel, no writes shared.
//   push   for each entry of a sparse u, its row of products goes into w: work is proportional to
//          the rows of u's entries. Parallel over ranges of output columns, each of which takes
//          its part of every row in the same order, so results never depend on the threads.
//
// Neither knows masks beyond a skip flag an output position, nor accumulators or replace: those
// are the backend's epilogue. A sum starts with its first product, never with the identity, so a
// row that meets no entry stays without one. Long rows use four running sums, joined in a fixed
// order: the result is the same from run to run, and depends on no thread count.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tropic/detail/cpu/kernel_arguments.hpp>
#include <tropic/detail/cpu/rounds.hpp>
#include <tropic/detail/cpu/row_sums.hpp>
#include <tropic/detail/cpu/rows_ahead.hpp>

namespace tropic::detail {

/// For one order of operands: multiply(a, u) of mxv, or multiply(u, a) of vxm.
struct cpu_kernel_table {
  /// Rows [begin, end): writes w and w_present for each; returns how many got an entry.
  using pull_rows = std::size_t (*)(const product_arguments&, std::size_t begin, std::size_t end);
  /// Entries [begin, end) of one row: writes their sum to *sum; returns whether there was one.
  using pull_piece = bool (*)(const product_arguments&, std::size_t row, std::size_t begin,
                              std::size_t end, void* sum);
  /// Entries [begin, end) of u, output columns [first, last): merges into w, lists the positions
  /// it was first to write in `touched`; returns their number.
  using push_rows = std::size_t (*)(const product_arguments&, std::size_t begin, std::size_t end,
                                    std::uint64_t first, std::uint64_t last,
                                    std::uint32_t* touched);
  pull_rows full;
  pull_rows bitmap;
  pull_piece piece;
  push_rows push;
  bool asks_for_plain;  // pulls are faster with product_arguments::a_is_plain
  /// The rows [0, count) of a list, of a u with flags: writes the sums of those that have one, one
  /// behind the other, and lists which they are; returns how many. Null: row by row with `piece`.
  using pull_listed = std::size_t (*)(const product_arguments&, const std::uint32_t* rows,
                                      std::size_t count, void* sums, std::uint32_t* indices);
  pull_listed listed = nullptr;
  /// Whether `full` takes only the lengths of rows, of ranges that have up to `max_length` entries.
  /// Null: never.
  using takes_lengths = bool (*)(const product_arguments&, std::size_t max_length);
  takes_lengths by_lengths = nullptr;
};

/// A program instantiates the tables that it uses.
template <semiring_type S>
struct cpu_kernels {
  static const cpu_kernel_table of_mxv, of_vxm;
  static const cpu_round_kernels of_rounds;
};

namespace cpu {

/// The sum of a row, begin < end, with a full u, for loops in which a call does not count.
template <class S, bool First, values Values, bool Bare>
[[gnu::noinline]] typename S::z_type called_sum_row(const side<S, First>& s,
                                                    const product_arguments& arguments,
                                                    std::size_t row, std::size_t begin,
                                                    std::size_t end) {
  if constexpr (is_extremum<S>) {
    typename S::z_type best;
    if (extremum_of_row<S, First, Values, Bare, loads::on_demand, false>(
            s, arguments.columns, row, begin, end, best)) [[likely]]
      return best;
    return sum_by_rules<S, First>(arguments, row, begin, end);
  } else {
    return sum_full<S, First, Values, loads::on_demand>(s, arguments.columns, row, begin, end);
  }
}

/// Rows [begin, end) with a u without gaps; returns how many got an entry.
template <class S, bool First, bool Bare>
[[gnu::noinline]] std::size_t pull_any(const product_arguments& arguments, std::size_t begin,
                                       std::size_t end) {
  const side<S, First> s(arguments);
  const std::uint8_t* skip = arguments.skip;
  auto* w = static_cast<typename S::z_type*>(arguments.w);
  std::uint8_t* present = arguments.w_present;
  const row_offsets offset(arguments);
  std::size_t next = offset(begin), count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t first = next;
    next = offset(row + 1);
    const bool found = first < next && !(skip && skip[row]);
    if (found)
      w[row] = called_sum_row<S, First, values::either, Bare>(s, arguments, row, first, next);
    if (present) present[row] = found;
    count += found;
  }
  return count;
}

/// The same: most rows by pull_ahead, if no row is skipped.
template <class S, bool First, values Values, bool Bare, loads Loads>
std::size_t pull_full(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  bool usual = !arguments.wide && !arguments.skip;
#if defined(TROPIC_DETAIL_HAS_AVX2_LOOPS)
  if constexpr (gains_by_avx2<S>) usual = usual && machine_has_avx2();
#endif
  if (!usual) return pull_any<S, First, Bare>(arguments, begin, end);
  const auto* const offsets = static_cast<const std::uint32_t*>(arguments.offsets);
  std::size_t stop = end;
  while (stop > begin && offsets[stop] + read_ahead > arguments.readable) --stop;
  if (begin < stop) {
#if defined(TROPIC_DETAIL_HAS_AVX2_LOOPS)
    if constexpr (gains_by_avx2<S>)
      pull_ahead_by_avx2<S, First, Values, Bare, Loads>(arguments, begin, stop);
    else
#endif
      pull_ahead<S, First, Values, Bare, Loads>(arguments, begin, stop);
  }
  const std::size_t count =
      arguments.w_present ? mark_rows(offsets, arguments.w_present, begin, stop) : stop - begin;
  return stop < end ? count + pull_any<S, First, Bare>(arguments, stop, end) : count;
}

/// The same where all products are equal, the sum of one and of two given: w by the lengths of the
/// rows alone. Without branches, since rows without entries may be anywhere; their w is arbitrary.
template <equal_sums Kind, class Z>
std::size_t pull_equal(const product_arguments& arguments, const Z& one, const Z& two,
                       std::size_t begin, std::size_t end) {
  const row_offsets offset(arguments);
  const std::uint8_t* skip = arguments.skip;
  Z* w = static_cast<Z*>(arguments.w);
  std::uint8_t* present = arguments.w_present;
  // Lengths that fit 31 bits: those compilers convert to floating values by vector instructions.
  const bool are_short = !arguments.wide && offset(end) - offset(begin) <= 0x7fffffff;
  const auto* const narrow = static_cast<const std::uint32_t*>(arguments.offsets);
  const auto length = [&](std::size_t row) {
    return static_cast<std::int32_t>(narrow[row + 1] - narrow[row]);
  };
  if (present == nullptr) {
    if (are_short)
      for (std::size_t row = begin; row < end; ++row)
        w[row] = sum_of_equal<Kind>(one, two, length(row));
    else
      for (std::size_t row = begin; row < end; ++row)
        w[row] = sum_of_equal<Kind>(one, two, offset(row + 1) - offset(row));
    return end - begin;
  }
  if (are_short && skip == nullptr) {
    std::uint32_t count = 0;
    for (std::size_t row = begin; row < end; ++row) {
      const std::int32_t entries = length(row);
      const std::uint8_t found = entries != 0;
      w[row] = sum_of_equal<Kind>(one, two, entries);
      present[row] = found;
      count += found;
    }
    return count;
  }
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t entries = offset(row + 1) - offset(row);
    const bool found = (entries > 0) & !(skip && skip[row]);
    w[row] = sum_of_equal<Kind>(one, two, entries);
    present[row] = found;
    count += found;
  }
  return count;
}

/// Rows [begin, end) where u has gaps.
template <class S, bool First>
std::size_t pull_bitmap(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  using Z = typename S::z_type;
  const side<S, First> s(arguments);
  Z* w = static_cast<Z*>(arguments.w);
  std::size_t count = 0;
  const row_offsets offset(arguments);
  std::size_t next = offset(begin);
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t first = next;
    next = offset(row + 1);
    bool found = false;
    if (first < next && !(arguments.skip && arguments.skip[row])) {
      Z sum;
      found =
          sum_bitmap<S, First>(s, arguments.columns, arguments.u_present, row, first, next, sum);
      if (found) w[row] = sum;
    }
    arguments.w_present[row] = found;
    count += found;
  }
  return count;
}

/// Not those of a matrix with values for which no loop is made.
template <class S, bool First, values Values>
inline constexpr bool knows_values = !side<S, First>::uses_matrix || Values != values::either;

/// f<Values, Bare>() for what is known of the values.
template <class S, bool First, class F>
auto with_known_values(const product_arguments& arguments, F&& f) {
  constexpr bool bare = has_bare_products<S> || has_bare_products_of_plain<S>;
  if constexpr (!side<S, First>::uses_matrix) {
    return f.template operator()<values::either, has_bare_products<S>>();
  } else {
    if constexpr (has_bare_products_of_plain<S>)
      if (!arguments.a_is_plain) return f.template operator()<values::either, false>();
    return arguments.a_iso ? f.template operator()<values::one, bare>()
                           : f.template operator()<values::per_entry, bare>();
  }
}

template <class S, bool First>
bool takes_lengths(const product_arguments& arguments, std::size_t max_length) {
  return has_equal_products<S, First>(arguments) &&
         has_exact_sums<S>(side<S, First>(arguments).product(0, 0, 0, 0), max_length);
}

template <class S, bool First>
std::size_t pull_rows(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  if constexpr (has_sum_of_equal<S>)
    if (begin < end &&
        takes_lengths<S, First>(arguments, arguments.offset(end) - arguments.offset(begin))) {
      const auto product = side<S, First>(arguments).product(0, 0, 0, 0);
      const auto two = sum_of_two<S>(product);
      if constexpr (kind_of_equal_sums<S> == equal_sums::by_any)
        if (std::memcmp(&product, &two, sizeof(two)) == 0)
          return pull_equal<equal_sums::by_none>(arguments, product, two, begin, end);
      return pull_equal<kind_of_equal_sums<S>>(arguments, product, two, begin, end);
    }
  return with_known_values<S, First>(arguments, [&]<values Values, bool Bare>() {
    if constexpr (can_read_ahead<S>) {
      if constexpr (gains_by_prefetch<S, side<S, First>> && knows_values<S, First, Values>)
        if (arguments.prefetches)
          return pull_full<S, First, Values, Bare, loads::prefetched>(arguments, begin, end);
      if constexpr (loses_by_loads<S, First, Values>)
        if (arguments.offset(end) - arguments.offset(begin) < short_row * (end - begin))
          return pull_full<S, First, Values, Bare, loads::on_demand>(arguments, begin, end);
      return pull_full<S, First, Values, Bare, loads::entries>(arguments, begin, end);
    } else {
      return pull_any<S, First, Bare>(arguments, begin, end);
    }
  });
}

template <class S, bool First>
bool pull_piece(const product_arguments& arguments, std::size_t row, std::size_t begin,
                std::size_t end, void* result) {
  using Z = typename S::z_type;
  if (begin == end) return false;
  const side<S, First> s(arguments);
  Z sum;
  if (arguments.u_present) {
    if (!sum_bitmap<S, First>(s, arguments.columns, arguments.u_present, row, begin, end, sum))
      return false;
  } else {
    sum = with_known_values<S, First>(arguments, [&]<values, bool Bare>() {
      return called_sum_row<S, First, values::either, Bare>(s, arguments, row, begin, end);
    });
  }
  std::memcpy(result, &sum, sizeof(Z));
  return true;
}

// Short rows, where branches by their lengths and by flags would be mispredicted: absent products
// are -0.0, which changes no sum.
template <class S, bool First>
std::size_t pull_listed(const product_arguments& arguments, const std::uint32_t* rows,
                        std::size_t count, void* sums, std::uint32_t* indices) {
  using Z = typename S::z_type;
  constexpr std::size_t group = 4, fetched_ahead = 8;
  const side<S, First> s(arguments);
  const std::uint32_t* const columns = arguments.columns;
  const std::uint8_t* const present = arguments.u_present;
  const row_offsets offset(arguments);
  Z* const to = static_cast<Z*>(sums);
  std::size_t found = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (n + fetched_ahead < count)
      TROPIC_DETAIL_PREFETCH(columns + offset(rows[n + fetched_ahead]));
    const std::size_t row = rows[n], stop = offset(row + 1);
    Z sum{-0.0};
    std::uint8_t has_sum = 0;
    for (std::size_t e = offset(row); e < stop; e += group)
      for (std::size_t k = 0; k < group; ++k) {
        const std::size_t entry = std::min(e + k, stop - 1);
        const std::uint32_t j = columns[entry];
        const std::uint8_t counts = present[j] & static_cast<std::uint8_t>(e + k < stop);
        sum = s.add(sum, chosen(counts != 0, s.product(entry, j, row, j), Z{-0.0}));
        has_sum |= counts;
      }
    to[found] = sum;
    indices[found] = static_cast<std::uint32_t>(n);
    found += has_sum;
  }
  return found;
}
template <class S>
inline constexpr bool can_pull_listed = std::is_floating_point_v<typename S::z_type> &&
                                        std::is_same_v<typename S::monoid::operation, plus>;

template <class S, bool First>
std::size_t push_rows(const product_arguments& arguments, std::size_t begin, std::size_t end,
                      std::uint64_t first, std::uint64_t last, std::uint32_t* touched) {
  using Z = typename S::z_type;
  const side<S, First> s(arguments);
  const std::uint32_t* columns = arguments.columns;
  Z* w = static_cast<Z*>(arguments.w);
  std::uint8_t* present = arguments.w_present;
  const bool whole = first == 0 && last > 0xffffffffu;
  std::size_t count = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::size_t k = arguments.u_indices[n];
    std::size_t e = arguments.offset(k), stop = arguments.offset(k + 1);
    if (!whole) {
      e = static_cast<std::size_t>(std::lower_bound(columns + e, columns + stop, first) - columns);
      if (last <= 0xffffffffu)
        stop =
            static_cast<std::size_t>(std::lower_bound(columns + e, columns + stop, last) - columns);
    }
    for (; e < stop; ++e) {
      const std::uint32_t j = columns[e];
      if (arguments.skip && arguments.skip[j]) continue;
      if (present[j]) {
        if constexpr (!exits_at_first_product<S>) w[j] = s.add(w[j], s.product(e, n, j, k));
      } else {
        present[j] = 1;
        w[j] = s.product(e, n, j, k);
        touched[count++] = j;
      }
    }
  }
  return count;
}

template <class S>
using loops_of_mxv = loops_of<S, false>;
template <class S>
using loops_of_vxm = loops_of<S, !one_sided<S>>;

template <class Loops>
constexpr cpu_kernel_table make_table() {
  using S = typename Loops::semiring;
  constexpr bool first = Loops::first;
  cpu_kernel_table::pull_listed listed = nullptr;
  if constexpr (can_pull_listed<S>) listed = pull_listed<S, first>;
  cpu_kernel_table::takes_lengths by_lengths = nullptr;
  if constexpr (has_sum_of_equal<S>) by_lengths = takes_lengths<S, first>;
  return {pull_rows<S, first>, pull_bitmap<S, first>,         pull_piece<S, first>,
          push_rows<S, first>, has_bare_products_of_plain<S>, listed,
          by_lengths};
}
template <class Loops>
constexpr cpu_round_kernels make_round_table() {
  return round_kernels<typename Loops::semiring, Loops::first>();
}

}  // namespace cpu

template <semiring_type S>
const cpu_kernel_table cpu_kernels<S>::of_mxv = cpu::make_table<cpu::loops_of_mxv<S>>();
template <semiring_type S>
const cpu_kernel_table cpu_kernels<S>::of_vxm = cpu::make_table<cpu::loops_of_vxm<S>>();
template <semiring_type S>
const cpu_round_kernels cpu_kernels<S>::of_rounds = cpu::make_round_table<cpu::loops_of_vxm<S>>();

}  // namespace tropic::detail
