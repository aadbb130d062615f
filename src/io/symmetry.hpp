// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a list of entries is its own mirror image, in one pass and without extra memory.
//
// Every pair of mirrored positions with a value has a hash under a key that is drawn once per
// process. The sum of the hashes of the entries above the diagonal, less that of those below it, is
// zero for a symmetric matrix, and for any other with a probability of about 2^-64, even if the
// file was made by an attacker.

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
inline std::uint64_t salt_of(const symmetry_key& key, std::uint64_t bits) {
  return mix(bits ^ key.value);
}
inline std::uint64_t salt_of(const symmetry_key& key, std::uint64_t real, std::uint64_t imaginary) {
  return mix(salt_of(key, real) + (imaginary ^ key.tweak));
}

/// The contribution of an entry to the sum: the hash of its position without regard to its side of
/// the diagonal, positive on one and negative on the other.
inline std::uint64_t asymmetry_of(const symmetry_key& key, std::uint32_t row, std::uint32_t column,
                                  std::uint64_t salt) {
  // In 64 bits and without branches, so that a loop over entries can use vectors.
  const std::uint64_t i = row, j = column;
  const std::uint64_t low = i < j ? i : j, high = i < j ? j : i;
  const std::uint64_t hash = mix(mix((low << 32 | high) ^ key.place) + salt);
  const auto mask = [](bool set) { return std::uint64_t{0} - std::uint64_t{set}; };
  return (hash & mask(i < j)) - (hash & mask(j < i));
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
