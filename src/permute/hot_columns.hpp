// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix whose columns are numbered by descending number of entries, so that the elements of u
// that a product reads most often are adjacent, in few cache lines (docs/plan.md). The order of the
// rows, and therefore of the result, does not change.

#include <tropic/detail/containers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// On the host, in parallel (devices have their own version, src/plan/hot_copy.hpp); O(entries +
/// columns). Columns with equal numbers of entries keep their order, so that the result is
/// deterministic. Throws out_of_memory; cancelled.
hot_columns to_hot_columns(const matrix_base&);

}  // namespace tropic::detail
