// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eight bytes of text at a time, without a branch for each of them. The byte at the lowest address
// is the lowest of a word, on every machine.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tropic::io::detail {

inline constexpr std::ptrdiff_t word_bytes = 8;

/// A byte in each of the eight places.
constexpr std::uint64_t eight_times(std::uint64_t byte) {
  return byte * 0x0101010101010101U;
}

/// The eight bytes at `at`.
inline std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t swapped = 0;
    for (int k = 0; k < 8; ++k) swapped = swapped << 8 | (word >> 8 * k & 0xff);
    return swapped;
  }
  return word;
}

/// How many digits the word begins with, from 0 to 8.
inline int leading_digits(std::uint64_t word) {
  // A digit becomes a number below 10, any other byte one that reaches the highest bit when 0x76 is
  // added, or has it. A carry spoils only bytes after one that is no digit.
  const std::uint64_t numbers = word ^ eight_times('0');
  const std::uint64_t others = ((numbers + eight_times(0x76)) | numbers) & eight_times(0x80);
  return std::countr_zero(others) / 8;
}

/// The number whose digits are the first `count` bytes of the word, from 1 to 8.
inline std::uint64_t number_of_digits(std::uint64_t word, int count) {
  // As if zeros preceded them. Then pairs, fours and all eight digits are combined.
  std::uint64_t v = (word ^ eight_times('0')) << (64 - 8 * count);
  v = (v * (1 + (std::uint64_t{10} << 8)) >> 8) & 0x00ff00ff00ff00ffU;
  v = (v * (1 + (std::uint64_t{100} << 16)) >> 16) & 0x0000ffff0000ffffU;
  return v * (1 + (std::uint64_t{10000} << 32)) >> 32;
}

/// Whether a byte of the word is a newline; `place` becomes that of the first.
inline bool has_newline(std::uint64_t word, int& place) {
  const std::uint64_t zeros = word ^ eight_times('\n');
  const std::uint64_t found = (zeros - eight_times(1)) & ~zeros & eight_times(0x80);
  place = std::countr_zero(found) / 8;
  return found != 0;
}

/// The bytes that ends_of_tokens() reads.
inline constexpr std::ptrdiff_t row_bytes = 32;

/// Bit k is set if byte k at `at` is a blank or a control character, and so ends a token.
inline std::uint32_t ends_of_tokens(const char* at) {
#if defined(__SSE2__)
  const __m128i blank = _mm_set1_epi8(' ');
  const auto ends = [&](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes)));
  };
  return ends(at) | ends(at + 16) << 16;
#else
  std::uint32_t ends = 0;
  for (int k = 0; k < row_bytes; ++k)
    ends |= std::uint32_t{static_cast<unsigned char>(at[k]) <= ' '} << k;
  return ends;
#endif
}

}  // namespace tropic::io::detail
