// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a device divides the columns of a product with a full matrix (spmm.kernel).

#include <algorithm>
#include <bit>
#include <cstdint>

#include <tropic/detail/containers.hpp>

#include "backends/device/program/program.hpp"

namespace tropic::detail {

struct spmm_config {
  static constexpr std::uint32_t group = 128;       // work-items
  static constexpr std::uint32_t least_piece = 32;  // entries of a row that are summed in order

  std::uint32_t team_bits = 0;     // 2^team_bits work-items share a row
  std::uint32_t columns_each = 1;  // of a work-item, in registers: wide values leave room for few
  bool packed = false;             // the columns of a work-item are moved together
  bool gaps = false;               // entries of B may be missing

  /// For k columns of a B whose rows begin at multiples of four elements and of 16 bytes if
  /// `can_pack`.
  spmm_config(std::uint64_t k, std::size_t value_bytes, bool can_pack, bool has_gaps)
      : columns_each(k >= 16 && value_bytes <= 8 ? 4 : 1),
        packed(columns_each == 4 && k % 4 == 0 && can_pack),
        gaps(has_gaps) {
    const std::uint64_t wanted = (k + columns_each - 1) / columns_each;
    team_bits = static_cast<std::uint32_t>(std::bit_width(std::min<std::uint64_t>(wanted, 32) - 1));
  }

  /// Columns of a launch.
  std::uint64_t panel() const { return std::uint64_t{columns_each} << team_bits; }

  program_request request(const semiring_description& semiring, bool full_first,
                          std::size_t group_size) const {
    return {.kernel = "spmm",
            .semiring = &semiring,
            .vector_first = full_first,
            .constants = {{"T_COLUMNS", long{columns_each}},
                          {"T_PACKED", long{packed}},
                          {"T_GAPS", long{gaps}},
                          {"T_GROUP_SIZE", static_cast<long>(group_size)},
                          {"T_JOIN_COLUMNS", static_cast<long>(join_columns(group_size))},
                          {"T_GROUPS", groups_of(semiring)}}};
  }

  /// Columns of a long row whose pieces a group joins.
  static std::size_t join_columns(std::size_t group_size) {
    return std::min<std::size_t>(group_size, 16);
  }

  /// Entries of a piece of a row of `m`. A team sums a piece entry by entry, so that the longest
  /// one decides how long a product of few entries takes; rows of usual lengths are not cut.
  static std::uint32_t piece_of(const matrix_base& m) {
    const std::uint32_t least = m.nnz >= index_t{1} << 22   ? 128
                                : m.nnz >= index_t{1} << 19 ? 64
                                                            : least_piece;
    const index_t mean = m.nnz / std::max<index_t>(m.rows - m.empty_rows, 1);
    return std::max(
        least, std::min<std::uint32_t>(std::bit_ceil(static_cast<std::uint32_t>(2 * mean)), 256));
  }

 private:
  // As many groups on a processor as registers suffice for.
  long groups_of(const semiring_description& semiring) const {
    const std::size_t widest = std::max({semiring.z().size, semiring.a().size, semiring.x().size});
    return widest > 8 ? 1 : widest <= 4 && packed && !gaps ? 12 : 8;
  }
};

}  // namespace tropic::detail
