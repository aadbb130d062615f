// SPDX-License-Identifier: Apache-2.0

// Orders by the number of entries: a stable counting sort, largest first, and the split of dense
// from sparse. O(counts + the largest), which is no more than the entries.

#include <algorithm>
#include <numeric>

#include "permute/orders.hpp"

namespace tropic::detail {

order descending_order(std::span<const std::uint64_t> counts) {
  const std::uint64_t largest = counts.empty() ? 0 : *std::ranges::max_element(counts);
  std::vector<std::uint64_t> next(largest + 2, 0);  // [largest - count + 1]: how many have it
  for (const std::uint64_t count : counts) ++next[largest - count + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  order made(counts.size());
  for (std::size_t n = 0; n < counts.size(); ++n)
    made[next[largest - counts[n]]++] = static_cast<std::uint32_t>(n);
  return made;
}

order dense_last_order(std::span<const std::uint64_t> counts, double most,
                       std::uint64_t& number_before) {
  order made, dense;
  made.reserve(counts.size());
  for (std::size_t n = 0; n < counts.size(); ++n)
    (static_cast<double>(counts[n]) > most ? dense : made).push_back(static_cast<std::uint32_t>(n));
  number_before = made.size();
  made.insert(made.end(), dense.begin(), dense.end());
  return made;
}

}  // namespace tropic::detail
