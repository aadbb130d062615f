// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a list of entries is its own mirror image, in one pass and without extra memory.
//
// Every entry gets a hash of its position and value under a key that is drawn once per process. The
// sum over all entries of hash(i, j, v) - hash(j, i, v) is zero for a symmetric matrix, and for any
// other with a probability of about 2^-64, even if the file was made by an attacker.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tropic/detail/hash.hpp>
#include <tropic/io.hpp>

namespace tropic::io::detail {

using tropic::detail::mix;

/// The bits of a value; equal for values that compare equal, and for all NaNs.
template <class T>
std::uint64_t comparable_bits(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value == T{0}) return 0;
    if (value != value) return ~std::uint64_t{0};
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

struct symmetry_key {
  std::uint64_t place, value, tweak;
};
/// Constant within a process.
const symmetry_key& key_of_process();

/// The contribution of a value to the hash of its entry.
inline std::uint64_t salt_of(const symmetry_key& key, std::uint64_t bits, std::uint64_t extra = 0) {
  return mix(mix(bits ^ key.value) + (extra ^ key.tweak));
}

/// The contribution of an entry to the sum.
inline std::uint64_t asymmetry_of(const symmetry_key& key, std::uint32_t row, std::uint32_t column,
                                  std::uint64_t salt) {
  const auto hash = [&](std::uint64_t i, std::uint64_t j) {
    return mix(mix((i << 32 | j) ^ key.place) + salt);
  };
  return hash(row, column) - hash(column, row);
}

/// Whether the list, in which a position may occur several times, is symmetric.
bool is_symmetric(const coordinates& matrix, int threads);
/// Whether a matrix whose offsets and columns were checked is symmetric.
bool is_symmetric(const mapped_csr& matrix, int threads);

/// An entry without a mirror image, or whose mirror image has another value.
struct lone_entry {
  std::uint64_t entry = 0;  ///< its position in `column`
  std::uint32_t row = 0, column = 0;
  bool has_image = false;
};
lone_entry find_lone_entry(const mapped_csr& matrix);

}  // namespace tropic::io::detail
