// SPDX-License-Identifier: Apache-2.0
#pragma once

// Closeness: for every vertex v, with r vertices that reach it, itself included, and the sum of
// their distances to it in edges,
//
//   closeness(v) = (r - 1) / sum * (r - 1) / (n - 1)
//
// the second factor as Wasserman and Faust ("Social network analysis", 1994, chapter 5) propose for
// graphs that are not connected. Distances to all vertices come from 64 searches at once (Then et
// al., "The more the merrier: efficient multi-source graph traversal", VLDB 2015, section 3): every
// vertex has a word with a bit for each source, and a step over (or, first) on words is one step of
// all searches.
//
//   arrived = frontier A        fresh = arrived & ~visited        visited |= fresh
//   sum += level * bits(fresh)
//
// Invariant: bit s of visited(v) is set if v is at most `level` edges from source s. Sums are
// integers, so results are the same on every device. Work O(n / 64 * (vertices + edges)), with the
// edges of a vertex read once for every level at which a search arrives. Space: 8 bytes a vertex
// for each of seven vectors, since all distances are summed while they are found; and the transpose
// of a matrix that is not known to be symmetric.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct closeness_options {
  /// Apply the factor (r - 1) / (n - 1) of Wasserman and Faust. Without it, a value measures
  /// closeness within the part of the graph that reaches v.
  bool wf_improved = true;
};

struct closeness_result {
  vector<double> centrality;  // full: one value per vertex
  index_t batches = 0;        // of up to 64 searches
};

namespace detail {
TROPIC_BINARY_OPERATOR(either_bits, x | y);
TROPIC_MONOID(either_bits_monoid, either_bits, 0, .idempotent = true);
TROPIC_BINARY_OPERATOR(bits_not_in, x & ~y);
/// The number of bits of a word: sums of 2, of 4 and of 8 bits, then of all bytes.
TROPIC_UNARY_OPERATOR(count_of_bits,
                      (((((x - ((x >> 1) & 0x5555555555555555)) & 0x3333333333333333) +
                         (((x - ((x >> 1) & 0x5555555555555555)) >> 2) & 0x3333333333333333) +
                         ((((x - ((x >> 1) & 0x5555555555555555)) & 0x3333333333333333) +
                           (((x - ((x >> 1) & 0x5555555555555555)) >> 2) & 0x3333333333333333)) >>
                          4)) &
                        0x0f0f0f0f0f0f0f0f) *
                       0x0101010101010101) >>
                          56);
/// x: vertices that reach v; y: the sum of their distances.
TROPIC_BINARY_OPERATOR(closeness_of, y > 0 ? (x - 1) / y : 0);
TROPIC_BINARY_OPERATOR(improved_closeness_of, y > 0 ? (x - 1) / y * ((x - 1) / others) : 0,
                       (double, others));

/// Adds the sums of the distances from the sources [first, first + count) to `far`, and their
/// number to `reach`. count is at most 64.
template <value_type T>
void add_distances(const matrix<T>& graph, index_t first, index_t count, vector<std::uint64_t>& far,
                   vector<std::uint64_t>& reach) {
  const context where = graph.where();
  const index_t n = graph.rows();
  std::vector<index_t> sources;
  std::vector<std::uint64_t> bits;
  for (index_t s = 0; s < count; ++s) {
    sources.push_back(first + s);
    bits.push_back(std::uint64_t{1} << s);
  }
  auto frontier = vector<std::uint64_t>::from_entries(where, n, sources, bits);
  vector<std::uint64_t> visited(where, n, 0), arrived(where, n), fresh(where, n), number(where, n);
  assign(visited, frontier, {.accumulate = either_bits{}});
  for (std::uint64_t level = 1;; ++level) {
    where.checkpoint("closeness");
    vxm(arrived, semiring<either_bits_monoid<std::uint64_t>, tropic::first, std::uint64_t, T>{},
        frontier, graph);
    ewise_multiply(fresh, bits_not_in{}, arrived, visited);
    select(frontier, nonzero{}, fresh);
    if (frontier.nvals() == 0) break;
    assign(visited, frontier, {.accumulate = either_bits{}});
    apply(number, count_of_bits{}, frontier);
    apply(number, bind_second(times{}, level), number);
    assign(far, number, {.accumulate = plus{}});
  }
  apply(number, count_of_bits{}, visited);
  assign(reach, number, {.accumulate = plus{}});
}
}  // namespace detail

/// Closeness of every vertex, by the distances to it, as NetworkX defines it. An entry (i, j) of
/// `graph` is an edge from i to j, whatever its value. A vertex that no other reaches has 0. Throws
/// usage_error if the matrix is not square; cancelled.
template <value_type T>
closeness_result closeness(const matrix<T>& graph, const closeness_options& options = {}) {
  detail::check_square("closeness", graph);
  const context where = graph.where();
  const index_t n = graph.rows();
  constexpr index_t width = 64;
  vector<std::uint64_t> far(where, n, 0), reach(where, n, 0);
  closeness_result result{vector<double>(where, n)};
  for (index_t first = 0; first < n; first += width, ++result.batches) {
    where.checkpoint("closeness", static_cast<double>(first) / static_cast<double>(n));
    detail::add_distances(graph, first, std::min(width, n - first), far, reach);
  }
  vector<double> sum(where, n), count(where, n);
  apply(sum, identity{}, far);
  apply(count, identity{}, reach);
  if (options.wf_improved)
    ewise_multiply(result.centrality,
                   detail::improved_closeness_of{static_cast<double>(std::max<index_t>(n - 1, 1))},
                   count, sum);
  else
    ewise_multiply(result.centrality, detail::closeness_of{}, count, sum);
  return result;
}

}  // namespace tropic
