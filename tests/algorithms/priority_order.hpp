// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order in which greedy algorithms take the vertices of a graph, found on the host.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <tropic/algorithms/detail/mix.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>

namespace small_graphs {

inline std::vector<std::uint32_t> by_priority(const tropic::detail::neighbour_lists& lists,
                                              std::uint64_t seed) {
  using tropic::detail::mixed;
  const std::uint32_t key =
      mixed(static_cast<std::uint32_t>(seed) ^ mixed(static_cast<std::uint32_t>(seed >> 32)));
  std::vector<std::uint64_t> priority;
  for (std::uint32_t v = 0; v < lists.size(); ++v) {
    const std::uint64_t h = mixed(mixed(v) ^ key);
    const std::uint64_t share = (h << 32) / (lists[v].size() + 1);
    priority.push_back((share >> 32 << 32) + h);
  }
  std::vector<std::uint32_t> order(lists.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return priority[a] > priority[b]; });
  return order;
}

}  // namespace small_graphs
