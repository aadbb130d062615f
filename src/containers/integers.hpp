// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arithmetic of sizes, and binary search over a range of integers.

#include <cstddef>
#include <cstdint>

#include <tropic/semirings/types.hpp>

namespace tropic::detail {

/// `n` must not be negative.
constexpr std::size_t as_size(index_t n) {
  return static_cast<std::size_t>(n);
}

/// n / by, rounded up. `by` must not be 0, and n + by must fit 64 bits.
constexpr std::uint64_t divide_up(std::uint64_t n, std::uint64_t by) {
  return (n + by - 1) / by;
}

/// The first integer of [low, high) for which the predicate is false; `high` if there is none. The
/// predicate must be true up to some integer and false from there on.
template <class Predicate>
std::size_t partition_point(std::size_t low, std::size_t high, Predicate&& is_before) {
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (is_before(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace tropic::detail
