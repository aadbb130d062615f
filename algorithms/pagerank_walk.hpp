// SPDX-License-Identifier: Apache-2.0
#pragma once

// The random walk of PageRank (pagerank.hpp, pagerank_batch.hpp): its options, where it jumps to,
// and what leaves every vertex, from a graph with or without weights.

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct pagerank_options {
  double damping = 0.85;
  /// L1 distance of two iterates at which to stop.
  double tolerance = 1e-6;
  index_t max_iterations = 100;
  /// Run exactly this many iterations; the tolerance is not used to stop.
  std::optional<index_t> iterations{};
  /// Follow edges in proportion to their weights, which must not be negative, instead of evenly.
  bool weighted = false;
  /// Leave the rank of vertices without outgoing edges out, as the GAP benchmark suite does.
  bool lose_dangling = false;
  /// Compute with ranks and weights of type fp32. In the worst case, every addition in the sum of a
  /// rank adds a relative error of some 1e-7. A tolerance below 1e-6 may not be reached.
  bool single = false;
};

namespace detail {

TROPIC_BINARY_OPERATOR(absolute_difference, t_abs(x - y));
/// damping / x; 0 for a vertex without outgoing edges.
TROPIC_UNARY_OPERATOR(damped_share, x > 0 ? damping / x : 0, (double, damping));
/// Whether a vertex has a weight x > 0, but no sum y of weights.
TROPIC_BINARY_OPERATOR(is_lost, x > 0 && y <= 0);

inline void check(const pagerank_options& o) {
  if (!(o.damping >= 0 && o.damping <= 1))
    throw usage_error("pagerank: damping " + detail::number_text(o.damping) + ", needed 0 to 1");
  if (!(o.tolerance >= 0)) throw usage_error("pagerank: the tolerance is negative or NaN");
  if (o.max_iterations < 0 || (o.iterations && *o.iterations < 0))
    throw usage_error("pagerank: a negative number of iterations");
}

inline void check_preferences(index_t vertices, const vector<double>& preference) {
  if (preference.size() != vertices)
    throw usage_error("pagerank: " + std::to_string(preference.size()) +
                      " preferences, the graph has " + std::to_string(vertices) + " vertices");
}

/// The distribution of jumps, and its value everywhere if that is the same: it then need not be
/// read.
struct teleport {
  vector<double> to;
  std::optional<double> everywhere{};
};

/// 1 / vertices everywhere.
inline teleport uniform_teleport(const context& where, index_t vertices) {
  const double share = 1.0 / static_cast<double>(vertices);
  return {vector<double>(where, vertices, share), share};
}

/// `preference` scaled to a sum of 1; 0 where it has no entry. `of_column`, for the error: the
/// column that it is of many.
inline vector<double> personal_teleport(const context& where, index_t vertices,
                                        const vector<double>& preference,
                                        const std::string& of_column = {}) {
  check_preferences(vertices, preference);
  if (vertices == 0) return vector<double>(where, 0);
  const double sum = reduce(plus_monoid<double>{}, preference);
  if (!(sum > 0) || !std::isfinite(sum) || !(reduce(minimum_monoid<double>{}, preference) >= 0))
    throw usage_error("pagerank: preferences" + of_column +
                      " must not be negative, and need a positive finite sum");
  vector<double> teleport(where, vertices, 0.0);
  apply(teleport, bind_second(divide{}, sum), preference, {.accumulate = plus{}});
  return teleport;
}

/// The values as ranks of type R: the vector itself if it has that type.
template <class R>
decltype(auto) as_ranks(const vector<double>& values) {
  if constexpr (std::is_same_v<R, double>) {
    return (values);
  } else {
    vector<R> ranks(values.where(), values.size());
    apply(ranks, identity{}, values);
    return ranks;
  }
}

[[noreturn]] inline void refuse_small_weights() {
  throw usage_error(
      "pagerank: the weights that leave a vertex are too small to divide by; scale all weights");
}

template <value_type T>
void check_arguments(const matrix<T>& graph, const pagerank_options& options) {
  check(options);
  check_square("pagerank", graph);
}

/// Edges with their weights, if they have some, and for every vertex the number of edges out of it,
/// or the sum of their weights.
template <class R, value_type T>
struct walk {
  matrix<T> edges;
  vector<R> leaving;
};

template <class R>
walk<R, R> walk_by(matrix<R> weights) {
  vector<R> leaving(weights.where(), weights.rows(), R{0});
  if (weights.nvals() > 0 && !(reduce(minimum_monoid<R>{}, weights) >= 0))
    throw usage_error("pagerank: a weight is negative");
  reduce(leaving, plus_monoid<R>{}, weights, {.accumulate = plus{}});
  if (!std::isfinite(reduce(plus_monoid<R>{}, leaving)))
    throw usage_error("pagerank: the weights have no finite sum");
  return {std::move(weights), std::move(leaving)};
}

/// By the weights as values of R, which are copied.
template <class R, value_type T>
walk<R, R> weighted_walk(const matrix<T>& graph) {
  matrix<R> weights(graph.where(), graph.rows(), graph.rows());
  apply(weights, identity{}, graph);
  if (graph.is_symmetric()) weights.assume_symmetric();
  walk<R, R> result = walk_by(std::move(weights));
  if constexpr (std::is_same_v<T, double> && !std::is_same_v<R, double>) {
    // Weights of fp64 may be zeros of R.
    vector<double> largest(graph.where(), graph.rows());
    reduce(largest, maximum_monoid<double>{}, graph);
    ewise_multiply(largest, is_lost{}, largest, result.leaving);
    if (reduce(maximum_monoid<double>{}, largest) > 0) refuse_small_weights();
  }
  return result;
}

/// By the pattern alone.
template <class R, value_type T>
walk<R, T> unweighted_walk(const matrix<T>& graph) {
  const context where = graph.where();
  const index_t n = graph.rows();
  vector<double> edges(where, n, 0.0);  // out of each vertex: exact, where fp32 ends at 2^24
  const vector<double> ones(where, n, 1.0);
  mxv(edges, plus_pair<double, T, double>{}, graph, ones, {.accumulate = plus{}});
  return {graph, as_ranks<R>(edges)};
}

/// What an edge out of each vertex takes of its rank, per weight: damping / leaving, 0 without
/// edges. Throws usage_error if the weights of a vertex are too small.
template <class R>
vector<R> share_per_edge(const vector<R>& leaving, const pagerank_options& options) {
  vector<R> result(leaving.where(), leaving.size());
  apply(result, damped_share{options.damping}, leaving);
  if (options.weighted && !std::isfinite(reduce(maximum_monoid<R>{}, result)))
    refuse_small_weights();
  return result;
}

/// An entry at every vertex without outgoing edges; none if their rank is left out.
template <class R>
vector<R> dangling_vertices(const vector<R>& leaving, const pagerank_options& options) {
  vector<R> result(leaving.where(), leaving.size());
  if (!options.lose_dangling) select(result, bind_second(less_equal{}, R{0}), leaving);
  return result;
}

}  // namespace detail
}  // namespace tropic
