// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks searches from many sources one by one (verify/bfs.hpp). Sequential.

#include <cstddef>
#include <span>
#include <string>

#include <tropic/algorithms/bfs_batch.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

/// Empty if `result` is that of bfs_batch() from these sources, else the first error found. Throws
/// as bfs_batch does.
template <value_type T>
std::string verify_bfs_batch(const matrix<T>& graph, std::span<const index_t> sources,
                             const bfs_batch_result& result) {
  detail::check_square("verify_bfs_batch", graph);
  const auto count = static_cast<index_t>(sources.size());
  for (const full_matrix<index_t>* part : {&result.level, &result.parent})
    if (part->rows() != graph.rows() || part->columns() != count)
      return "the result is " + std::to_string(part->rows()) + "x" +
             std::to_string(part->columns()) + ", the graph has " + std::to_string(graph.rows()) +
             " vertices and there are " + std::to_string(count) + " sources";
  for (index_t s = 0; s < count; ++s) {
    const index_t source = sources[static_cast<std::size_t>(s)];
    const std::string wrong =
        verify_bfs(graph, source, {result.level.column(s), result.parent.column(s)});
    if (!wrong.empty()) return "from source " + std::to_string(source) + ": " + wrong;
  }
  return {};
}

}  // namespace tropic
