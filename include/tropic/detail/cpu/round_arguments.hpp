// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the CPU's rounds of iterate_until (src/backends/cpu/rounds) pass to the kernels of a
// semiring (cpu/rounds.hpp).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tropic/detail/cpu/kernel_arguments.hpp>

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
  // Large rounds of loops in buckets: values of w that a push improves, beside its list. A position
  // is in the list for each of them, and in no set. Null elsewhere.
  void* improved = nullptr;

  /// Whether position j is another owner's.
  bool is_foreign(std::uint32_t j) const { return ((j / owned_block ^ owner) & (owners - 1)) != 0; }
};

struct cpu_round_kernels {
  /// Entries [begin, end) of the frontier; of a single one, its edges [first, last). Lists the
  /// positions whose w changed and that are not listed yet; returns how many. push_lacking of a
  /// round that is not of few edges, unless in_order, may have no list: positions changed where w
  /// is not the add's identity then, and where they are in the set `listed`.
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

inline bool has_bit(const std::uint64_t* bits, std::uint32_t j) {
  return (bits[j / 64] >> (j % 64) & 1) != 0;
}

}  // namespace cpu
}  // namespace tropic::detail
