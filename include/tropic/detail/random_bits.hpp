// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counter-based randomness: every number is a hash (splitmix64's finaliser, Steele, Lea and Flood,
// OOPSLA 2014) of a stream and of what it is for. Any thread may draw any number, and every machine
// and thread count draws the same.

#include <cstdint>

namespace tropic::detail {

inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
/// Number `counter` of a stream; also the stream of that number below another one.
constexpr std::uint64_t random_bits(std::uint64_t stream, std::uint64_t counter) {
  return mix(stream + (counter + 1) * golden);
}
/// 64 random bits as a number below `limit`, which is 1 to 2^32: the high half of their product,
/// whose numbers are as likely as each other but for limit / 2^64.
constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t bits) {
  const std::uint64_t low = (bits & 0xffffffffU) * limit;
  return ((bits >> 32) * limit + (low >> 32)) >> 32;
}
/// 64 random bits as a number in [0, 1).
constexpr double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace tropic::detail
