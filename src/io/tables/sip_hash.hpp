// SPDX-License-Identifier: Apache-2.0
#pragma once

// A hash of untrusted bytes. Without its key, which is drawn once per process, texts of equal hash
// cannot be found faster than by trying, so a file cannot fill one chain of a hash table.
//
// SipHash-c-d: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
// section 2. Tables use 1-3, as those of Python, Ruby and Rust do; tests also use 2-4, the variant
// of the paper.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tropic::io::detail {

struct sip_key {
  std::uint64_t low = 0, high = 0;
};
/// Constant within a process.
const sip_key& sip_key_of_process();

template <int compressions, int finalisations>
std::uint64_t sip_hash(const sip_key& key, std::string_view bytes) {
  std::uint64_t a = key.low ^ 0x736f6d6570736575U, b = key.high ^ 0x646f72616e646f6dU;
  std::uint64_t c = key.low ^ 0x6c7967656e657261U, d = key.high ^ 0x7465646279746573U;
  const auto rounds = [&](int count) {
    for (int round = 0; round < count; ++round) {
      a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
      c += d, d = std::rotl(d, 16) ^ c;
      a += d, d = std::rotl(d, 21) ^ a;
      c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
    }
  };
  const auto take = [&](std::uint64_t word) {
    d ^= word;
    rounds(compressions);
    a ^= word;
  };
  // Words are little-endian on every machine.
  const auto word_at = [](const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return word;
  };
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) take(word_at(at));
  std::uint64_t last = static_cast<std::uint64_t>(bytes.size()) << 56;
  for (std::size_t i = 0; i < left; ++i)
    last |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  take(last);
  c ^= 0xff;
  rounds(finalisations);
  return a ^ b ^ c ^ d;
}

}  // namespace tropic::io::detail
