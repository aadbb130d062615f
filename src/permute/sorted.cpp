// SPDX-License-Identifier: Apache-2.0

// Orders by the number of entries: a stable counting sort, largest first, and the separation of
// dense from sparse. O(counts + the largest), which is at most the number of entries.

#include <algorithm>
#include <numeric>

#include "permute/orders.hpp"

namespace tropic::detail {

order descending_order(std::span<const std::uint64_t> counts) {
  const std::uint64_t largest = counts.empty() ? 0 : *std::ranges::max_element(counts);
  std::vector<std::uint64_t> next(largest + 2,
                                  0);  // [largest - count + 1]: number of positions with that count
  for (const std::uint64_t count : counts) ++next[largest - count + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  order result(counts.size());
  for (std::size_t n = 0; n < counts.size(); ++n)
    result[next[largest - counts[n]]++] = static_cast<std::uint32_t>(n);
  return result;
}

order dense_last_order(std::span<const std::uint64_t> counts, double limit,
                       std::uint64_t& number_before) {
  order result, dense;
  result.reserve(counts.size());
  for (std::size_t n = 0; n < counts.size(); ++n)
    (static_cast<double>(counts[n]) > limit ? dense : result)
        .push_back(static_cast<std::uint32_t>(n));
  number_before = result.size();
  result.insert(result.end(), dense.begin(), dense.end());
  return result;
}

}  // namespace tropic::detail
