// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strong components: every vertex gets the smallest vertex of its component as its label. Two
// vertices are in one component if each is reachable from the other.
//
// First, vertices without an edge in or without an edge out are removed until there are none: each
// is a component (McLendon, Hendrickson, Plimpton and Rauchwerger, "Finding strongly connected
// components in distributed graphs", JPDC 65, 2005, section 4). Then, in rounds, with a priority
// for every vertex that looks random and is unique:
//
//   F(v) = the least priority of a vertex of v's part from which v can be reached
//   B(v) = the least priority of a vertex of v's part that can be reached from v
//
// each by one iterate_until over (min, first), along the edges and against them. Where F(v) = B(v),
// v is in the component of the vertex with that priority. The other vertices of a part are divided
// by their pairs (F, B); components are never divided. (Forward and backward searches: Fleischer,
// Hendrickson and Pinar, "On identifying strongly connected components in parallel", IPDPS 2000;
// of all parts at once, from extreme numbers: Alabandi, Sands, Biros and Burtscher, "A
// high-performance algorithm for identifying strongly connected components", SC 2023, section 3.)
//
// No edge between parts is removed. Parts are numbered such that along an edge u -> v the number
// never increases: in a part F(u) >= F(v) and B(u) <= B(v), so new parts are numbered by the old
// part, then by F ascending, then by B descending. The value that is propagated has the part above
// the priority. What comes from another part is then never less than v's own value, and changes
// nothing. Against the edges, the numbers of parts are counted from the other end.
//
// Every round finds a component in every part; expected are O(log vertices) rounds, as the vertex
// of least priority divides its part at random. In a round a value changes as often as a lesser
// priority comes into reach, expected O(log vertices) times: work O(edges log^2 vertices) at most,
// on most graphs a few passes over the edges, since most vertices are settled in the first round.
// Vertices that are left are sorted on the host. Space: the transpose, the graph without loops if
// it has any, and at most 64 bytes a vertex, as all of them search at once: value 8, frontier 12,
// lists of the search 12, label 8; vertex, part, F, B and order of those that are left 24.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/mix.hpp>
#include <tropic/algorithms/detail/smallest_label.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/apply.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/iterate.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct strong_components_result {
  vector<index_t> label;   // the smallest vertex of the component, for every vertex
  index_t components = 0;  // number of components
  index_t rounds = 0;      // number of pairs of searches; of a symmetric graph: number of products
};

namespace detail {

/// The vertices that are left when those without an edge in or out are removed until there are
/// none, ascending. A round costs the vertices that it removes and their edges, on devices a pass.
inline std::vector<std::uint32_t> trimmed(const matrix<bool>& edges, const matrix<bool>& reversed) {
  using count = std::uint32_t;
  const context where = edges.where();
  const index_t n = edges.rows();
  const vector<bool> every(where, n, true);
  const vector<count> nothing(where, n);
  // Edges from and to vertices that are left; entries are the vertices that are left.
  vector<count> in(where, n, 0), out(where, n, 0);
  mxv(in, plus_pair<count, bool, bool>{}, reversed, every, {.accumulate = plus{}});
  mxv(out, plus_pair<count, bool, bool>{}, edges, every, {.accumulate = plus{}});
  const auto is_zero = bind_second(equal{}, count{0});
  vector<count> removed(where, n), of_in(where, n), of_out(where, n);
  ewise_multiply(removed, minimum{}, in, out);
  select(removed, is_zero, removed);
  // left -= edges from `removed`; `changed` gets those whose number is 0 now.
  const auto subtract = [&](vector<count>& left, const matrix<bool>& a, vector<count>& changed) {
    assign(left, nothing, {.mask = structure(removed)});
    vxm(changed, plus_pair<count, count, bool>{}, removed, a,
        {.mask = structure(left), .replace = true});
    ewise_add(left, minus{}, left, changed);
    ewise_multiply(changed, second{}, changed, left);
    select(changed, is_zero, changed);
  };
  while (removed.nvals() > 0) {
    where.checkpoint("strong components: trim");
    subtract(in, edges, of_in);
    subtract(out, reversed, of_out);
    ewise_add(removed, first{}, of_in, of_out);
  }
  const auto left = in.to_sparse().indices;
  return {left.data.begin(), left.data.end()};
}

/// The search of one direction: for every vertex of `left`, the least priority that comes to it
/// along `edges`. `parts`: the numbers of their parts, from 1 on, which do not increase along them.
inline std::vector<std::uint32_t> least_priorities(const matrix<bool>& edges,
                                                   const std::vector<std::uint32_t>& left,
                                                   const std::vector<std::uint32_t>& parts) {
  const context where = edges.where();
  const auto n = static_cast<std::size_t>(edges.rows());
  std::vector<std::uint64_t> of_left(left.size());
  std::vector<std::uint64_t> all(n);  // 0 where nothing can change: not left
  for (std::size_t m = 0; m < left.size(); ++m)
    all[left[m]] = of_left[m] = std::uint64_t{parts[m]} << 32 | mixed(left[m]);
  auto value = vector<std::uint64_t>::from_array(where, std::move(all));
  auto frontier = vector<std::uint64_t>::from_sparse(where, edges.rows(), left, std::move(of_left));
  iterate_until(value, min_first<std::uint64_t, std::uint64_t, bool>{}, frontier, edges,
                {.improves = less{}, .name = "strong components"});
  const array_view<std::uint64_t> values = host_values("strong components", value);
  std::vector<std::uint32_t> found(left.size());
  for (std::size_t m = 0; m < left.size(); ++m)
    found[m] = static_cast<std::uint32_t>(values[left[m]]);
  return found;
}

/// Labels that tell components apart: each is a vertex of its component.
inline std::vector<index_t> strong_labels(const matrix<bool>& edges, index_t& rounds) {
  matrix<bool> reversed(edges.where(), edges.rows(), edges.rows());
  transpose(reversed, edges);
  std::vector<index_t> label(static_cast<std::size_t>(edges.rows()));
  std::iota(label.begin(), label.end(), index_t{0});

  std::vector<std::uint32_t> left = trimmed(edges, reversed);
  std::vector<std::uint32_t> part(left.size(), 1);
  for (std::uint32_t parts = 1; !left.empty(); ++rounds) {
    edges.where().checkpoint("strong components");
    const std::vector<std::uint32_t> forward = least_priorities(edges, left, part);
    for (std::uint32_t& number : part) number = parts + 1 - number;
    const std::vector<std::uint32_t> backward = least_priorities(reversed, left, part);
    std::vector<std::size_t> order;  // of those that are not settled, by their new parts
    for (std::size_t m = 0; m < left.size(); ++m)
      if (forward[m] == backward[m])
        label[left[m]] = unmixed(forward[m]);
      else
        order.push_back(m);
    const auto pair_of = [&](std::size_t m) {
      return std::tuple(~part[m], forward[m], ~backward[m]);
    };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return pair_of(a) < pair_of(b); });
    std::vector<std::uint32_t> next(left.size(), 0);
    parts = 0;
    for (std::size_t m = 0; m < order.size(); ++m) {
      if (m == 0 || pair_of(order[m - 1]) != pair_of(order[m])) ++parts;
      next[order[m]] = parts;
    }
    std::size_t kept = 0;
    for (std::size_t m = 0; m < left.size(); ++m) {
      if (next[m] == 0) continue;
      left[kept] = left[m];
      part[kept++] = next[m];
    }
    left.resize(kept);
    part.resize(kept);
  }
  return label;
}
}  // namespace detail

/// The strong components of a graph. An entry (i, j) of `graph` is an edge from i to j, whatever
/// its value; loops change nothing. Those of a matrix that is known to be symmetric
/// (matrix::assume_symmetric) are its connected_components. Throws usage_error if the matrix is not
/// square; cancelled.
template <value_type T>
strong_components_result strong_components(const matrix<T>& graph) {
  detail::check_square("strong_components", graph);
  const context where = graph.where();
  where.checkpoint("strong components");
  if (graph.is_symmetric()) {
    components_result found = connected_components(graph);
    return {std::move(found.label), found.components, found.rounds};
  }
  strong_components_result result{vector<index_t>(where, graph.rows())};
  const matrix<bool> edges = detail::without_loops(detail::edges_of(graph));
  result.label = detail::smallest_of_label(
      "strong components",
      vector<index_t>::from_array(where, detail::strong_labels(edges, result.rounds)));
  vector<index_t> roots(where, graph.rows());
  select(roots, detail::is_own_label{}, result.label);
  result.components = roots.nvals();
  return result;
}

}  // namespace tropic
