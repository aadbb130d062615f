// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the device's conversions share.

#include <cstdint>

#include "backends/device/backend.hpp"

namespace tropic::detail {

/// Runs of counts, each summed by one work-item: so many that one launch of launch_over, whose
/// groups are no fewer than 64 of 128, has one of them each.
inline constexpr std::uint64_t most_runs = 8192;

/// What the kernels are given of a matrix, or of one in the making.
struct device_backend::conversion {
  std::uint64_t rows, nnz;
  const void* offsets;
  std::uint32_t wide, bytes;  // of a value; 0: iso

  conversion(const device_backend& backend, const matrix_base& m)
      : rows(static_cast<std::uint64_t>(m.rows)),
        nnz(static_cast<std::uint64_t>(m.nnz)),
        offsets(backend.read_device(m.offsets)),
        wide(m.wide),
        bytes(m.iso ? 0 : static_cast<std::uint32_t>(m.type->size)) {}
};

}  // namespace tropic::detail
