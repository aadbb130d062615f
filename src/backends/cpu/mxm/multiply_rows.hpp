// SPDX-License-Identifier: Apache-2.0
#pragma once

// All rows of a product: as a matrix, or their sum. Bitmaps of rows (row_bitmaps.hpp) make it
// fast and are dropped if it does not fit the memory that they leave.

#include "backends/cpu/mxm/method.hpp"

namespace tropic::detail::on_cpu {

/// The product's entries that the mask allows. Throws cancelled, out_of_memory.
matrix_base multiply_rows(const memory_side& here, context_state&, prepared_mxm&);

/// Their sum to `result`; false, and nothing written, if there are none.
bool sum_of_rows(context_state&, prepared_mxm&, const monoid_description&, void* result);

}  // namespace tropic::detail::on_cpu
