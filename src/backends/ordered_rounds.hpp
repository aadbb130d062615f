// SPDX-License-Identifier: Apache-2.0
#pragma once

// The positions that rounds of iterate_until have changed, sorted by round: what iterate_back goes
// through.

#include <cstdint>

#include <fmt/format.h>

#include <tropic/error.hpp>
#include <tropic/iterate.hpp>

namespace tropic::detail {

/// How many rounds there are from `least` to `greatest`. A round changes at least one position.
inline std::size_t rounds_between(index_t least, index_t greatest, index_t size) {
  const std::uint64_t further =
      static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
  if (further >= static_cast<std::uint64_t>(size))
    throw usage_error(fmt::format(
        "round_order: the rounds have numbers from {} to {}, a vector of size {} at most {} rounds",
        least, greatest, size, size));
  return static_cast<std::size_t>(further) + 1;
}

}  // namespace tropic::detail
