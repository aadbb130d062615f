// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hash functions that give the same values on every machine.

#include <cstddef>
#include <cstdint>

namespace tropic::detail {

/// The finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection of 64-bit numbers.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
/// The increment of splitmix64: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

/// The hash of no bytes, to begin with.
inline constexpr std::uint64_t fnv_basis = 14695981039346656037U;
/// FNV-1a, 64 bits: extends the hash of what came before by `count` bytes.
inline std::uint64_t fnv(std::uint64_t hash, const void* data, std::size_t count) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t n = 0; n < count; ++n) hash = (hash ^ bytes[n]) * 1099511628211U;
  return hash;
}

}  // namespace tropic::detail
