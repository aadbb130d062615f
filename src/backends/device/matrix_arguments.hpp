// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "backends/device/device_context.hpp"

namespace tropic::detail {

/// What kernels are passed of a matrix in CSR, or of one that is being made.
struct matrix_arguments {
  std::uint64_t rows, nnz;
  const void* offsets;
  std::uint32_t wide, bytes;  // of a value; 0: iso

  matrix_arguments(const device_context& device, const matrix_base& m)
      : rows(static_cast<std::uint64_t>(m.rows)),
        nnz(static_cast<std::uint64_t>(m.nnz)),
        offsets(device.read(m.offsets)),
        wide(m.wide),
        bytes(m.iso ? 0 : static_cast<std::uint32_t>(m.type->size)) {}
};

}  // namespace tropic::detail
