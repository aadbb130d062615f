// SPDX-License-Identifier: Apache-2.0
#pragma once

// The products of matrices on the CPU for one semiring: the loops that touch values.
//
//   open, gated, hashed   Gustavson (1978): row i of C is the sum of the rows k of B that A(i, k)
//                         select, added to an accumulator in the order of k
//   inner                 C(i, j) for each position of a mask as a sum over the entries that row i
//                         of A and row j of B' share, in the order of k
//
// Both add the products of an entry one after the other, in ascending order of k and starting with
// the first: results equal the reference's to the bit, whatever kernel and number of threads.
// `open` has no branch where values are numbers, as which positions repeat is random. `gated` and
// `hashed` serve masks, by states set beforehand (Milakovic et al., Parallel algorithms for masked
// sparse matrix-matrix products, ICPP 2022: MSA, one pass, and Hash).
//
// Work: O(products) for a row, and O(mask) before it. Space: a value and a byte a column, or a
// slot.

#include <algorithm>
#include <type_traits>

#include <tropic/detail/cpu/mxm_table.hpp>
#include <tropic/detail/cpu/row_sums.hpp>

namespace tropic::detail {
namespace mxm_on_cpu {

/// A semiring's operators over the values of two matrices.
template <class S>
struct factors {
  using a_type = typename S::a_type;
  using x_type = typename S::x_type;
  using z_type = typename S::z_type;
  static constexpr bool uses_a = S::operation::tropic_syntax.uses_x;
  static constexpr bool uses_b = S::operation::tropic_syntax.uses_y;

  typename S::operation multiply;
  const a_type* a;
  const x_type* b;
  std::size_t a_mask, b_mask;  // 0 if all entries share one value

  explicit factors(const mxm_arguments& arguments)
      : multiply(cpu::side<S, false>::multiplication_of(*arguments.semiring)),
        a(static_cast<const a_type*>(arguments.a.values)),
        b(static_cast<const x_type*>(arguments.b.values)),
        a_mask(arguments.a.iso ? 0 : ~std::size_t{0}),
        b_mask(arguments.b.iso ? 0 : ~std::size_t{0}) {}

  a_type value_of_a(std::size_t e) const {
    if constexpr (uses_a)
      return a[e & a_mask];
    else
      return a_type{};
  }
  x_type value_of_b(std::size_t e) const {
    if constexpr (uses_b)
      return b[e & b_mask];
    else
      return x_type{};
  }
  z_type product(const a_type& x, const x_type& y, std::size_t i, std::size_t k,
                 std::size_t j) const {
    return multiply.template evaluate<z_type>(x, y, static_cast<index_t>(i),
                                              static_cast<index_t>(k), static_cast<index_t>(j));
  }
  static z_type add(const z_type& x, const z_type& y) { return cpu::side<S, false>::add(x, y); }
};

/// Whether an addition of arbitrary bits, whose result is not used, is harmless and cheap.
template <class S>
inline constexpr bool adds_without_branch =
    std::is_arithmetic_v<typename S::z_type> && !std::is_same_v<typename S::z_type, bool>;

template <class S>
std::size_t open(const mxm_arguments& arguments, std::size_t row, mxm_accumulator& to) {
  using Z = typename S::z_type;
  const factors<S> f(arguments);
  Z* const sums = static_cast<Z*>(to.sums);
  std::uint8_t* const states = to.states;
  std::uint32_t* const touched = to.touched;
  const std::uint32_t* const a_columns = arguments.a.columns;
  const std::uint32_t* const b_columns = arguments.b.columns;
  std::size_t count = 0;
  std::size_t e = arguments.a.offset(row);
  const std::size_t end = arguments.a.offset(row + 1);
  // The first row of B meets nothing.
  for (; e < end && count == 0; ++e) {
    const std::size_t k = a_columns[e];
    const auto x = f.value_of_a(e);
    for (std::size_t g = arguments.b.offset(k), stop = arguments.b.offset(k + 1); g < stop; ++g) {
      const std::uint32_t j = b_columns[g];
      sums[j] = f.product(x, f.value_of_b(g), row, k, j);
      states[j] = mxm_state::held;
      touched[count++] = j;
    }
  }
  for (; e < end; ++e) {
    const std::size_t k = a_columns[e];
    const auto x = f.value_of_a(e);
    for (std::size_t g = arguments.b.offset(k), stop = arguments.b.offset(k + 1); g < stop; ++g) {
      const std::uint32_t j = b_columns[g];
      const bool held = states[j] != mxm_state::empty;
      if constexpr (cpu::exits_at_first_product<S> || !adds_without_branch<S>) {
        if (!held) {
          sums[j] = f.product(x, f.value_of_b(g), row, k, j);
          states[j] = mxm_state::held;
          touched[count++] = j;
        } else if constexpr (!cpu::exits_at_first_product<S>) {
          sums[j] = f.add(sums[j], f.product(x, f.value_of_b(g), row, k, j));
        }
      } else {
        const Z product = f.product(x, f.value_of_b(g), row, k, j);
        const Z sum = f.add(sums[j], product);
        sums[j] = held ? sum : product;
        states[j] = mxm_state::held;
        touched[count] = j;
        count += !held;
      }
    }
  }
  return count;
}

template <class S>
std::size_t gated(const mxm_arguments& arguments, std::size_t row, mxm_accumulator& to) {
  using Z = typename S::z_type;
  const factors<S> f(arguments);
  Z* const sums = static_cast<Z*>(to.sums);
  std::uint8_t* const states = to.states;
  std::uint32_t* const touched = to.touched;
  const std::uint8_t free = to.free;
  const std::uint32_t* const a_columns = arguments.a.columns;
  const std::uint32_t* const b_columns = arguments.b.columns;
  std::size_t count = 0;
  for (std::size_t e = arguments.a.offset(row), end = arguments.a.offset(row + 1); e < end; ++e) {
    const std::size_t k = a_columns[e];
    const auto x = f.value_of_a(e);
    for (std::size_t g = arguments.b.offset(k), stop = arguments.b.offset(k + 1); g < stop; ++g) {
      const std::uint32_t j = b_columns[g];
      const std::uint8_t state = states[j];
      if (state == free) {
        sums[j] = f.product(x, f.value_of_b(g), row, k, j);
        states[j] = mxm_state::held;
        touched[count++] = j;
      } else if constexpr (!cpu::exits_at_first_product<S>) {
        if (state == mxm_state::held)
          sums[j] = f.add(sums[j], f.product(x, f.value_of_b(g), row, k, j));
      }
    }
  }
  return count;
}

template <class S>
std::size_t hashed(const mxm_arguments& arguments, std::size_t row, mxm_accumulator& to) {
  using Z = typename S::z_type;
  const factors<S> f(arguments);
  Z* const sums = static_cast<Z*>(to.sums);
  std::uint8_t* const states = to.states;
  std::uint32_t *const touched = to.touched, *const keys = to.keys;
  const std::uint8_t free = to.free;
  const std::uint32_t slot_mask = to.slot_mask;
  const std::uint32_t* const a_columns = arguments.a.columns;
  const std::uint32_t* const b_columns = arguments.b.columns;
  std::size_t count = 0;
  for (std::size_t e = arguments.a.offset(row), end = arguments.a.offset(row + 1); e < end; ++e) {
    const std::size_t k = a_columns[e];
    const auto x = f.value_of_a(e);
    for (std::size_t g = arguments.b.offset(k), stop = arguments.b.offset(k + 1); g < stop; ++g) {
      const std::uint32_t j = b_columns[g];
      std::uint32_t slot = mxm_accumulator::hash(j) & slot_mask;
      while (states[slot] != mxm_state::empty && keys[slot] != j) slot = (slot + 1) & slot_mask;
      const std::uint8_t state = states[slot];
      if (state == free) {
        sums[slot] = f.product(x, f.value_of_b(g), row, k, j);
        states[slot] = mxm_state::held;
        keys[slot] = j;
        touched[count++] = slot;
      } else if constexpr (!cpu::exits_at_first_product<S>) {
        if (state == mxm_state::held)
          sums[slot] = f.add(sums[slot], f.product(x, f.value_of_b(g), row, k, j));
      }
    }
  }
  return count;
}

/// The sum of the products of A(i, .), which is in `place`, and entries [begin, end) of B', row j.
/// Returns whether there was one.
template <class S>
bool sum_by_place(const mxm_arguments& arguments, const factors<S>& f, const std::uint32_t* place,
                  std::size_t a_begin, std::size_t i, std::size_t j, std::size_t begin,
                  std::size_t end, typename S::z_type& sum) {
  const std::uint32_t* const columns = arguments.b.columns;
  if constexpr (!factors<S>::uses_a && !factors<S>::uses_b && cpu::has_sum_of_equal<S>) {
    const auto product = f.product(typename S::a_type{}, typename S::x_type{}, 0, 0, 0);
    if (cpu::exits_at_first_product<S> || cpu::has_exact_sums<S>(product, end - begin)) {
      std::size_t shared = 0;
      for (std::size_t g = begin; g < end; ++g) {
        shared += place[columns[g]] != 0;
        if constexpr (cpu::exits_at_first_product<S> || S::monoid::traits.idempotent)
          if (shared > 1) break;
      }
      if (shared > 0)
        sum = cpu::sum_of_equal<cpu::kind_of_equal_sums<S>>(product, cpu::sum_of_two<S>(product),
                                                            shared);
      return shared > 0;
    }
  }
  bool any = false;
  for (std::size_t g = begin; g < end; ++g) {
    const std::size_t k = columns[g];
    const std::uint32_t at = place[k];
    if (at == 0) continue;
    const auto product = f.product(f.value_of_a(a_begin + at - 1), f.value_of_b(g), i, k, j);
    sum = any ? f.add(sum, product) : product;
    any = true;
    if constexpr (cpu::exits_at_first_product<S>) return true;
    if constexpr (terminal_of<typename S::monoid>() != terminal::none)
      if (is_terminal<typename S::monoid>(sum)) return true;
  }
  return any;
}

/// The same where row i of A is much shorter: each of its columns is looked up.
template <class S>
bool sum_by_search(const mxm_arguments& arguments, const factors<S>& f, std::size_t a_begin,
                   std::size_t a_end, std::size_t i, std::size_t j, std::size_t begin,
                   std::size_t end, typename S::z_type& sum) {
  const std::uint32_t* const columns = arguments.b.columns;
  const std::uint32_t *from = columns + begin, *const stop = columns + end;
  bool any = false;
  for (std::size_t e = a_begin; e < a_end; ++e) {
    const std::uint32_t k = arguments.a.columns[e];
    from = std::lower_bound(from, stop, k);
    if (from == stop) break;
    if (*from != k) continue;
    const auto product =
        f.product(f.value_of_a(e), f.value_of_b(static_cast<std::size_t>(from - columns)), i, k, j);
    sum = any ? f.add(sum, product) : product;
    any = true;
    if constexpr (cpu::exits_at_first_product<S>) return true;
    if constexpr (terminal_of<typename S::monoid>() != terminal::none)
      if (is_terminal<typename S::monoid>(sum)) return true;
  }
  return any;
}

template <class S>
std::size_t inner(const mxm_arguments& arguments, std::size_t row, const mxm_places& to) {
  using Z = typename S::z_type;
  const factors<S> f(arguments);
  const std::size_t a_begin = arguments.a.offset(row), a_end = arguments.a.offset(row + 1);
  if (a_begin == a_end) return 0;
  std::uint32_t* const place = to.place;
  const std::uint32_t* const a_columns = arguments.a.columns;
  if (place != nullptr)
    for (std::size_t e = a_begin; e < a_end; ++e)
      place[a_columns[e]] = static_cast<std::uint32_t>(e - a_begin + 1);
  Z* const values = static_cast<Z*>(to.values);
  std::size_t count = 0;
  const std::size_t a_length = a_end - a_begin;
  for (std::size_t n = arguments.mask.offset(row), stop = arguments.mask.offset(row + 1); n < stop;
       ++n) {
    const std::uint32_t j = arguments.mask.columns[n];
    const std::size_t begin = arguments.b.offset(j), end = arguments.b.offset(j + std::size_t{1});
    Z sum{};
    const bool any = place == nullptr || (end - begin) / 16 > a_length
                         ? sum_by_search<S>(arguments, f, a_begin, a_end, row, j, begin, end, sum)
                         : sum_by_place<S>(arguments, f, place, a_begin, row, j, begin, end, sum);
    if (!any) continue;
    to.columns[count] = j;
    values[count++] = sum;
  }
  if (place != nullptr)
    for (std::size_t e = a_begin; e < a_end; ++e) place[a_columns[e]] = 0;
  return count;
}

template <class S>
constexpr cpu_mxm_kernel_table make_table() {
  return {open<S>, gated<S>, hashed<S>, inner<S>};
}

}  // namespace mxm_on_cpu

template <semiring_type S>
const cpu_mxm_kernel_table cpu_mxm_kernels<S>::table =
    mxm_on_cpu::make_table<typename cpu::same_bits<S>::type>();

}  // namespace tropic::detail
