// SPDX-License-Identifier: Apache-2.0
#pragma once

// A minimum spanning forest: edges of least total weight that link what the graph links, a tree for
// every connected component. An entry in either direction is an edge; of two entries between the
// same vertices the lighter one counts; loops do not count.
//
// Edges are ordered by weight, then by their smaller vertex, then by their larger one. No two are
// equal, so there is one forest, and it does not depend on the order of the work. In a round
// (Boruvka, "O jistem problemu minimalnim", 1926; in parallel: Chung and Condon, "Parallel
// implementation of Boruvka's minimum spanning tree algorithm", IPPS 1996, section 2), G has a
// vertex for every tree of the forest so far, and for every two trees their lightest edge:
//
//   best(c) = the lightest edge in row c of G          a sum of rows over the minimum
//   parent(c) = the tree at the other end of best(c); of two trees that chose one edge, the one of
//               smaller number is a root
//   parent(c) = parent(parent(c)) until nothing changes
//   G = S' G S without its diagonal                    two products over the minimum
//
// where S has an entry (c, number of c's root). The best edges of all trees but roots are in the
// forest.
//
// Invariant: every edge in the forest is the lightest of those that leave some set of vertices. A
// tree with an edge is united with another, so that at least half of them vanish: at most
// log2(vertices) rounds, each O(trees + edges between trees). Weights become 64-bit numbers of the
// same order on the host. Space: G and both products, 20 bytes an entry each, since an edge keeps
// its weight and its ends while vertices are united; and 48 bytes a vertex: label 8, best 17,
// parents 16, rows of S 12, which shrink with the trees.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/apply.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/extract.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/permutation.hpp>
#include <tropic/position_operators.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

template <value_type T>
struct spanning_forest_result {
  matrix<T> forest;   // an entry (from, to), from < to, for every edge: its weight
  index_t edges = 0;  // number of edges
  index_t trees = 0;  // number of trees, with vertices that have no edge
  double weight = 0;  // sum of the weights in fp64, by rows
  index_t rounds = 0;
};

namespace detail {
// An edge: a number in the order of weights, and both ends, the smaller one in the upper half.
TROPIC_VALUE_TYPE(ranked_edge, (std::uint64_t, weight), (std::uint64_t, ends));
TROPIC_BINARY_OPERATOR(lighter_edge,
                       x.weight < y.weight || (x.weight == y.weight && x.ends <= y.ends) ? x : y);
TROPIC_MONOID(lightest_edge, lighter_edge, t_make(t_inf, t_inf), .idempotent = true);

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// Numbers in the order of the weights, one to one except for -0, which is 0.
template <class T>
std::uint64_t rank_of(T weight) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto bits = std::bit_cast<std::uint64_t>(weight == 0 ? 0.0 : static_cast<double>(weight));
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(weight)) ^ sign_bit;
  } else {
    return static_cast<std::uint64_t>(weight);
  }
}
template <class T>
T weight_of(std::uint64_t rank) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(std::bit_cast<double>((rank & sign_bit) != 0 ? rank ^ sign_bit : ~rank));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(rank ^ sign_bit));
  else
    return static_cast<T>(rank);
}

/// Of two edges between the same vertices the lighter one; loops are left out.
inline matrix<ranked_edge> in_both_directions(matrix<ranked_edge> edges, bool is_symmetric) {
  select(edges, off_the_diagonal{0}, edges);
  if (is_symmetric) return edges;
  matrix<ranked_edge> reversed(edges.where(), edges.rows(), edges.rows());
  transpose(reversed, edges);
  ewise_add(edges, lighter_edge{}, edges, reversed);
  return edges;
}

/// The edges in both directions, without loops. `name(v)`: the number of vertex v in their ends.
template <value_type T, class Name>
matrix<ranked_edge> ranked_edges(const matrix<T>& graph, const Name& name) {
  const context where = graph.where();
  const index_t n = graph.rows();
  const auto csr = graph.template to_csr<index_t>();
  std::vector<ranked_edge> edges(static_cast<std::size_t>(graph.nvals()));
  for (index_t i = 0; i < n; ++i) {
    if (i % 4096 == 0) where.checkpoint("spanning forest: order");
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
      const auto at = static_cast<std::size_t>(e);
      const index_t j = csr.indices.data[at];
      const T weight = csr.values.data[graph.is_iso() ? 0 : at];
      const auto from = static_cast<std::uint64_t>(name(i)),
                 to = static_cast<std::uint64_t>(name(j));
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(weight))
          throw usage_error("minimum_spanning_forest: the weight of edge " + std::to_string(from) +
                            " " + std::to_string(to) + " is NaN, expected a number");
      edges[at] = {rank_of(weight), std::min(from, to) << 32 | std::max(from, to)};
    }
  }
  return in_both_directions(
      matrix<ranked_edge>::from_csr(where, n, n, csr.offsets, csr.indices, adopt(std::move(edges)),
                                    {.trusted = true}),
      graph.is_symmetric());
}

/// G = S' G S without its diagonal, where S has an entry (c, number[c]) for every row c.
inline void contract(matrix<ranked_edge>& g, std::vector<std::uint32_t> number, index_t trees) {
  const context where = g.where();
  const index_t before = g.rows();
  std::vector<index_t> offsets(number.size() + 1);
  std::iota(offsets.begin(), offsets.end(), index_t{0});
  const auto one = std::make_shared<const bool>(true);
  const auto s = matrix<bool>::from_csr(where, before, trees, adopt(std::move(offsets)),
                                        adopt(std::move(number)),
                                        array_view<bool>{{one.get(), 1}, one}, {.trusted = true});
  matrix<ranked_edge> rows(where, trees, before), result(where, trees, trees);
  mxm(rows, semiring<lightest_edge<ranked_edge>, second, bool, ranked_edge>{}, transpose(s), g);
  g = matrix<ranked_edge>(where, 0, 0);
  mxm(result, semiring<lightest_edge<ranked_edge>, first, ranked_edge, bool>{}, rows, s);
  select(result, off_the_diagonal{0}, result);
  g = std::move(result);
}

/// The edges of the forest, in no order. `label(v)`: the row of g that stands for the vertex with
/// number v in the ends of edges.
inline std::vector<ranked_edge> spanning_edges(matrix<ranked_edge> g, vector<index_t> label,
                                               index_t& rounds) {
  const context where = g.where();
  std::vector<ranked_edge> forest;
  for (; g.nvals() > 0; ++rounds) {
    where.checkpoint("spanning forest");
    const auto trees = static_cast<std::size_t>(g.rows());
    vector<ranked_edge> best(where, g.rows());
    reduce(best, lightest_edge<ranked_edge>{}, g);
    const auto chosen = best.to_sparse();
    const array_view<index_t> labels = host_values("spanning forest", label);
    std::vector<index_t> parent(trees);
    std::iota(parent.begin(), parent.end(), index_t{0});
    for (std::size_t n = 0; n < chosen.indices.size(); ++n) {
      const std::uint32_t c = chosen.indices.data[n];
      const std::uint64_t ends = chosen.values.data[n].ends;
      const index_t a = labels[static_cast<std::size_t>(ends >> 32)];
      parent[c] = a != index_t{c} ? a : labels[static_cast<std::size_t>(ends & 0xffffffffU)];
    }
    for (std::size_t n = 0; n < chosen.indices.size(); ++n) {
      const std::uint32_t c = chosen.indices.data[n];
      const index_t other = parent[c];
      if (parent[static_cast<std::size_t>(other)] == index_t{c} && index_t{c} < other)
        parent[c] = c;
      else
        forest.push_back(chosen.values.data[n]);
    }
    auto root = vector<index_t>::from_array(where, std::move(parent));
    shortcut(root);
    const array_view<index_t> roots = host_values("spanning forest", root);
    std::vector<std::uint32_t> number(trees);
    std::uint32_t count = 0;
    for (std::size_t c = 0; c < trees; ++c)
      if (roots[c] == static_cast<index_t>(c)) number[c] = count++;
    std::vector<index_t> next(trees);
    for (std::size_t c = 0; c < trees; ++c)
      next[c] = number[c] = number[static_cast<std::size_t>(roots[c])];
    vector<index_t> united(where, label.size());
    extract(united, vector<index_t>::from_array(where, std::move(next)), labels.data);
    label = std::move(united);
    contract(g, std::move(number), count);
  }
  return forest;
}

/// `order`: of a relabelled graph, from the numbers of the result to those of `graph`, or null.
template <value_type T>
spanning_forest_result<T> spanning_forest(const matrix<T>& graph, const permutation* order) {
  const context where = graph.where();
  where.checkpoint("spanning forest");
  const index_t n = graph.rows();
  std::vector<index_t> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), index_t{0});
  if (order != nullptr) rows.assign(order->new_positions().begin(), order->new_positions().end());
  spanning_forest_result<T> result{matrix<T>(where, n, n)};
  const std::vector<ranked_edge> edges = spanning_edges(
      ranked_edges(graph, [&](index_t v) { return order != nullptr ? order->old_position(v) : v; }),
      vector<index_t>::from_array(where, std::move(rows)), result.rounds);
  std::vector<std::uint32_t> from(edges.size()), to(edges.size());
  const auto weight = std::make_unique<T[]>(edges.size());  // not std::vector<bool>
  for (std::size_t e = 0; e < edges.size(); ++e) {
    from[e] = static_cast<std::uint32_t>(edges[e].ends >> 32);
    to[e] = static_cast<std::uint32_t>(edges[e].ends);
    weight[e] = weight_of<T>(edges[e].weight);
  }
  result.forest = matrix<T>::from_entries(where, n, n, from, to,
                                          std::span<const T>(weight.get(), edges.size()));
  result.edges = result.forest.nvals();
  result.trees = n - result.edges;
  const auto values = result.forest.to_coo().values;
  for (const T value : values.data) result.weight += static_cast<double>(value);
  return result;
}
}  // namespace detail

/// The minimum spanning forest; of edges with equal weights, those with smaller vertices are
/// preferred, by the smaller end first. Throws usage_error if the matrix is not square, or a weight
/// is NaN; cancelled; out_of_memory.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
spanning_forest_result<T> minimum_spanning_forest(const matrix<T>& graph) {
  detail::check_square("minimum_spanning_forest", graph);
  return detail::spanning_forest(graph, nullptr);
}

}  // namespace tropic
