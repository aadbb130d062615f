// SPDX-License-Identifier: Apache-2.0
#pragma once

// A copy of a matrix with hot columns, built in the memory that holds the matrix.

#include "backends/backend.hpp"

namespace tropic::detail {

/// By the backend if it supports that, otherwise on the host; the results are identical. Throws
/// out_of_memory; cancelled.
hot_columns make_hot_columns(backend&, const matrix_base&);

}  // namespace tropic::detail
