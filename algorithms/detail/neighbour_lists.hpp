// SPDX-License-Identifier: Apache-2.0
#pragma once

// The neighbours of every vertex as lists on the host: for verifiers, which do not use the algebra.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/matrix.hpp>

namespace tropic::detail {

using neighbour_lists = std::vector<std::vector<std::uint32_t>>;

/// The neighbours of every vertex in either direction, without itself, each once, ascending.
template <value_type T>
neighbour_lists neighbours_of(const matrix<T>& graph) {
  neighbour_lists lists(static_cast<std::size_t>(graph.rows()));
  const array_view<std::uint32_t> columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const std::uint32_t j = columns[static_cast<std::size_t>(e)];
      if (static_cast<index_t>(j) == i) continue;
      lists[static_cast<std::size_t>(i)].push_back(j);
      lists[j].push_back(static_cast<std::uint32_t>(i));
    }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

}  // namespace tropic::detail
