// SPDX-License-Identifier: Apache-2.0
#pragma once

// A colouring of the vertices, such that the ends of every edge have different colours. Edges count
// in both directions, loops do not count.
//
// Vertices are taken by descending priority (detail/priorities.hpp); each gets the smallest colour
// that none of its neighbours has. In parallel, all vertices whose neighbours of higher priority
// have their colours get theirs at once (Jones and Plassmann, "A parallel graph coloring
// heuristic", SIAM Journal on Scientific Computing 14, 1993, section 3; Hasenplaugh, Kaler, Schardl
// and Leiserson, "Ordering heuristics for parallel graph coloring", SPAA 2014, section 2). The
// colours are those of the serial loop: they depend on the graph and the seed only.
//
// Vertices are numbered by descending priority, and U is the upper triangle of the adjacency matrix
// in that order. waiting(v) is the number of v's neighbours of higher priority without a colour,
// used(v) has a bit for every colour of a neighbour. A round is
//
//   ready = waiting where it is 0            waiting<ready> = nothing
//   color(ready) = the lowest bit that used(ready) lacks
//   used or= bit(color)' U                   a product over (or of bits, first)
//   waiting -= ready' U                      a product over (plus, pair)
//
// Colours are taken 64 at a time: there is a vector `used` for each 64 of them, and a vertex
// without a free bit in one looks at the next.
//
// Work: every edge of U is followed twice, and a round costs the vertices that get their colour and
// their edges: O(vertices log vertices + edges + vertices x colours / 64). Rounds: the longest path
// of descending priorities, in a clique all of its vertices. Devices pass over the vertices in
// every round. Space: undirected_edges, their permuted copy, then half of it; 8 bytes a vertex for
// every 64 colours, and at most 60 bytes a vertex: color 8, the order 12, waiting 5, ready, bits
// and marks 8 to 12 each.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/priorities.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/apply.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/permutation.hpp>
#include <tropic/permute.hpp>
#include <tropic/position_operators.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct coloring_result {
  vector<index_t> color;  // from 0 on, for every vertex
  index_t colors = 0;     // number of colours
  index_t rounds = 0;
};

namespace detail {
TROPIC_MONOID(bit_or_monoid, bit_or, 0, .idempotent = true);
TROPIC_UNARY_OPERATOR(lowest_free_bit, ~x&(x + 1));  // 0 if all are set
// The number of the single bit that is set in x, from `first` on.
TROPIC_UNARY_OPERATOR(
    number_of_bit,
    first + t_min(x & 0xaaaaaaaaaaaaaaaa, 1) + 2 * t_min(x & 0xcccccccccccccccc, 1) +
        4 * t_min(x & 0xf0f0f0f0f0f0f0f0, 1) + 8 * t_min(x & 0xff00ff00ff00ff00, 1) +
        16 * t_min(x & 0xffff0000ffff0000, 1) + 32 * t_min(x & 0xffffffff00000000, 1),
    (std::uint64_t, first));

/// The colours of vertices that are numbered in their order. `later`: the edges to later vertices.
inline coloring_result colors_in_order(const matrix<bool>& later) {
  using count = std::uint32_t;
  using bits = std::uint64_t;
  const context where = later.where();
  const index_t n = later.rows();
  coloring_result result{vector<index_t>(where, n, 0)};
  vector<count> waiting(where, n, 0), ready(where, n), fewer(where, n);
  vxm(waiting, plus_pair<count, bool, bool>{}, vector<bool>(where, n, true), later,
      {.accumulate = plus{}});
  const vector<count> nothing(where, n);
  const auto is_zero = bind_second(equal{}, count{0});
  std::deque<vector<bits>> used;  // of 64 colours each
  vector<bits> free(where, n), placed(where, n);
  vector<index_t> number(where, n);
  for (select(ready, is_zero, waiting); ready.nvals() > 0; ++result.rounds) {
    where.checkpoint("coloring");
    vector<count> open = ready;  // those without a colour
    for (std::size_t block = 0; open.nvals() > 0; ++block) {
      if (block == used.size()) used.emplace_back(where, n, bits{0});
      ewise_multiply(free, second{}, open, used[block]);
      apply(free, lowest_free_bit{}, free);
      select(placed, nonzero{}, free);
      if (placed.nvals() == 0) continue;
      apply(number, number_of_bit{64 * block}, placed);
      assign(result.color, number, {.mask = structure(number)});
      vxm(used[block], semiring<bit_or_monoid<bits>, first, bits, bool>{}, placed, later,
          {.accumulate = bit_or{}});
      assign(open, nothing, {.mask = structure(placed)});
    }
    assign(waiting, nothing, {.mask = structure(ready)});
    vxm(fewer, plus_pair<count, count, bool>{}, ready, later,
        {.mask = structure(waiting), .replace = true});
    ewise_add(waiting, minus{}, waiting, fewer);
    ewise_multiply(ready, second{}, fewer, waiting);
    select(ready, is_zero, ready);
  }
  if (n > 0) result.colors = reduce(maximum_monoid<index_t>{}, result.color) + 1;
  return result;
}

/// `numbers`: of numbers_of_vertices, or another number below 2^32 for each vertex.
inline coloring_result coloring(const matrix<bool>& edges, const vector<std::uint64_t>& numbers) {
  const vector<std::uint64_t> priority = priorities(edges, numbers);
  const array_view<std::uint64_t> value = host_values("coloring", priority);
  std::vector<std::uint32_t> vertices(value.size());
  std::iota(vertices.begin(), vertices.end(), 0U);
  std::sort(vertices.begin(), vertices.end(),
            [&](std::uint32_t a, std::uint32_t b) { return value[a] > value[b]; });
  const permutation order = permutation::from_old_positions(std::move(vertices));
  matrix<bool> later = permute(edges, order, order);
  select(later, triu{1}, later);
  coloring_result result = colors_in_order(later);
  result.color = permute(result.color, order.inverse());
  return result;
}
}  // namespace detail

/// A greedy colouring; other seeds give other orders. An entry (i, j) of `graph` is an edge between
/// i and j, whatever its value; a symmetric matrix should be known to be so
/// (matrix::assume_symmetric). There are at most as many colours as the largest degree plus one.
/// Throws usage_error if the matrix is not square; cancelled.
template <value_type T>
coloring_result greedy_coloring(const matrix<T>& graph, std::uint64_t seed = 0) {
  detail::check_square("greedy_coloring", graph);
  const context where = graph.where();
  where.checkpoint("coloring");
  return detail::coloring(detail::undirected_edges(graph),
                          detail::numbers_of_vertices(where, graph.rows(), seed));
}

}  // namespace tropic
