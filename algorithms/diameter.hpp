// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounds of the diameter, the largest number of edges on a shortest path between two vertices that
// are connected, edges taken in both directions. In every component that is large enough to have a
// longer path than those known:
//
//   double sweeps    a search from u finds the farthest vertex a, one from a the farthest vertex b:
//                    their distance is a lower bound. 2 * (eccentricity of u) is an upper one. The
//                    middle of the paths from a to b is the next u (Magnien, Latapy and Habib,
//                    "Fast computation of empirically tight bounds for the diameter of massive
//                    graphs", JEA 13, 2009, section 3; Crescenzi, Grossi, Habib, Lanzi and Marino,
//                    "On computing the diameter of real-world undirected graphs", Theoretical
//                    Computer Science 514, 2013, section 3.2)
//   iFUB             exact: levels of the best u from the outside inwards. All vertices on level i
//                    and further out have been ends of searches. Two vertices on inner levels are
//                    at most 2 (i - 1) apart, through u (Crescenzi et al., section 3.1)
//
// The searches of a level run 64 at once on words with a bit for each, as in closeness.hpp; the
// number of rounds until no bit is new is their largest eccentricity. In a small component searches
// run on the host, one by one (diameter_search.hpp).
//
// Invariant: lower <= diameter <= upper; `from` and `to` are `lower` edges apart. Work
// O(vertices + edges) for each of at most eleven searches in a component without `exact`, those of
// the component where it is small; with it O(vertices / 64 * (vertices + edges)) in the worst case,
// as on graphs with all vertices equally far out, and a few searches on roads and social networks.
// Space: the graph in both directions if it is not known to be symmetric, 100 bytes a vertex.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/algorithms/diameter_search.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

struct diameter_options {
  /// Search until the bounds are equal.
  bool exact = false;
};

/// Bounds of the longest shortest path within any component, in edges. An entry (i, j) of `graph`
/// is an edge between i and j, whatever its value; loops do not count. Throws usage_error if the
/// matrix is not square; cancelled; out_of_memory.
template <value_type T>
diameter_result diameter(const matrix<T>& graph, const diameter_options& options = {}) {
  detail::check_square("diameter", graph);
  const context where = graph.where();
  where.checkpoint("diameter");
  const matrix<bool> edges = detail::undirected_edges(graph);
  const components_result components = connected_components(edges);
  const array_view<index_t> label = detail::host_values("diameter", components.label);
  // The vertices by components, the largest component first, then that of the smallest vertex.
  std::vector<index_t> size(label.size(), 0), order(label.size());
  for (const index_t of : label) ++size[static_cast<std::size_t>(of)];
  std::iota(order.begin(), order.end(), index_t{0});
  std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
    const index_t first = label[static_cast<std::size_t>(a)];
    const index_t second = label[static_cast<std::size_t>(b)];
    const index_t sizes[] = {size[static_cast<std::size_t>(first)],
                             size[static_cast<std::size_t>(second)]};
    return sizes[0] != sizes[1] ? sizes[0] > sizes[1] : first < second;
  });
  detail::reading_for("diameter", [&] { return edges.offset(0); });
  detail::diameter_search search(edges, options.exact);
  if (!order.empty()) search.found({0, order.front(), order.front()});
  for (std::size_t at = 0; at < order.size();) {
    const index_t count =
        size[static_cast<std::size_t>(label[static_cast<std::size_t>(order[at])])];
    if (count - 1 <= search.result().lower) break;  // no longer path fits into it
    search.run(std::span(order).subspan(at, static_cast<std::size_t>(count)));
    at += static_cast<std::size_t>(count);
  }
  return search.result();
}

}  // namespace tropic
