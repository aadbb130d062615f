// SPDX-License-Identifier: Apache-2.0
#pragma once

// The orders behind the kinds of permutation: lists of old positions, from what is known of the
// rows or columns. All are the same for every number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

/// Old positions in their new order.
using order = std::vector<std::uint32_t>;

/// `size` positions, each order as likely as any other. O(size).
order random_order(std::uint64_t size, std::uint64_t stream, int threads);

/// The paper's gradient permutation of rows (or columns) with these counts. O(counts).
order gradient_order(std::span<const std::uint64_t> counts, std::uint64_t stream, int threads);

/// Largest count first, equal ones as they were. O(counts + the largest).
order descending_order(std::span<const std::uint64_t> counts);

/// Those with more than `most` last, else as they were; their number before it.
order dense_last_order(std::span<const std::uint64_t> counts, double most,
                       std::uint64_t& number_before);

/// Reverse Cuthill-McKee of a square matrix. O(rows + entries). Throws cancelled.
order cuthill_mckee_order(const matrix_base&);

}  // namespace tropic::detail
