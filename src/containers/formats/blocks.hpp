// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dense blocks extracted from a CSR matrix; the remaining entries stay CSR (paper 003). This is the
// host version; src/backends/device/formats/blocks.cpp builds bit-identical arrays on a device.
//
// All blocks have one size, `rows` x `columns`, and begin at multiples of it, so that the first
// column of a block is a multiple of 16, as is the length of its rows, which are padded where
// entries are missing. One bit per position marks the entries, so that padding is never taken for
// an entry, for any multiply.

#include <cstddef>
#include <cstdint>

#include <tropic/detail/containers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// The parts of a copy.
struct in_blocks {
  enum : std::size_t {
    starts,         // the first block of each band of `rows` rows, 32 bits, ceil(m / rows) + 1
    first_columns,  // of each block, ascending in a band
    masks,          // a word for each row of each block, bit n: the n-th column has an entry
    values,         // of blocks, row by row, 0 where there is no entry; no bytes if iso
    left_offsets,   // of the remaining entries, as wide as the matrix's
    left_columns,
    left_values,  // no bytes if iso
    count
  };
};

struct block_shape {
  std::uint32_t rows = 0;     // 4, 8 or 16; 0: blocks do not pay off
  std::uint32_t columns = 0;  // 16 or 32
  std::uint32_t fill = 0;     // minimum entries of a block, in percent; 0: if it saves bytes

  std::uint64_t size() const { return std::uint64_t{rows} * columns; }
  std::size_t bands(index_t m) const { return (static_cast<std::size_t>(m) + rows - 1) / rows; }
  /// Bytes of a block with values of `value_bytes` (0: iso).
  std::uint64_t bytes(std::size_t value_bytes) const {
    return size() * value_bytes + 4 * std::uint64_t{rows} + 4;
  }
  /// The minimum number of entries of a block: `fill` percent of its positions; without `fill` half
  /// of them, and at least so many that they take more bytes in CSR.
  std::uint64_t least_entries(std::size_t value_bytes) const;
};

/// The sizes that inspection tries.
inline constexpr block_shape block_shapes[] = {{4, 16}, {8, 16}, {16, 16},
                                               {4, 32}, {8, 32}, {16, 32}};

/// The shape whose blocks save the most bytes; rows = 0 if none saves any.
block_shape best_blocks(const matrix_base&);
/// From CSR, in parallel over bands, O(nnz rows). Throws usage_error for 2^32 blocks or more.
converted_copy to_blocks(const matrix_base&, const block_shape&);
/// Back to CSR. `like` has the rows, columns, offsets and type of the original matrix.
matrix_base from_blocks(const converted_copy&, const matrix_base& like, const block_shape&);

}  // namespace tropic::detail
