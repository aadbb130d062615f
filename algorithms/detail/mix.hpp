// SPDX-License-Identifier: Apache-2.0
#pragma once

// A number for every vertex that looks random and is the same in every run: the last steps of
// MurmurHash3 (Appleby, 2011, public domain), which map 32-bit numbers one to one.

#include <cstdint>

namespace tropic::detail {

constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bU;
  x = (x ^ (x >> 13)) * 0xc2b2ae35U;
  return x ^ (x >> 16);
}
/// The number whose mixed() is x. The factors are the inverses of those above, modulo 2^32.
constexpr std::uint32_t unmixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7ed1b41dU;
  x = (x ^ (x >> 13) ^ (x >> 26)) * 0xa5cb9243U;
  return x ^ (x >> 16);
}

}  // namespace tropic::detail
