// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

ordered_rounds reference_backend::order_rounds(const vector_base& rounds) {
  std::map<index_t, std::vector<std::uint32_t>> by_number;
  for (const auto& [at, number] : reference::load(rounds))
    by_number[number.as<index_t>()].push_back(static_cast<std::uint32_t>(at.row));
  const index_t least = by_number.begin()->first;
  const std::size_t all = rounds_between(least, by_number.rbegin()->first, rounds.size);
  ordered_rounds order{
      .context = rounds.context,
      .size = rounds.size,
      .positions = make_buffer(rounds.context,
                               static_cast<std::size_t>(rounds.nvals) * sizeof(std::uint32_t)),
      .starts = {0}};
  auto* to = static_cast<std::uint32_t*>(order.positions->host_write());
  for (std::size_t k = 0; k < all; ++k) {
    const auto listed = by_number.find(least + static_cast<index_t>(k));
    if (listed != by_number.end()) to = std::ranges::copy(listed->second, to).out;
    order.starts.push_back(order.starts.back() +
                           (listed != by_number.end() ? listed->second.size() : 0));
  }
  return order;
}

}  // namespace tropic::detail
