// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a merge of matrices is given (device_matrices.cpp).

#include "backends/device/backend.hpp"

namespace tropic::detail {

/// A matrix that takes part in a merge, and what is found of its entries.
struct device_backend::merge_side {
  const matrix_base& m;
  buffer_pointer keeps;  // a byte an entry; null: all are kept
  buffer_pointer takes{}, beyond{};
  running_sums sums{};

  bool is_empty() const { return m.nnz == 0; }
};

}  // namespace tropic::detail
