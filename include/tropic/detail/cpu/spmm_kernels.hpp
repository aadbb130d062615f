// SPDX-License-Identifier: Apache-2.0
#pragma once

// The products of a sparse and a full matrix on the CPU for one semiring: the loops that touch
// values.
//
// Row i of C is computed in blocks of up to 32 columns, whose sums stay in registers: for every
// entry A(i, k) the same columns of row k of B are read, which are neighbours in memory, and
// multiplied and added column by column. The sums of a position begin with its first product and
// add the others in ascending order of k; results equal the reference's to the bit, whatever the
// blocks and the threads.
//
//   full     B has every entry
//   bitmap   B may lack entries; its rows without any are not read
//
// Minima and maxima of numbers compare products without the rules for rare operands first, and are
// computed again by the rules where the result shows that one may apply (extremum_of_row,
// cpu/row_sums.hpp, has the reasons).
//
// Work: O(entries of A x columns of B). Space: none.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <tropic/detail/cpu/kernels.hpp>
#include <tropic/detail/cpu/spmm_blocks.hpp>
#include <tropic/detail/cpu/spmm_gaps.hpp>
#include <tropic/detail/cpu/spmm_table.hpp>

namespace tropic::detail {
namespace spmm_on_cpu {

/// The most columns of a block.
inline constexpr std::size_t widest = 32;
#if defined(TROPIC_DETAIL_HAS_AVX2_LOOPS)
/// Without AVX2, on old machines: wider blocks gain little there, and take long to compile. Least
/// where B lacks entries.
inline constexpr std::size_t widest_of_sse = 4, widest_of_sse_with_gaps = 1;
#endif

/// visit<W>(first column) for blocks of fixed widths, at most `Widest`, that cover [first, last).
template <std::size_t Widest, class F>
inline void for_blocks(std::size_t first, std::size_t last, F&& visit) {
  for (; last - first >= Widest; first += Widest) visit.template operator()<Widest>(first);
  if constexpr (Widest > 16) {
    if (last - first >= 16) {
      visit.template operator()<16>(first);
      first += 16;
    }
  }
  if constexpr (Widest > 8) {
    if (last - first >= 8) {
      visit.template operator()<8>(first);
      first += 8;
    }
  }
  if constexpr (Widest > 4) {
    if (last - first >= 4) {
      visit.template operator()<4>(first);
      first += 4;
    }
  }
  if constexpr (Widest > 1)
    for (; first < last; ++first) visit.template operator()<1>(first);
}

/// Whether all columns of a row have one sum, which is not a product: products read no value of B
/// and no column's index.
template <class S, bool First>
inline constexpr bool has_equal_columns =
    !cpu::exits_at_first_product<S> && !factors<S, First>::uses_b &&
    !S::operation::tropic_syntax.uses_i && !S::operation::tropic_syntax.uses_j;

/// Rows that all have entries, without flags.
template <class S, bool First, bool Bare, std::size_t Widest>
std::size_t rows_of_full(const spmm_arguments& arguments, std::size_t begin, std::size_t end,
                         std::size_t first, std::size_t last) {
  using Z = typename S::z_type;
  const factors<S, First> f(arguments);
  if (first == last) return 0;
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t e = arguments.a.offset(row), stop = arguments.a.offset(row + 1);
    Z* const to = static_cast<Z*>(arguments.c) + row * arguments.columns;
    if constexpr (has_equal_columns<S, First>) {
      block<S, First, Bare, 1>(f, row, e, stop, first, to);
      std::fill(to + first + 1, to + last, to[first]);
    } else {
      for_blocks<Widest>(first, last, [&]<std::size_t W>(std::size_t at) {
        block<S, First, Bare, W>(f, row, e, stop, at, to);
      });
    }
  }
  return (end - begin) * (last - first);
}

/// Calls rows_of_full for the rows that have entries and the columns that a mask does not exclude,
/// so that it is compiled without flags alone, and sets c_present.
inline std::size_t wanted_rows_of_full(cpu_spmm_kernel_table::rows rows_of_full,
                                       const spmm_arguments& arguments, std::size_t begin,
                                       std::size_t end, std::size_t first, std::size_t last) {
  const auto has_entries = [&](std::size_t row) {
    return arguments.a.offset(row) < arguments.a.offset(row + 1);
  };
  // Columns [at, run_end) of rows [row, rows_end).
  std::size_t count = 0;
  const auto fill = [&](std::size_t row, std::size_t rows_end, std::size_t at, std::size_t run_end,
                        bool is_wanted) {
    for (std::size_t r = row; r < rows_end; ++r)
      std::memset(arguments.c_present + r * arguments.columns + at, is_wanted, run_end - at);
    if (is_wanted) count += rows_of_full(arguments, row, rows_end, at, run_end);
  };
  for (std::size_t row = begin, rows_end = begin; row < end; row = rows_end) {
    const bool filled = has_entries(row);
    do ++rows_end;
    while (rows_end < end && has_entries(rows_end) == filled &&
           (!filled || arguments.skip == nullptr));
    if (!filled || arguments.skip == nullptr) {
      fill(row, rows_end, first, last, filled);
      continue;
    }
    const std::uint8_t* const skip = arguments.skip + row * arguments.columns;
    const auto is_wanted = [&](std::size_t at) {
      return !all_set(skip + at, std::min(widest, last - at));
    };
    for (std::size_t at = first, run_end = first; at < last; at = run_end) {
      const bool wanted = is_wanted(at);
      do run_end = std::min(run_end + widest, last);
      while (run_end < last && is_wanted(run_end) == wanted);
      fill(row, rows_end, at, run_end, wanted);
    }
  }
  return count;
}

template <class S, bool First, std::size_t Widest>
std::size_t rows_of_bitmap(const spmm_arguments& arguments, std::size_t begin, std::size_t end,
                           std::size_t first, std::size_t last) {
  using Z = typename S::z_type;
  const factors<S, First> f(arguments);
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t e = arguments.a.offset(row), stop = arguments.a.offset(row + 1);
    Z* const to = static_cast<Z*>(arguments.c) + row * arguments.columns;
    std::uint8_t* const present = arguments.c_present + row * arguments.columns;
    const std::uint8_t* const row_skip =
        arguments.skip == nullptr ? nullptr : arguments.skip + row * arguments.columns;
    for_blocks<Widest>(first, last, [&]<std::size_t W>(std::size_t at) {
      const std::uint8_t* const skip = row_skip == nullptr ? nullptr : row_skip + at;
      if (e == stop || (skip != nullptr && all_set(skip, W))) {
        std::memset(present + at, 0, W);
        return;
      }
      Z sums[W]{};  // read only where has[j] is not 0, which compilers do not see
      std::uint8_t has[W];
      if constexpr (multiplies_absent<S, First>)
        sum_present<S, First, W>(arguments, f, row, e, stop, at, sums, has);
      else
        sum_present_by_branches<S, First, W>(arguments, f, row, e, stop, at, skip, sums, has);
      for (std::size_t j = 0; j < W; ++j) {
        if (has[j] != 0) to[at + j] = sums[j];
        present[at + j] = has[j];
        count += has[j];
      }
    });
  }
  return count;
}

#if defined(TROPIC_DETAIL_HAS_AVX2_LOOPS)
template <class S>
inline constexpr bool gains_by_avx2 =
    is_number<typename S::z_type> && sizeof(typename S::z_type) >= 4;
template <class S, bool First, bool Bare>
[[gnu::target("avx2"), gnu::flatten]] std::size_t rows_of_full_by_avx2(
    const spmm_arguments& arguments, std::size_t begin, std::size_t end, std::size_t first,
    std::size_t last) {
  return rows_of_full<S, First, Bare, widest>(arguments, begin, end, first, last);
}
template <class S, bool First>
[[gnu::target("avx2"), gnu::flatten]] std::size_t rows_of_bitmap_by_avx2(
    const spmm_arguments& arguments, std::size_t begin, std::size_t end, std::size_t first,
    std::size_t last) {
  return rows_of_bitmap<S, First, widest>(arguments, begin, end, first, last);
}
#endif

template <class S, bool First, bool Bare>
std::size_t full_by_values(const spmm_arguments& arguments, std::size_t begin, std::size_t end,
                           std::size_t first, std::size_t last) {
  cpu_spmm_kernel_table::rows rows = nullptr;
#if defined(TROPIC_DETAIL_HAS_AVX2_LOOPS)
  if constexpr (gains_by_avx2<S>)
    rows = cpu::machine_has_avx2() ? &rows_of_full_by_avx2<S, First, Bare>
                                   : &rows_of_full<S, First, Bare, widest_of_sse>;
  else
    rows = &rows_of_full<S, First, Bare, widest>;
#else
  rows = &rows_of_full<S, First, Bare, widest>;
#endif
  if (arguments.c_present == nullptr) return rows(arguments, begin, end, first, last);
  return wanted_rows_of_full(rows, arguments, begin, end, first, last);
}

template <class S, bool First>
std::size_t full(const spmm_arguments& arguments, std::size_t begin, std::size_t end,
                 std::size_t first, std::size_t last) {
  if constexpr (cpu::has_bare_products<S>) {
    return full_by_values<S, First, true>(arguments, begin, end, first, last);
  } else {
    if constexpr (cpu::has_bare_products_of_plain<S>)
      if (arguments.a_is_plain)
        return full_by_values<S, First, true>(arguments, begin, end, first, last);
    return full_by_values<S, First, false>(arguments, begin, end, first, last);
  }
}

template <class S, bool First>
std::size_t bitmap(const spmm_arguments& arguments, std::size_t begin, std::size_t end,
                   std::size_t first, std::size_t last) {
#if defined(TROPIC_DETAIL_HAS_AVX2_LOOPS)
  if constexpr (gains_by_avx2<S> && multiplies_absent<S, First>) {
    if (cpu::machine_has_avx2())
      return rows_of_bitmap_by_avx2<S, First>(arguments, begin, end, first, last);
    return rows_of_bitmap<S, First, widest_of_sse_with_gaps>(arguments, begin, end, first, last);
  }
#endif
  return rows_of_bitmap<S, First, widest>(arguments, begin, end, first, last);
}

template <class A, class B>
constexpr cpu_spmm_kernel_table make_table() {
  return {
      {full<typename A::semiring, A::first>, full<typename B::semiring, B::first>},
      {bitmap<typename A::semiring, A::first>, bitmap<typename B::semiring, B::first>},
      cpu::has_bare_products_of_plain<typename A::semiring>,
  };
}

}  // namespace spmm_on_cpu

template <semiring_type S>
const cpu_spmm_kernel_table cpu_spmm_kernels<S>::table =
    spmm_on_cpu::make_table<cpu::loops_of<S, false>, cpu::loops_of<S, !cpu::one_sided<S>>>();

}  // namespace tropic::detail
