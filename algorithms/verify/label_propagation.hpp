// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks label propagation without the algebra: the iterations once more, with the labels around
// each vertex sorted. O(iterations edges log(largest degree)), sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/label_propagation.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
/// The most frequent label, of several the smallest. Sorts the labels, of which there is one.
inline index_t most_frequent(std::vector<index_t>& labels) {
  std::sort(labels.begin(), labels.end());
  index_t best = labels.front();
  std::ptrdiff_t best_count = 0;
  for (auto from = labels.begin(); from != labels.end();) {
    const auto end = std::upper_bound(from, labels.end(), *from);
    if (end - from > best_count) best = *from;
    best_count = std::max(best_count, end - from);
    from = end;
  }
  return best;
}
}  // namespace detail

/// Empty if `result`, of that many iterations, is right, else the first error found. Throws as
/// label_propagation does.
template <value_type T>
std::string verify_label_propagation(const matrix<T>& graph, const label_propagation_result& result,
                                     index_t iterations = 10) {
  detail::check_square("verify_label_propagation", graph);
  const auto n = static_cast<std::size_t>(graph.rows());
  if (result.label.size() != graph.rows())
    return "the result has " + std::to_string(result.label.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  const array_view<std::uint32_t> columns = graph.column_indices();
  std::vector<std::vector<std::uint32_t>> around(n);
  for (std::size_t v = 0; v < n; ++v) {
    const auto end = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v) + 1));
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(v))); e < end; ++e) {
      around[v].push_back(columns[e]);
      if (!graph.is_symmetric()) around[columns[e]].push_back(static_cast<std::uint32_t>(v));
    }
  }
  const context where = graph.where();
  std::vector<index_t> label(n), next, seen;
  std::iota(label.begin(), label.end(), index_t{0});
  for (index_t iteration = 0; iteration < iterations; ++iteration) {
    next = label;
    for (std::size_t v = 0; v < n; ++v) {
      if (v % 4096 == 0)
        where.checkpoint("label_propagation: verify",
                         static_cast<double>(iteration) / static_cast<double>(iterations));
      seen.clear();
      for (const std::uint32_t u : around[v]) seen.push_back(label[u]);
      if (!seen.empty()) next[v] = detail::most_frequent(seen);
    }
    if (next == label) break;
    label.swap(next);
  }
  const std::vector<index_t> found = result.label.dense(-1);
  for (std::size_t v = 0; v < n; ++v)
    if (found[v] != label[v])
      return "vertex " + std::to_string(v) + " has label " + std::to_string(found[v]) +
             ", the most frequent around it is " + std::to_string(label[v]);
  std::sort(label.begin(), label.end());
  const auto labels = static_cast<index_t>(std::unique(label.begin(), label.end()) - label.begin());
  if (result.labels != labels)
    return "the result counts " + std::to_string(result.labels) + " labels, there are " +
           std::to_string(labels);
  return {};
}

}  // namespace tropic
