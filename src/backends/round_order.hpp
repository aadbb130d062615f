// SPDX-License-Identifier: Apache-2.0
#pragma once

// The positions that rounds of iterate_until have changed, sorted by round: what iterate_back goes
// through.

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <tropic/detail/containers.hpp>
#include <tropic/error.hpp>

namespace tropic::detail {

/// The positions of the entries of a vector of round numbers, sorted by these.
struct round_order {
  buffer_pointer positions;           // uint32, ascending in each round
  std::vector<std::uint64_t> starts;  // of each round among the positions; and their number
  buffer_pointer numbers = nullptr;   // on a device: uint32, of each position, from 0 on

  std::size_t rounds() const { return starts.size() - 1; }
  std::size_t size_of(std::size_t round) const {
    return static_cast<std::size_t>(starts[round + 1] - starts[round]);
  }
};

/// How many rounds there are from `least` to `greatest`. A round changes at least one position.
inline std::size_t rounds_between(index_t least, index_t greatest, index_t size) {
  const std::uint64_t further =
      static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
  if (further >= static_cast<std::uint64_t>(size))
    throw usage_error(
        fmt::format("iterate_back: the rounds have numbers from {} to {}, a vector of size {} at "
                    "most {} rounds",
                    least, greatest, size, size));
  return static_cast<std::size_t>(further) + 1;
}

[[noreturn]] inline void refuse_missing_entries() {
  throw usage_error("iterate_back: w has no entry at a position that a round changed");
}

}  // namespace tropic::detail
