// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks a k-truss without the algebra: edges with too few triangles are removed one by one, and
// the triangles of a removed edge are taken from its other two edges (Wang and Cheng, "Truss
// decomposition in massive networks", PVLDB 5, 2012, section 3). Sequential.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/neighbour_lists.hpp>
#include <tropic/algorithms/k_truss.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
/// The triangles of every edge within the k-truss, in the order of the lists; -1: not in it.
inline std::vector<std::vector<index_t>> serial_truss(const context& where,
                                                      const neighbour_lists& lists, index_t k) {
  using edge = std::pair<std::size_t, std::size_t>;
  std::vector<std::vector<index_t>> support(lists.size());
  const auto place = [&](std::size_t a, std::size_t b) {
    return static_cast<std::size_t>(std::lower_bound(lists[a].begin(), lists[a].end(), b) -
                                    lists[a].begin());
  };
  const auto at = [&](std::size_t a, std::size_t b) -> index_t& { return support[a][place(a, b)]; };
  // f(c) for every vertex c that a and b are both linked to.
  const auto for_common = [&](std::size_t a, std::size_t b, auto&& f) {
    if (lists[a].size() > lists[b].size()) std::swap(a, b);
    for (const std::uint32_t c : lists[a])
      if (std::binary_search(lists[b].begin(), lists[b].end(), c)) f(std::size_t{c});
  };
  for (std::size_t a = 0; a < lists.size(); ++a) support[a].resize(lists[a].size());
  for (std::size_t a = 0; a < lists.size(); ++a) {
    if (a % 4096 == 0)
      where.checkpoint("truss: verify", static_cast<double>(a) / static_cast<double>(lists.size()));
    for (std::size_t m = 0; m < lists[a].size(); ++m)
      for_common(a, lists[a][m], [&](std::size_t) { ++support[a][m]; });
  }
  std::vector<edge> weak;
  for (std::size_t a = 0; a < lists.size(); ++a)
    for (std::size_t m = 0; m < lists[a].size(); ++m)
      if (lists[a][m] > a && support[a][m] < k - 2) weak.emplace_back(a, lists[a][m]);
  while (!weak.empty()) {
    const auto [a, b] = weak.back();
    weak.pop_back();
    if (at(a, b) < 0) continue;
    at(a, b) = at(b, a) = -1;
    for_common(a, b, [&, a = a, b = b](std::size_t c) {
      if (at(a, c) < 0 || at(b, c) < 0) return;
      for (const std::size_t end : {a, b}) {
        const index_t left = --at(end, c);
        --at(c, end);
        if (left == k - 3) weak.emplace_back(end, c);
      }
    });
  }
  return support;
}
}  // namespace detail

/// Empty if `result` is the k-truss, else the first error found. Throws as k_truss does.
template <value_type T>
std::string verify_k_truss(const matrix<T>& graph, index_t k, const k_truss_result& result) {
  detail::check_square("verify_k_truss", graph);
  const matrix<std::uint32_t>& truss = result.support;
  if (truss.rows() != graph.rows() || truss.columns() != graph.rows())
    return "the truss is " + std::to_string(truss.rows()) + "x" + std::to_string(truss.columns()) +
           ", the graph has " + std::to_string(graph.rows()) + " vertices";
  const detail::neighbour_lists lists = detail::neighbours_of(graph);
  const auto expected = detail::serial_truss(graph.where(), lists, k);
  const array_view<std::uint32_t> columns = truss.column_indices(), values = truss.values();
  index_t edges = 0;
  for (std::size_t v = 0; v < lists.size(); ++v) {
    index_t e = truss.offset(static_cast<index_t>(v));
    const index_t end = truss.offset(static_cast<index_t>(v) + 1);
    const auto name = [&](std::uint32_t u) {
      return "edge " + std::to_string(v) + " " + std::to_string(u);
    };
    for (std::size_t m = 0; m < lists[v].size(); ++m) {
      if (expected[v][m] < 0) continue;
      const std::uint32_t u = lists[v][m];
      ++edges;
      if (e == end || columns[static_cast<std::size_t>(e)] > u) return name(u) + " is missing";
      if (columns[static_cast<std::size_t>(e)] < u)
        return name(columns[static_cast<std::size_t>(e)]) + " is not in the truss";
      const std::uint32_t found = values[truss.is_iso() ? 0 : static_cast<std::size_t>(e)];
      if (index_t{found} != expected[v][m])
        return name(u) + " has " + std::to_string(found) + " triangles, a serial search finds " +
               std::to_string(expected[v][m]);
      ++e;
    }
    if (e < end) return name(columns[static_cast<std::size_t>(e)]) + " is not in the truss";
  }
  if (2 * result.edges != edges)
    return "the result counts " + std::to_string(result.edges) + " edges, there are " +
           std::to_string(edges / 2);
  return {};
}

}  // namespace tropic
