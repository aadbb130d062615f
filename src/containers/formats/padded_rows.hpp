// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows padded to whole units of entries, so that each begins at a segment of memory (paper 003), on
// the host. A padding entry has the column no_column, follows the entries of its row, and is never
// taken for an entry, for any multiply.

#include <cstddef>
#include <cstdint>

#include <tropic/detail/containers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// The parts of a copy.
struct in_padded_rows {
  enum : std::size_t {
    segments,  // where each row begins, in units, 32 bits, rows + 1 of them
    columns,
    values  // one per column; absent if the matrix is iso
  };
};

inline constexpr std::uint32_t no_column = ~std::uint32_t{0};

/// From CSR, rows in multiples of `unit` entries; parallel over rows, O(rows + padded entries).
/// Throws usage_error for more than 2^32 units.
converted_copy to_padded_rows(const matrix_base&, std::uint32_t unit);
/// Back to CSR. `like` has the rows, columns, offsets and type of the original matrix.
matrix_base from_padded_rows(const converted_copy&, const matrix_base& like, std::uint32_t unit);

}  // namespace tropic::detail
