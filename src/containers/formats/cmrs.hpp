// SPDX-License-Identifier: Apache-2.0
#pragma once

// CMRS, compressed multi-row storage: rows in strips of `height`, the entries of a strip side by
// side (paper 002, sections 3 and 5.3). This is the host version;
// src/backends/device/formats/strips.cpp builds bit-identical arrays on a device.
//
// An entry is one unsigned word, column << 4 | row within the strip, and a value. The row number
// within the matrix follows from the number of the strip. The number of entries of a row is known
// from the matrix that the copy belongs to, so that the exact pattern of a product can be computed.
//
// Plain (tile = 0): `starts` counts entries, in as many bits as the matrix's offsets; the words of
// a strip ascend, so entries are sorted by column, then row.
//
// Padded (tile = T > 0): the length of a strip is a multiple of T words, and `starts` counts tiles
// of T, in 32 bits. At most `slots` words of a tile belong to one row, and these are adjacent,
// which takes precedence over the order by column. Unused words are at the end of a tile and
// marked: a marked word is never taken for an entry, for any multiply.

#include <cstddef>
#include <cstdint>
#include <string>

#include <tropic/detail/containers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// The parts of a copy.
struct in_strips {
  enum : std::size_t {
    starts,  // where each strip begins, ceil(rows / height) + 1 of them
    words,
    values  // one per word; absent if the matrix is iso
  };
};

/// The arrangement of entries: `height` rows per strip, 1 to 16; `tile` and `slots` (at most
/// `tile`) of the padded arrangement, 0 for the plain one.
struct strip_layout {
  std::uint32_t height = 8;
  std::uint32_t tile = 0;
  std::uint32_t slots = 0;

  bool is_padded() const { return tile != 0; }
  std::size_t strips(index_t rows) const {
    return (static_cast<std::size_t>(rows) + height - 1) / height;
  }
};

inline constexpr std::uint32_t largest_height = 16;  // 4 bits for the row within a strip
inline constexpr std::uint32_t marked_word = ~std::uint32_t{0};
inline constexpr index_t cmrs_columns = index_t{1} << 28;  // and 28 bits for the column

/// The reason why a matrix cannot be stored like that, as a sentence; empty if it can. More than
/// 2^28 columns leave no bits for the row; strips have fewer than 2^32 entries; and with strips of
/// 16 rows and exactly 2^28 columns every word is a possible entry, so that none can mark padding.
std::string why_no_strips(const matrix_base&, const strip_layout&);

/// The number of tiles of a padded strip whose rows have `lengths[0 .. rows)` entries: the minimum
/// for all of them with at most `slots` of a row in each tile, which always suffices (see
/// tile_place).
std::uint64_t tiles_of(const std::uint64_t* lengths, std::uint32_t rows, const strip_layout&);
/// Words of the padded arrangement per entry; 1 if there are no entries.
double padding_overhead(const matrix_base&, const strip_layout&);

/// From CSR, in parallel over strips, O(nnz log(entries of a strip)).
/// Throws usage_error with why_no_strips().
converted_copy to_strips(const matrix_base&, const strip_layout&);
/// Back to CSR: the matrix that `strips` was made from. `like` has its rows, columns, type and
/// number of entries. In parallel over strips, O(nnz).
matrix_base from_strips(const converted_copy& strips, const matrix_base& like, const strip_layout&);

/// The padded arrangement distributes the entries of a strip, row by row, cyclically over its t
/// tiles: the n-th entry goes to tile n mod t. So no tile gets more than its share of the strip or
/// of any row, and the entries of a row in a tile are adjacent. Which entries of a row these are is
/// free: the first ones by column go to the first tile, so that the rows of a tile gather from
/// nearby columns.
struct tile_place {
  std::uint64_t tiles;

  /// The number of the first n entries that are in tile k.
  std::uint64_t entries_in(std::uint64_t n, std::uint64_t k) const {
    return (n + tiles - 1 - k) / tiles;
  }
  /// The number of the first n entries that are in the tiles before k.
  std::uint64_t entries_before(std::uint64_t n, std::uint64_t k) const {
    const std::uint64_t rest = n % tiles;
    return n / tiles * k + (rest < k ? rest : k);
  }
};

}  // namespace tropic::detail
