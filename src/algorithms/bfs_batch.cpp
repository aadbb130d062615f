// SPDX-License-Identifier: Apache-2.0
#include "algorithms/bfs_batch.hpp"

#include <tropic/algorithms/verify/bfs_batch.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

bfs_batch_result bfs_batch(const detail::matrix_base& graph, std::span<const index_t> sources) {
  return tropic::bfs_batch(as_pattern(graph), sources);
}

std::string verify_bfs_batch(const detail::matrix_base& graph, std::span<const index_t> sources,
                             const bfs_batch_result& result) {
  return tropic::verify_bfs_batch(as_pattern(graph), sources, result);
}

}  // namespace tropic::algorithms
