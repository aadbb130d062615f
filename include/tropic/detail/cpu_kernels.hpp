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

#include <tropic/detail/cpu_rounds.hpp>
#include <tropic/detail/cpu_side.hpp>

namespace tropic::detail {

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
  // [0]: mxv, multiply(a, u). [1]: vxm, multiply(u, a).
  pull_rows full[2];
  pull_rows bitmap[2];
  pull_piece piece[2];
  push_rows push[2];
  cpu_round_kernels rounds;  // of vxm
};

template <semiring_type S>
struct cpu_kernels {
  static const cpu_kernel_table table;
};

namespace cpu {

/// The sum over entries [begin, end), begin < end, with a full u.
template <class S, bool First>
inline typename S::z_type sum_full(const side<S, First>& s, const std::uint32_t* columns,
                                   std::size_t row, std::size_t begin, std::size_t end) {
  using Z = typename S::z_type;
  using M = typename S::monoid;
  const auto product = [&](std::size_t e) { return s.product(e, columns[e], row, columns[e]); };
  Z sum = product(begin);
  if constexpr (takes_first<S>) {
    return sum;
  } else if constexpr (is_quick_terminal<S>) {
    for (std::size_t e = begin + 1; e < end && !is_terminal<M>(sum); ++e)
      sum = s.add(sum, product(e));
    return sum;
  } else {
    constexpr std::size_t block = 64;
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
      if constexpr (is_slow_terminal<S>)
        if (is_terminal<M>(sum)) return sum;
    }
    for (; e < end; ++e) sum = s.add(sum, product(e));
    return sum;
  }
}

/// The same where u has gaps. Returns whether any entry was met.
template <class S, bool First>
inline bool sum_bitmap(const side<S, First>& s, const std::uint32_t* columns,
                       const std::uint8_t* present, std::size_t row, std::size_t begin,
                       std::size_t end, typename S::z_type& sum) {
  using M = typename S::monoid;
  std::size_t e = begin;
  while (e < end && !present[columns[e]]) ++e;
  if (e == end) return false;
  sum = s.product(e, columns[e], row, columns[e]);
  if constexpr (takes_first<S>) return true;
  for (++e; e < end; ++e) {
    if constexpr (terminal_of<M>() != terminal::none)
      if (is_terminal<M>(sum)) return true;
    if (present[columns[e]]) sum = s.add(sum, s.product(e, columns[e], row, columns[e]));
  }
  return true;
}

template <class S, bool First, bool Bitmap>
std::size_t pull_rows(const product_arguments& arguments, std::size_t begin, std::size_t end) {
  using Z = typename S::z_type;
  const side<S, First> s(arguments);
  const std::uint32_t* columns = arguments.columns;
  Z* w = static_cast<Z*>(arguments.w);
  std::uint8_t* present = arguments.w_present;
  std::size_t count = 0;
  std::size_t next = arguments.offset(begin);
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t first = next;
    next = arguments.offset(row + 1);
    bool found = false;
    if (first < next && !(arguments.skip && arguments.skip[row])) {
      if constexpr (Bitmap) {
        Z sum;
        found = sum_bitmap<S, First>(s, columns, arguments.u_present, row, first, next, sum);
        if (found) w[row] = sum;
      } else {
        w[row] = sum_full<S, First>(s, columns, row, first, next);
        found = true;
      }
    }
    present[row] = found;
    count += found;
  }
  return count;
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
    sum = sum_full<S, First>(s, arguments.columns, row, begin, end);
  }
  std::memcpy(result, &sum, sizeof(Z));
  return true;
}

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
        if constexpr (!takes_first<S>) w[j] = s.add(w[j], s.product(e, n, j, k));
      } else {
        present[j] = 1;
        w[j] = s.product(e, n, j, k);
        touched[count++] = j;
      }
    }
  }
  return count;
}

}  // namespace cpu

template <semiring_type S>
const cpu_kernel_table cpu_kernels<S>::table = {
    {cpu::pull_rows<S, false, false>, cpu::pull_rows<S, !cpu::one_sided<S>, false>},
    {cpu::pull_rows<S, false, true>, cpu::pull_rows<S, !cpu::one_sided<S>, true>},
    {cpu::pull_piece<S, false>, cpu::pull_piece<S, !cpu::one_sided<S>>},
    {cpu::push_rows<S, false>, cpu::push_rows<S, !cpu::one_sided<S>>},
    cpu::round_kernels<S, !cpu::one_sided<S>>(),
};

}  // namespace tropic::detail
