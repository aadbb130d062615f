// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU's kernels for rounds of iterate_until, instantiated beside those of products. They
// combine products with w in place: no vector of sums is made, and a position is touched once an
// edge. That gives the same results as the definition (include/tropic/iterate.hpp) where the order
// of a sum's terms does not show, and, with `improves`, where that is the order by which the add
// chooses. Sums of floating values are taken in ascending order of the frontier
// (cpu/pushes_in_order.hpp).
//
//   push      the entries of the frontier send their products along their rows
//   pull      a position without an entry takes those that come in from the frontier, until the
//             terminal (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first
//             search", SC 2012)

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tropic/detail/cpu/kernel_arguments.hpp>
#include <tropic/detail/cpu/pushes_in_order.hpp>
#include <tropic/detail/cpu/round_arguments.hpp>

namespace tropic::detail::cpu {

// A sum starts with its first product, a round with the add's identity. They differ where the add
// turns numbers into truth values (0 or 5 is 1, but a single 5 stays) and products are other
// numbers.
template <class S, class Op = typename S::monoid::operation, class Multiply = typename S::operation>
inline constexpr bool keeps_single_products =
    std::is_same_v<typename S::z_type, bool> ||
    !(std::is_same_v<Op, logical_or> || std::is_same_v<Op, logical_and> ||
      std::is_same_v<Op, logical_xor>) ||
    std::is_same_v<Multiply, pair> || std::is_same_v<Multiply, logical_and> ||
    std::is_same_v<Multiply, logical_or>;
template <class S>
inline constexpr bool sums_in_any_order =
    std::is_integral_v<typename S::z_type> && S::monoid::traits.has_identity &&
    terminal_of<typename S::monoid>() != terminal::any_value && keeps_single_products<S>;
template <class S>
inline constexpr bool sums_in_order =
    std::is_floating_point_v<typename S::z_type> && !exits_at_first_product<S>;
// Relaxed atomic operations by the compiler's builtins: <atomic> is a large header for every
// program.
template <class T>
inline T load_shared(const T& from) {
  T value;
  __atomic_load(&from, &value, __ATOMIC_RELAXED);
  return value;
}
template <class T>
inline bool replace_shared(T& at, T& expected, T value) {
  return __atomic_compare_exchange(&at, &expected, &value, true, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}

// w = sum(w, product), where other threads may do the same. Returns the sum.
template <class S, class Side, class Z>
inline Z combine(const Side& s, Z& w, const Z& product, bool shared) {
  if (!shared) return w = s.add(w, product);
  Z old = load_shared(w), sum = s.add(old, product);
  while (sum != old && !replace_shared(w, old, sum)) sum = s.add(old, product);
  return sum;
}

// w = product if that is better; whether it was.
template <class S, class Z>
inline bool improve(Z& w, const Z& product, bool shared) {
  const auto better = [](const Z& x, const Z& y) {
    if constexpr (is_minimum<S>)
      return x < y;
    else
      return x > y;
  };
  if (!shared) {
    if (!better(product, w)) return false;
    w = product;
    return true;
  }
  Z old = load_shared(w);
  while (better(product, old))
    if (replace_shared(w, old, product)) return true;
  return false;
}

// Whether bit j was not set before.
inline bool set_first(std::uint64_t* bits, std::uint32_t j, bool shared) {
  std::uint64_t& word = bits[j / 64];
  const std::uint64_t bit = std::uint64_t{1} << (j % 64);
  if (!shared) {
    const bool first = (word & bit) == 0;
    word |= bit;
    return first;
  }
  return (load_shared(word) & bit) == 0 &&
         (__atomic_fetch_or(&word, bit, __ATOMIC_RELAXED) & bit) == 0;
}

// w[j] = what a product makes of it, and j in the list. Whether an edge changes its position is
// about as likely as not, and rounds that are small have their positions in the cache: without
// branches by what the edges find, which would be mispredicted.
template <class S, bool Improving, class Side, class Z>
inline void change_one(const round_arguments& arguments, const Side& s, Z* w, std::uint32_t j,
                       const Z& product, std::uint32_t* list, std::size_t& count) {
  std::uint64_t* const listed = arguments.listed;
  const Z old = w[j];
  std::uint64_t changes;
  if constexpr (Improving) {
    const bool better = is_minimum<S> ? product < old : product > old;
    changes = better;
    w[j] = better ? product : old;
  } else {
    const Z sum = s.add(old, product);
    changes = ~arguments.settled[j / 64] >> (j % 64) & 1;
    w[j] = changes != 0 ? sum : old;
  }
  const std::uint64_t word = listed[j / 64], bit = changes << (j % 64);
  list[count] = j;
  count += static_cast<std::size_t>((bit & ~word) != 0);
  listed[j / 64] = word | bit;
}

// push(e, element, j, row) for the edges of entries [begin, end) of the frontier; of a single one,
// for its edges [first, last).
template <class Push>
TROPIC_DETAIL_INLINED void for_edges(const round_arguments& arguments, std::size_t begin,
                                     std::size_t end, std::size_t first, std::size_t last,
                                     Push&& push) {
  const std::uint32_t* const columns = arguments.columns;
  const row_offsets offset(arguments);
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    const std::size_t start = offset(row);
    const std::size_t stop = end - begin == 1 ? start + last : offset(row + std::size_t{1});
    const std::size_t element = arguments.by_position ? row : n;
    for (std::size_t e = end - begin == 1 ? start + first : start; e < stop; ++e)
      push(e, element, columns[e], row);
  }
}

// A push of few edges.
template <class S, bool First, bool Improving>
std::size_t push_few(const round_arguments& arguments, std::size_t begin, std::size_t end,
                     std::size_t first, std::size_t last, std::uint32_t* list) {
  using Z = typename S::z_type;
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  round_messages* const messages = arguments.messages;
  std::size_t count = 0;
  for_edges(arguments, begin, end, first, last,
            [&](std::size_t e, std::size_t element, std::uint32_t j, std::uint32_t row) {
              const Z product = s.product(e, element, j, row);
              if (arguments.is_foreign(j)) {
                messages->positions[messages->count] = j;
                static_cast<Z*>(messages->products)[messages->count++] = product;
                return;
              }
              change_one<S, Improving>(arguments, s, w, j, product, list, count);
            });
  return count;
}

template <class S, bool First, bool Improving>
std::size_t take_messages(const round_arguments& arguments, const round_messages& messages,
                          std::uint32_t* list, std::size_t listed) {
  using Z = typename S::z_type;
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const Z* const products = static_cast<const Z*>(messages.products);
  for (std::size_t n = 0; n < messages.count; ++n) {
    const std::uint32_t j = messages.positions[n];
    if (!arguments.is_foreign(j))
      change_one<S, Improving>(arguments, s, w, j, products[n], list, listed);
  }
  return listed;
}

// A push without a list. Threads that set bits of one small set wait for each other's caches, so
// only w tells what changed; a sum that is the identity is in the set `listed`. Products wait in a
// block while their positions of w are fetched: a locked operation waits for its own.
template <class S, bool First>
void push_unlisted(const round_arguments& arguments, std::size_t begin, std::size_t end,
                   std::size_t first, std::size_t last) {
  using Z = typename S::z_type;
  constexpr std::size_t block = 64;
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const Z identity = S::monoid::identity();
  std::uint32_t positions[block];
  Z products[block];
  std::size_t held = 0;
  const auto combine_held = [&] {
    for (std::size_t k = 0; k < held; ++k)
      if (combine<S>(s, w[positions[k]], products[k], arguments.shared) == identity)
        set_first(arguments.listed, positions[k], arguments.shared);
    held = 0;
  };
  for_edges(arguments, begin, end, first, last,
            [&](std::size_t e, std::size_t element, std::uint32_t j, std::uint32_t row) {
              if (has_bit(arguments.settled, j)) return;
              TROPIC_DETAIL_PREFETCH(w + j);
              positions[held] = j;
              products[held++] = s.product(e, element, j, row);
              if (held == block) combine_held();
            });
  combine_held();
}

template <class S, bool First, bool Improving>
std::size_t push_changes(const round_arguments& arguments, std::size_t begin, std::size_t end,
                         std::size_t first, std::size_t last, std::uint32_t* list) {
  using Z = typename S::z_type;
  if (arguments.few) return push_few<S, First, Improving>(arguments, begin, end, first, last, list);
  if constexpr (!Improving) {
    if (list == nullptr) {
      push_unlisted<S, First>(arguments, begin, end, first, last);
      return 0;
    }
  }
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const bool shared = arguments.shared;
  [[maybe_unused]] Z* const improved = static_cast<Z*>(arguments.improved);
  std::size_t count = 0;
  for_edges(arguments, begin, end, first, last,
            [&](std::size_t e, std::size_t element, std::uint32_t j, std::uint32_t row) {
              if constexpr (Improving) {
                const Z product = s.product(e, element, j, row);
                if (!improve<S>(w[j], product, shared)) return;
                if (improved != nullptr) {
                  list[count] = j;
                  improved[count++] = product;
                  return;
                }
              } else {
                if (has_bit(arguments.settled, j)) return;
                combine<S>(s, w[j], s.product(e, element, j, row), shared);
              }
              list[count] = j;
              count += set_first(arguments.listed, j, shared);
            });
  return count;
}

template <class S, bool First>
std::size_t pull_changes(const round_arguments& arguments, std::size_t begin, std::size_t end,
                         std::uint64_t* changed) {
  using Z = typename S::z_type;
  using M = typename S::monoid;
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const std::uint32_t* const columns = arguments.columns;
  const std::uint64_t* const frontier = arguments.frontier;
  std::size_t count = 0;
  for (std::size_t word = begin; word < end; ++word) {
    std::uint64_t found = 0;
    for (std::uint64_t open = ~arguments.settled[word]; open != 0; open &= open - 1) {
      const std::size_t bit = static_cast<std::size_t>(std::countr_zero(open));
      const std::size_t row = word * 64 + bit;
      const std::size_t stop = arguments.offset(row + 1);
      std::size_t e = arguments.offset(row);
      while (e < stop && !has_bit(frontier, columns[e])) ++e;
      if (e == stop) continue;
      Z sum = s.product(e, columns[e], row, columns[e]);
      if constexpr (!exits_at_first_product<S>)
        for (++e; e < stop && !is_terminal<M>(sum); ++e)
          if (has_bit(frontier, columns[e]))
            sum = s.add(sum, s.product(e, columns[e], row, columns[e]));
      w[row] = sum;
      found |= std::uint64_t{1} << bit;
    }
    changed[word] = found;
    count += static_cast<std::size_t>(std::popcount(found));
  }
  return count;
}

template <class S, bool First>
constexpr cpu_round_kernels round_kernels() {
  cpu_round_kernels kernels;
  if constexpr (sums_in_any_order<S>) {
    kernels.push_lacking = push_changes<S, First, false>;
    kernels.pull_lacking = pull_changes<S, First>;
    kernels.take_lacking = take_messages<S, First, false>;
  } else if constexpr (sums_in_order<S>) {
    kernels.push_lacking = push_in_order<S, First>;
    kernels.pull_lacking = pull_changes<S, First>;
    kernels.in_order = true;
  }
  if constexpr (is_minimum<S> || is_maximum<S>) {
    kernels.push_improving = push_changes<S, First, true>;
    kernels.take_improving = take_messages<S, First, true>;
    kernels.improves = is_minimum<S> ? less::tropic_text : greater::tropic_text;
  }
  return kernels;
}

}  // namespace tropic::detail::cpu
