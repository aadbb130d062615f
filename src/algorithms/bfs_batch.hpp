// SPDX-License-Identifier: Apache-2.0
#pragma once

// Searches from many sources at once on a graph of any value type. Only the pattern is used.

#include <span>
#include <string>

#include <tropic/algorithms/bfs_batch.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::bfs_batch.
bfs_batch_result bfs_batch(const detail::matrix_base& graph, std::span<const index_t> sources);
/// As tropic::verify_bfs_batch.
std::string verify_bfs_batch(const detail::matrix_base& graph, std::span<const index_t> sources,
                             const bfs_batch_result& result);

}  // namespace tropic::algorithms
