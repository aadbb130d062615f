// SPDX-License-Identifier: Apache-2.0
#pragma once

// The host arrays of a CSR matrix, obtained once, for the inner loops of conversions.

#include <cstdint>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

/// Conversions of fewer entries run on one thread, which is faster.
inline constexpr std::uint32_t parallel_from = 4096;

struct csr_view {
  const matrix_base& m;
  const std::uint32_t* columns;  // null: no entries
  const std::byte* values;       // null: iso, or no entries
  std::size_t bytes;             // bytes of a value; 0: iso

  explicit csr_view(const matrix_base& from) : csr_view(from, from.offsets) {}
  /// The same with other offsets, as wide as the matrix's.
  csr_view(const matrix_base& from, const buffer_pointer& offsets)
      : m(from),
        columns(static_cast<const std::uint32_t*>(from.column_indices->host())),
        values(from.iso ? nullptr : static_cast<const std::byte*>(from.values->host())),
        bytes(from.iso ? 0 : from.type->size),
        narrow_(from.wide ? nullptr : static_cast<const std::uint32_t*>(offsets->host())),
        wide_(from.wide ? static_cast<const std::uint64_t*>(offsets->host()) : nullptr) {}

  std::uint64_t rows() const { return static_cast<std::uint64_t>(m.rows); }
  std::uint64_t offset(std::uint64_t row) const { return wide_ ? wide_[row] : narrow_[row]; }

 private:
  const std::uint32_t* narrow_;
  const std::uint64_t* wide_;
};

}  // namespace tropic::detail
