// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix with its columns numbered by descending number of entries, so that what a product reads
// of u most often lies side by side, in few lines of a cache (docs/plan.md). Rows stay where they
// are, and with them the result.

#include <tropic/detail/containers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// On the host, in parallel (devices have their own, src/plan/hot_copy.hpp); O(entries + columns).
/// Columns alike in number stay in their order, so that the same matrix gives the same numbers.
/// Throws out_of_memory; cancelled.
hot_columns to_hot_columns(const matrix_base&);

}  // namespace tropic::detail
