// SPDX-License-Identifier: Apache-2.0
#pragma once

// CMRS, compressed multi-row storage: rows in strips of `height`, the entries of a strip side by
// side (paper 002, sections 3 and 5.3), on the host. src/backends/device/formats/strips.cpp makes
// the same arrays, to the bit, on a device.
//
// An entry is one unsigned word, column << 4 | row within the strip, and a value. The row's number
// within the matrix follows from the strip's; how many entries a row has is kept by the matrix that
// the copy belongs to, so that the exact pattern of a product is known.
//
//   parts[0]  strips: where each strip begins, ceil(rows / height) + 1 of them
//   parts[1]  words
//   parts[2]  values, a value a word; missing where the matrix is iso
//
// Plain (tile = 0): `strips` counts entries, in as many bits as the matrix's offsets; the words of
// a strip ascend, so entries are sorted by column, then row.
//
// Padded (tile = T > 0): a strip is a multiple of T words and `strips` counts tiles of T, in 32
// bits; of a tile at most `slots` words belong to one row, and those are neighbours, which
// overrides the order by column. What is left over in a tile stands at its end, marked: a marked
// word is no entry whatever the multiply does with zeros.

#include <cstdint>
#include <string>

#include <tropic/detail/containers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// How entries are arranged: `height` rows a strip, 1 to 16; `tile` and `slots` (at most `tile`) of
/// the padded arrangement, 0 of the plain one.
struct strip_layout {
  std::uint32_t height = 8;
  std::uint32_t tile = 0;
  std::uint32_t slots = 0;

  bool is_padded() const { return tile != 0; }
  std::size_t strips(index_t rows) const {
    return (static_cast<std::size_t>(rows) + height - 1) / height;
  }
};

inline constexpr std::uint32_t largest_height = 16;  // a row within a strip has 4 bits
inline constexpr std::uint32_t marked_word = ~std::uint32_t{0};
inline constexpr index_t cmrs_columns = index_t{1} << 28;  // and a column the other 28

/// Why a matrix cannot be held like that, as a sentence; empty where it can. More than 2^28 columns
/// leave no bits for the row; strips of 2^32 entries are not counted; and of strips of 16 rows with
/// exactly 2^28 columns every word is an entry, so that none can mark padding.
std::string why_no_strips(const matrix_base&, const strip_layout&);

/// The tiles of a padded strip whose rows have `lengths[0 .. rows)` entries: as many as hold them
/// all, at most `slots` of a row in each, which always suffices (tile_place below says how).
std::uint64_t tiles_of(const std::uint64_t* lengths, std::uint32_t rows, const strip_layout&);
/// Words of the padded arrangement for each entry; 1 where there are none.
double padding_overhead(const matrix_base&, const strip_layout&);

/// From CSR, in parallel over strips, O(nnz log(entries of a strip)).
/// Throws usage_error with why_no_strips().
converted_copy to_strips(const matrix_base&, const strip_layout&);
/// Back to CSR: the matrix that `strips` was made from, whose rows, columns, type and number of
/// entries `like` has. In parallel over strips, O(nnz).
matrix_base from_strips(const converted_copy& strips, const matrix_base& like, const strip_layout&);

/// The padded arrangement: the n-th of the strip's entries, row by row, is dealt to tile n mod t of
/// the strip's t, as cards are. So no tile gets more than its share of the strip, nor of any row;
/// and what it gets of a row stands together. Which of a row's entries they are is free: the first
/// by column go to the first tile, so that the rows of a tile gather from near each other.
struct tile_place {
  std::uint64_t tiles;

  /// Of the first n entries dealt, those in tile k.
  std::uint64_t dealt(std::uint64_t n, std::uint64_t k) const {
    return (n + tiles - 1 - k) / tiles;
  }
  /// Of the first n entries dealt, those in the tiles before k.
  std::uint64_t dealt_before(std::uint64_t n, std::uint64_t k) const {
    const std::uint64_t rest = n % tiles;
    return n / tiles * k + (rest < k ? rest : k);
  }
};

}  // namespace tropic::detail
