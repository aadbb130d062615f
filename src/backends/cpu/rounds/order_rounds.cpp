// SPDX-License-Identifier: Apache-2.0

// The positions of a vector of rounds, sorted by round: a counting sort. Loops that list their
// rounds themselves need none.

#include <algorithm>
#include <limits>

#include "backends/cpu/backend.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

// visit(position, number) for the entries of a vector of round numbers, ascending.
template <class F>
void for_each_number(const vector_view& rounds, F&& visit) {
  const auto* const numbers = reinterpret_cast<const index_t*>(rounds.values);
  if (rounds.is_sparse())
    for (std::size_t n = 0; n < rounds.nvals; ++n) visit(rounds.indices[n], numbers[n]);
  else
    for (std::size_t j = 0; j < rounds.size; ++j)
      if (rounds.has(j)) visit(static_cast<std::uint32_t>(j), numbers[j]);
}

}  // namespace

ordered_rounds cpu_backend::order_rounds(const vector_base& rounds) {
  const memory_side here(context_, on_host_);
  const vector_view entries(here, rounds);
  index_t least = std::numeric_limits<index_t>::max(),
          greatest = std::numeric_limits<index_t>::min();
  for_each_number(entries, [&](std::uint32_t, index_t number) {
    least = std::min(least, number);
    greatest = std::max(greatest, number);
  });
  const std::size_t all = rounds_between(least, greatest, rounds.size);
  // Numbers may be as far from 0 as their type allows.
  const auto round_of = [first = static_cast<std::uint64_t>(least)](index_t number) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(number) - first);
  };

  ordered_rounds order{.context = rounds.context, .size = rounds.size};
  order.starts.assign(all + 1, 0);
  for_each_number(entries,
                  [&](std::uint32_t, index_t number) { ++order.starts[round_of(number) + 1]; });
  for (std::size_t k = 0; k < all; ++k) order.starts[k + 1] += order.starts[k];
  std::vector<std::uint64_t> places(order.starts.begin(), order.starts.end() - 1);
  order.positions = here.allocate(entries.nvals, sizeof(std::uint32_t));
  auto* const positions = here.write_as<std::uint32_t>(order.positions);
  for_each_number(
      entries, [&](std::uint32_t j, index_t number) { positions[places[round_of(number)]++] = j; });
  return order;
}

}  // namespace tropic::detail
