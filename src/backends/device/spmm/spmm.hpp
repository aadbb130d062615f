// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a device divides the columns of a product with a full matrix (spmm.kernel).

#include <algorithm>
#include <bit>
#include <cstdint>

#include "backends/device/program/program.hpp"

namespace tropic::detail {

struct spmm_config {
  static constexpr std::uint64_t piece = 2048;  // entries; rows of more are cut

  std::uint32_t lanes = 1;         // work-items that share a row, a power of two
  std::uint32_t columns_each = 1;  // of a work-item, in registers: wide values leave room for few

  spmm_config(std::uint64_t k, std::size_t value_bytes)
      : lanes(static_cast<std::uint32_t>(std::min<std::uint64_t>(std::bit_ceil(k), 32))),
        columns_each(k > 2 * std::uint64_t{lanes} && value_bytes <= 8 ? 4 : 1) {}

  program_request request(const semiring_description& semiring, bool full_first) const {
    return {.kernel = "spmm",
            .semiring = &semiring,
            .vector_first = full_first,
            .constants = {{"T_COLUMNS", long{columns_each}}, {"T_PIECE", long{piece}}}};
  }
};

}  // namespace tropic::detail
