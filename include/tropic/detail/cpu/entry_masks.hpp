// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products of the entries behind a row, which loops compute to have no branch by the length of the
// row, and leave out by a mask.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tropic::detail::cpu {

/// Entries behind a row that its loop may read.
inline constexpr std::size_t read_ahead = 4;

#if defined(__x86_64__) && defined(__GNUC__)
#define TROPIC_DETAIL_HAS_SSE2 1
#endif

/// x, of which compilers know no more. They gather single elements to compute several products by a
/// vector instruction, which costs more than it saves.
template <class T>
inline T opaque(T x) {
#if defined(TROPIC_DETAIL_HAS_SSE2)
  if constexpr (std::is_floating_point_v<T>)
    asm("" : "+x"(x));
  else
    asm("" : "+r"(x));
#endif
  return x;
}

// --- masks ---------------------------------------------------------------------------------------

template <std::size_t Bytes>
struct unsigned_of;
template <>
struct unsigned_of<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
  using type = std::uint64_t;
};
template <class T>
using bits_of = typename unsigned_of<sizeof(T)>::type;

template <class T>
inline constexpr auto all_ones = static_cast<bits_of<T>>(~bits_of<T>{0});

/// Whether a row's sum takes one of the products behind its first one: x & keep, | fill where it
/// does not. Fills a register, so that vector instructions take both from memory.
template <class T>
struct alignas(16) entry_mask {
  static constexpr std::size_t width = 16 / sizeof(T);
  bits_of<T> keep[width], fill[width];
};
/// Masks of products from [3 - number taken] on. A table: compilers turn a comparison into a
/// branch. `Fill` are the bits of a value that changes no sum, `Kept` those beside a mask that
/// keeps.
template <class T, bits_of<T> Fill, bits_of<T> Kept = 0>
inline constexpr auto entry_masks = [] {
  std::array<entry_mask<T>, 6> masks{};
  for (std::size_t n = 0; n < masks.size(); ++n)
    for (std::size_t k = 0; k < entry_mask<T>::width; ++k) {
      masks[n].keep[k] = n < 3 ? all_ones<T> : bits_of<T>{0};
      masks[n].fill[k] = n < 3 ? Kept : Fill;
    }
  return masks;
}();

/// x where a mask of entry_masks<T, Fill> keeps it, else Fill.
template <auto Fill, class T>
inline T masked(T x, const entry_mask<T>& mask) {
  constexpr bool fills = Fill != 0;
  constexpr bool keeps = Fill != all_ones<T>;  // x | 1...1 needs no x & 0
#if defined(TROPIC_DETAIL_HAS_SSE2) && !defined(__clang__)
  if constexpr (std::is_floating_point_v<T>) {  // without a way through integer registers
    using lanes [[gnu::vector_size(16)]] = bits_of<T>;
    lanes v;
    asm("" : "=x"(v) : "0"(x));
    if constexpr (keeps) v &= *reinterpret_cast<const lanes*>(mask.keep);
    if constexpr (fills) v |= *reinterpret_cast<const lanes*>(mask.fill);
    asm("" : "=x"(x) : "0"(v));
    return x;
  }
#endif
  auto bits = std::bit_cast<bits_of<T>>(x);
  if constexpr (keeps) bits = static_cast<bits_of<T>>(bits & mask.keep[0]);
  if constexpr (fills) bits = static_cast<bits_of<T>>(bits | mask.fill[0]);
  return std::bit_cast<T>(bits);
}

/// `yes` where the mask keeps values, else `no`.
template <class T>
inline T selected(const entry_mask<T>& mask, T yes, T no) {
  const auto x = std::bit_cast<bits_of<T>>(yes), y = std::bit_cast<bits_of<T>>(no);
  return std::bit_cast<T>(static_cast<bits_of<T>>((x & mask.keep[0]) | (y & ~mask.keep[0])));
}

}  // namespace tropic::detail::cpu
