// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU's kernels for rounds of iterate_until, instantiated beside those of products. They
// combine products with w in place: no vector of sums is made, and a position is touched once an
// edge. That gives the same results as the definition (include/tropic/iterate.hpp) where the order
// of a sum's terms does not show, and, with `improves`, where that is the order by which the add
// chooses. Sums of floating values are taken in ascending order of the frontier, which is sorted.
//
//   push      the entries of the frontier send their products along their rows
//   pull      a position without an entry takes those that come in from the frontier, until the
//             terminal (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first
//             search", SC 2012)

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tropic/detail/cpu_side.hpp>

namespace tropic::detail {

/// Products for positions that their sender does not own.
struct round_messages {
  std::uint32_t* positions = nullptr;
  void* products = nullptr;
  std::size_t count = 0;
};

/// Sets of positions are words of 64 bits: position j is bit j % 64 of word j / 64.
struct round_arguments : product_arguments {
  bool by_position = false;                 // u: by position, else by entry of the frontier
  const std::uint64_t* settled = nullptr;   // positions that take no product: w had an entry there
  std::uint64_t* listed = nullptr;          // positions in a list of this round
  const std::uint64_t* frontier = nullptr;  // pull: the positions that send
  bool shared = false;                      // other threads push in the same round
  bool few = false;                         // a round of few edges, on one thread
  // push_in_order: takes the columns [first_column, last_column).
  std::uint64_t first_column = 0, last_column = std::uint64_t{1} << 32;
  // Rounds of few edges that threads share by position. Each owns blocks of positions, in turns:
  // only it writes there.
  static constexpr std::uint32_t owned_block = 1024;
  std::uint32_t owner = 0, owners = 1;  // owners: a power of two
  round_messages* messages = nullptr;   // to the other owners, with room for all edges

  /// Whether position j is another owner's.
  bool is_foreign(std::uint32_t j) const { return ((j / owned_block ^ owner) & (owners - 1)) != 0; }
};

struct cpu_round_kernels {
  /// Entries [begin, end) of the frontier; of a single one, its edges [first, last). Lists the
  /// positions whose w changed and that are not listed yet; returns how many.
  using push = std::size_t (*)(const round_arguments&, std::size_t begin, std::size_t end,
                               std::size_t first, std::size_t last, std::uint32_t* list);
  /// Positions of words [begin, end) of the sets, whose rows hold what comes in. Sets the bits of
  /// those that changed in `changed`; returns how many.
  using pull = std::size_t (*)(const round_arguments&, std::size_t begin, std::size_t end,
                               std::uint64_t* changed);
  // Where w lacks an entry; null where these kernels do not give the definition's results. Before
  // the first round, w has the add's identity there.
  push push_lacking = nullptr;
  pull pull_lacking = nullptr;
  // push_lacking adds in the order of the frontier, the whole rows of entries [begin, end), and one
  // thread has a column. Columns that take no part of it may have any w.
  bool in_order = false;
  // Where the sum improves an entry: the text of the comparison by which the add chooses.
  push push_improving = nullptr;
  std::string_view improves{};
  /// Takes the messages for the owner's positions. `list` has `listed` positions; returns how many
  /// it has then.
  using take = std::size_t (*)(const round_arguments&, const round_messages&, std::uint32_t* list,
                               std::size_t listed);
  take take_lacking = nullptr, take_improving = nullptr;
};

namespace cpu {

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

// w = sum(w, product), where other threads may do the same.
template <class S, class Side, class Z>
inline void combine(const Side& s, Z& w, const Z& product, bool shared) {
  if (!shared) {
    w = s.add(w, product);
    return;
  }
  Z old = load_shared(w);
  for (Z sum = s.add(old, product); sum != old; sum = s.add(old, product))
    if (replace_shared(w, old, sum)) return;
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

inline bool has_bit(const std::uint64_t* bits, std::uint32_t j) {
  return (bits[j / 64] >> (j % 64) & 1) != 0;
}

// x where `first`, else y, by their bits: compilers turn a choice between floating values into a
// branch.
template <class T>
inline T chosen(bool first, const T& x, const T& y) {
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= sizeof(std::uint64_t)) {
    using word =
        std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
    const word mask = word{0} - word{first}, y_bits = std::bit_cast<word>(y);
    return std::bit_cast<T>(y_bits ^ ((std::bit_cast<word>(x) ^ y_bits) & mask));
  } else {
    return first ? x : y;
  }
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

// A push of few edges.
template <class S, bool First, bool Improving>
std::size_t push_few(const round_arguments& arguments, std::size_t begin, std::size_t end,
                     std::size_t first, std::size_t last, std::uint32_t* list) {
  using Z = typename S::z_type;
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const std::uint32_t* const columns = arguments.columns;
  const row_offsets offset(arguments);
  round_messages* const messages = arguments.messages;
  std::size_t count = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    const std::size_t start = offset(row);
    const std::size_t stop = end - begin == 1 ? start + last : offset(row + std::size_t{1});
    const std::size_t element = arguments.by_position ? row : n;
    for (std::size_t e = end - begin == 1 ? start + first : start; e < stop; ++e) {
      const std::uint32_t j = columns[e];
      const Z product = s.product(e, element, j, row);
      if (arguments.is_foreign(j)) {
        messages->positions[messages->count] = j;
        static_cast<Z*>(messages->products)[messages->count++] = product;
        continue;
      }
      change_one<S, Improving>(arguments, s, w, j, product, list, count);
    }
  }
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

template <class S, bool First, bool Improving>
std::size_t push_changes(const round_arguments& arguments, std::size_t begin, std::size_t end,
                         std::size_t first, std::size_t last, std::uint32_t* list) {
  using Z = typename S::z_type;
  if (arguments.few) return push_few<S, First, Improving>(arguments, begin, end, first, last, list);
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const std::uint32_t* const columns = arguments.columns;
  const bool shared = arguments.shared;
  std::size_t count = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    const std::size_t offset = arguments.offset(row);
    const std::size_t stop =
        end - begin == 1 ? offset + last : arguments.offset(row + std::size_t{1});
    const std::size_t element = arguments.by_position ? row : n;
    for (std::size_t e = end - begin == 1 ? offset + first : offset; e < stop; ++e) {
      const std::uint32_t j = columns[e];
      if constexpr (Improving) {
        if (!improve<S>(w[j], s.product(e, element, j, row), shared)) continue;
      } else {
        if (has_bit(arguments.settled, j)) continue;
        combine<S>(s, w[j], s.product(e, element, j, row), shared);
      }
      list[count] = j;
      count += set_first(arguments.listed, j, shared);
    }
  }
  return count;
}

// The edges of a few rows that lead to open positions, listed without branches by the lengths of
// rows or by what an edge finds. Rows of roads have one to four entries, in no order.
template <class S, bool First>
class open_edges {
 public:
  using Z = typename S::z_type;
  explicit open_edges(const round_arguments& arguments)
      : side_(arguments), columns_(arguments.columns), settled_(arguments.settled) {}

  /// Edges [e, stop) of a row; add(position, product) takes those that wait if there is no room.
  template <class Add>
  void list(std::size_t e, std::size_t stop, std::size_t element, std::uint32_t row, Add&& add) {
    for (; e < stop; e += group) {
      if (count_ > room) take(add);
      for (std::size_t k = 0; k < group; ++k) {
        const std::size_t entry = std::min(e + k, stop - 1);
        const std::uint32_t j = columns_[entry];
        position_[count_] = j;
        product_[count_] = side_.product(entry, element, j, row);
        const std::uint64_t is_open = ~settled_[j / 64] >> (j % 64) & 1;
        count_ += static_cast<std::size_t>(is_open & std::uint64_t{e + k < stop});
      }
    }
  }
  template <class Add>
  void take(Add&& add) {
    for (std::size_t n = 0; n < count_; ++n) add(position_[n], product_[n]);
    count_ = 0;
  }

 private:
  static constexpr std::size_t group = 4, room = 256;

  const side<S, First> side_;
  const std::uint32_t* const columns_;
  const std::uint64_t* const settled_;
  std::size_t count_ = 0;
  std::uint32_t position_[room + group + 1];
  Z product_[room + group + 1];
};

// push_in_order for few edges.
template <class S, bool First>
std::size_t push_few_in_order(const round_arguments& arguments, std::size_t begin, std::size_t end,
                              std::uint32_t* list) {
  using Z = typename S::z_type;
  Z* const w = static_cast<Z*>(arguments.w);
  std::uint64_t* const listed = arguments.listed;
  const row_offsets offset(arguments);
  std::size_t count = 0;
  const auto add = [&](std::uint32_t j, const Z& product) {
    const std::uint64_t word = listed[j / 64], again = word >> (j % 64) & 1;
    w[j] = chosen(again != 0, side<S, First>::add(w[j], product), product);
    list[count] = j;
    count += static_cast<std::size_t>(again ^ 1);
    listed[j / 64] = word | std::uint64_t{1} << (j % 64);
  };
  open_edges<S, First> open(arguments);
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    open.list(offset(row), offset(row + std::size_t{1}), arguments.by_position ? row : n, row, add);
  }
  open.take(add);
  return count;
}

// The products of entries [begin, end), added in their order: the first one of a position is
// written, whatever was there.
template <class S, bool First>
std::size_t push_in_order(const round_arguments& arguments, std::size_t begin, std::size_t end,
                          std::size_t /*first*/, std::size_t /*last*/, std::uint32_t* list) {
  using Z = typename S::z_type;
  // Sums that are not used cost little.
  if constexpr (std::is_same_v<typename S::monoid::operation, plus>)
    if (arguments.few) return push_few_in_order<S, First>(arguments, begin, end, list);
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const std::uint32_t* const columns = arguments.columns;
  std::uint64_t* const listed = arguments.listed;
  const std::uint64_t* const settled = arguments.settled;
  const row_offsets offset(arguments);
  const bool whole = arguments.first_column == 0 && arguments.last_column > 0xffffffffu;
  std::size_t count = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    std::size_t e = offset(row), stop = offset(row + std::size_t{1});
    if (!whole) {
      const auto column = [&](std::uint64_t j) {
        return static_cast<std::size_t>(std::lower_bound(columns + e, columns + stop, j) - columns);
      };
      e = column(arguments.first_column);
      stop = column(arguments.last_column);
    }
    const std::size_t element = arguments.by_position ? row : n;
    for (; e < stop; ++e) {
      const std::uint32_t j = columns[e];
      if (has_bit(settled, j)) continue;
      const Z product = s.product(e, element, j, row);
      if (has_bit(listed, j)) {
        w[j] = s.add(w[j], product);
      } else {
        w[j] = product;
        listed[j / 64] |= std::uint64_t{1} << (j % 64);
        list[count++] = j;
      }
    }
  }
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

}  // namespace cpu
}  // namespace tropic::detail
