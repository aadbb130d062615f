// SPDX-License-Identifier: Apache-2.0
#pragma once

// The algorithms behind the kinds of permutation: lists of old positions, computed from counts of
// rows or columns. All are independent of the number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

/// Old positions in their new order.
using order = std::vector<std::uint32_t>;

/// `size` positions in uniformly random order. O(size).
order random_order(std::uint64_t size, std::uint64_t stream, int threads);

/// The paper's gradient permutation of rows (or columns) with these counts. O(counts).
order gradient_order(std::span<const std::uint64_t> counts, std::uint64_t stream, int threads);

/// Largest count first; equal counts keep their order. O(counts + the largest).
order descending_order(std::span<const std::uint64_t> counts);

/// Positions with counts above `limit` last, otherwise in the old order; `number_before` is the
/// number of the others.
order dense_last_order(std::span<const std::uint64_t> counts, double limit,
                       std::uint64_t& number_before);

/// Reverse Cuthill-McKee of a square matrix. O(rows + entries). Throws cancelled.
order cuthill_mckee_order(const matrix_base&);

}  // namespace tropic::detail
