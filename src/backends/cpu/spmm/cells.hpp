// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cells of a full matrix as the kernels read them.

#include <tropic/detail/full.hpp>

#include "backends/cpu/memory_side.hpp"

namespace tropic::detail::on_cpu {

struct cell_arrays {
  std::size_t rows = 0, columns = 0, leading = 0;
  buffer_pointer values, present;  // present: null if no entry is missing
};

/// The transpose, without gaps between rows.
cell_arrays transposed(const memory_side& here, const cell_arrays& from, std::size_t bytes);

/// A byte for each row: 0 if it has no entry.
buffer_pointer rows_with_entries(const memory_side& here, const cell_arrays& from);

}  // namespace tropic::detail::on_cpu
