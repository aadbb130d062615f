// SPDX-License-Identifier: Apache-2.0
#pragma once

// Modularity of a partition into communities: how much more weight is inside of communities than
// expected (Newman, "Analysis of weighted networks", Physical Review E 70, 2004, section III; with
// the resolution of Reichardt and Bornholdt, Physical Review E 74, 2006; of directed graphs: Leicht
// and Newman, Physical Review Letters 100, 2008). With the matrix S that has one entry in each row
// v, at column community(v), and m, the sum of all weights,
//
//   Q = inside / m - resolution * sum over all communities of out * in / m^2
//   inside = sum of (A S)<S>        over (plus, first): weights within communities
//   out = S' (row sums of A)        in = S' (column sums of A)
//
// A symmetric matrix has every edge twice, and its loops are counted twice as well, as NetworkX
// does for undirected graphs. Q is 0 without edges. Work O(vertices + edges log). Space: with
// weights or loops a copy of the graph, 16 bytes a vertex, and the transpose of a matrix that is
// not known to be symmetric.

#include <cmath>
#include <string>
#include <type_traits>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/membership.hpp>
#include <tropic/apply.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct modularity_options {
  double resolution = 1;
  /// By the weights of edges, which must not be negative, instead of 1 for each edge.
  bool weighted = false;
};

namespace detail {
TROPIC_UNARY_OPERATOR(loops_twice, i == j ? x + x : x);

inline void check(const char* algorithm, const modularity_options& o) {
  if (!(o.resolution >= 0) || !std::isfinite(o.resolution))
    throw usage_error(std::string(algorithm) + ": resolution " + detail::number_text(o.resolution) +
                      ", needed a finite number from 0");
}

/// Weights as fp64, 1 for each edge unless `weighted`; loops twice in a symmetric matrix.
template <value_type T>
matrix<double> community_weights(const char* algorithm, const matrix<T>& graph, bool weighted) {
  check_square(algorithm, graph);
  matrix<double> weights(graph.where(), graph.rows(), graph.rows());
  if (weighted)
    apply(weights, identity{}, graph);
  else
    apply(weights, one{}, graph);
  if (graph.nvals() > 0 && (!(reduce(minimum_monoid<double>{}, weights) >= 0) ||
                            !std::isfinite(reduce(plus_monoid<double>{}, weights))))
    throw usage_error(std::string(algorithm) +
                      ": weights must not be negative, and need a finite sum");
  if (!graph.is_symmetric()) return weights;
  apply(weights, loops_twice{}, weights);
  weights.assume_symmetric();
  return weights;
}

/// Of weights that community_weights returns.
inline double modularity_of(const char* algorithm, const matrix<double>& weights,
                            const vector<index_t>& community, double resolution) {
  const context where = weights.where();
  const index_t n = weights.rows();
  const matrix<bool> members = membership(algorithm, community, n);
  const plus_monoid<double> sum;
  vector<double> out(where, n, 0.0), in(where, n, 0.0), out_of(where, n, 0.0), in_of(where, n, 0.0);
  reduce(out, sum, weights, {.accumulate = plus{}});
  const double total = reduce(sum, out);
  if (!(total > 0)) return 0;
  const plus_first<double, double, bool> along;
  const double inside = reduce_mxm(sum, along, weights, members, structure(members));
  vxm(out_of, along, out, members, {.accumulate = plus{}});
  if (weights.is_symmetric()) {
    in_of = out_of;
  } else {
    reduce(in, sum, transpose(weights), {.accumulate = plus{}});
    vxm(in_of, along, in, members, {.accumulate = plus{}});
  }
  apply(out_of, bind_second(divide{}, total), out_of);
  apply(in_of, bind_second(divide{}, total), in_of);
  ewise_multiply(out_of, times{}, out_of, in_of);
  return inside / total - resolution * reduce(sum, out_of);
}
}  // namespace detail

/// The modularity of the partition in which u and v belong together if community(u) =
/// community(v), as NetworkX defines it. An entry (i, j) of `graph` is an edge from i to j; a
/// matrix that is known to be symmetric is an undirected graph. Throws usage_error if the matrix is
/// not square, `community` is not full, of another size, or has a value that is not the number of a
/// vertex, if a weight is negative, or for a negative resolution.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
double modularity(const matrix<T>& graph, const vector<index_t>& community,
                  const modularity_options& options = {}) {
  detail::check("modularity", options);
  const matrix<double> weights = detail::community_weights("modularity", graph, options.weighted);
  const index_t n = graph.rows();
  if (community.size() != n || community.nvals() != n)
    throw usage_error("modularity: " + std::to_string(community.nvals()) + " communities of " +
                      std::to_string(community.size()) + " positions, the graph has " +
                      std::to_string(n) + " vertices");
  const array_view<index_t> all = detail::host_values("modularity", community);
  for (const index_t of : all)
    if (of < 0 || of >= n)
      throw usage_error("modularity: community " + std::to_string(of) + ", needed 0 to " +
                        std::to_string(n - 1));
  return detail::modularity_of("modularity", weights, community, options.resolution);
}

}  // namespace tropic
