// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counter-based random numbers: each is a hash of a stream and a counter. Any thread may draw any
// number, and every machine and number of threads draws the same.

#include <cstdint>

#include <tropic/detail/hash.hpp>

namespace tropic::detail {

/// Number `counter` of a stream. The number may serve as a stream itself.
constexpr std::uint64_t random_bits(std::uint64_t stream, std::uint64_t counter) {
  return mix(stream + (counter + 1) * golden);
}
/// 64 random bits as a number below `limit`, which is 1 to 2^32: the high half of their product.
/// Probabilities differ by at most limit / 2^64, relatively.
constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t bits) {
  const std::uint64_t low = (bits & 0xffffffffU) * limit;
  return ((bits >> 32) * limit + (low >> 32)) >> 32;
}
/// 64 random bits as a number in [0, 1).
constexpr double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace tropic::detail
