// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageRank: the share of time that a random walk spends at each vertex if it follows an edge with
// probability `damping` and jumps to a random vertex otherwise (Page, Brin, Motwani and Winograd,
// 1999). Power iteration:
//
//   share = rank / out-degree      rank' = (1 - d) t + d (share' A + dangling t)
//
// over (plus, first), or (plus, times) with the weights of the edges. t is the teleport
// distribution, uniform or personalised. `dangling` is the rank of the vertices without an outgoing
// edge, which is spread over t as if they had edges to all vertices (LDBC Graphalytics; GAP with
// dangling mass). The loop ends when the L1 distance of two iterates is at most the tolerance, or
// after a given number of iterations.
//
// Invariant: ranks sum to 1 up to rounding. Work O(vertices + edges) an iteration.
//
// The GAP benchmark suite leaves the rank of dangling vertices out (Beamer, Asanovic and Patterson,
// 2015): ranks then sum to less than 1. So does pagerank_options::lose_dangling. Its reference code
// keeps ranks as fp32, which halves what a product gathers: pagerank_options::single.

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/plan.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/steps.hpp>
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
  /// Compute with ranks of fp32, and weights, too. A rank is wrong by some 1e-7 of itself for each
  /// addition of its sum at worst; a tolerance below 1e-6 may not be reached.
  bool single = false;
};

struct pagerank_result {
  vector<double> rank;  // full: one value per vertex
  index_t iterations = 0;
  double change = 0;  // L1 distance of the last two iterates
  bool converged = false;
};

namespace detail {

TROPIC_BINARY_OPERATOR(absolute_difference, t_abs(x - y));
/// damping / x; 0 for a vertex without outgoing edges.
TROPIC_UNARY_OPERATOR(damped_share, x > 0 ? damping / x : 0, (double, damping));
/// Whether a vertex has a weight x > 0, but no sum y of weights.
TROPIC_BINARY_OPERATOR(is_lost, x > 0 && y <= 0);

inline void check(const pagerank_options& o) {
  if (!(o.damping >= 0 && o.damping <= 1))
    throw usage_error("pagerank: damping " + std::to_string(o.damping) + ", needed 0 to 1");
  if (!(o.tolerance >= 0)) throw usage_error("pagerank: the tolerance is negative or NaN");
  if (o.max_iterations < 0 || (o.iterations && *o.iterations < 0))
    throw usage_error("pagerank: a negative number of iterations");
}

inline void check_preferences(index_t vertices, const vector<double>& preference) {
  if (preference.size() != vertices)
    throw usage_error("pagerank: " + std::to_string(preference.size()) +
                      " preferences, the graph has " + std::to_string(vertices) + " vertices");
}

/// 1 / vertices everywhere.
inline vector<double> uniform_teleport(const context& where, index_t vertices) {
  return {where, vertices, 1.0 / static_cast<double>(vertices)};
}

/// `preference` scaled to a sum of 1; 0 where it has no entry.
inline vector<double> personal_teleport(const context& where, index_t vertices,
                                        const vector<double>& preference) {
  check_preferences(vertices, preference);
  const double sum = reduce(plus_monoid<double>{}, preference);
  if (!(sum > 0) || !std::isfinite(sum) || !(reduce(minimum_monoid<double>{}, preference) >= 0))
    throw usage_error("pagerank: preferences must not be negative, and need a positive finite sum");
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

/// The loop, over ranks of type R. `semiring` gives the flow over an edge from the share of its
/// first vertex; leaving(v) is the number of edges out of v, or the sum of their weights.
///
/// Memory movement of an iteration, for n vertices of which d are dangling and m edges, if the
/// steps run together: 7n values of 8 bytes, a byte a vertex if d > 0, and the matrix:
///
///   next      2n: teleport is read, next is written; rank is read for the difference
///   product   n, and 4 m bytes, 12 m with weights, and 4 or 8 n of offsets
///   shares    2n: per_edge is read, the next shares are written
template <class R, class S, value_type T>
pagerank_result power_iteration(const S& semiring, const matrix<T>& edges, const vector<R>& leaving,
                                const vector<R>& teleport, const pagerank_options& options) {
  const context where = edges.where();
  const index_t n = edges.rows();
  vector<R> per_edge(where, n), dangling(where, n);
  apply(per_edge, damped_share{options.damping}, leaving);
  if (options.weighted && !std::isfinite(reduce(maximum_monoid<R>{}, per_edge)))
    refuse_small_weights();
  if (!options.lose_dangling) select(dangling, bind_second(less_equal{}, R{0}), leaving);

  plan product_plan;
  product_plan.expected_calls = options.iterations.value_or(20);
  pagerank_result result{vector<double>(where, n)};
  vector<R> rank = teleport, next(where, n), share(where, n), next_share(where, n);
  R lost = 0;  // the rank of the dangling vertices
  step_list steps(where);
  const auto leave = [&](const vector<R>& from, vector<R>& to) {
    steps.ewise_multiply(to, times{}, from, per_edge);
    if (dangling.nvals() > 0) steps.reduce(lost, plus_monoid<R>{}, from, dangling);
  };
  leave(rank, share);
  steps.run();
  const index_t limit = options.iterations.value_or(options.max_iterations);
  double ratio = options.damping;  // of two changes, by the last two
  while (result.iterations < limit) {
    where.checkpoint("pagerank",
                     static_cast<double>(result.iterations) / static_cast<double>(limit));
    const double jump = 1 - options.damping + options.damping * static_cast<double>(lost);
    steps.apply(next, bind_second(times{}, static_cast<R>(jump)), teleport);
    steps.vxm(next, semiring, share, edges, {.accumulate = plus{}, .plan = &product_plan});
    const double before = result.change;
    steps.reduce(result.change, plus_monoid<double>{}, absolute_difference{}, next, rank);
    // The last iteration needs no next shares. Where it is not foreseen, they cost a pass more.
    const bool is_last =
        result.iterations + 1 == limit ||
        (result.iterations > 0 && !options.iterations && before * ratio <= options.tolerance);
    if (!is_last) leave(next, next_share);
    steps.run();
    std::swap(rank, next);
    ++result.iterations;
    result.converged = result.change <= options.tolerance;
    if (result.iterations == limit || (result.converged && !options.iterations)) break;
    if (is_last) {
      leave(rank, share);
      steps.run();
    } else {
      std::swap(share, next_share);
    }
    if (result.iterations > 1) ratio = result.change / before;
  }
  if constexpr (std::is_same_v<R, double>)
    result.rank = std::move(rank);
  else
    apply(result.rank, identity{}, rank);
  return result;
}

template <value_type T>
void check_arguments(const matrix<T>& graph, const pagerank_options& options) {
  check(options);
  check_square("pagerank", graph);
}

/// By the weights as values of R, which are copied.
template <class R, value_type T>
pagerank_result weighted_pagerank(const matrix<T>& graph, const vector<double>& teleport,
                                  const pagerank_options& options) {
  check_arguments(graph, options);
  const context where = graph.where();
  const index_t n = graph.rows();
  if (n == 0) return {teleport, 0, 0, true};  // no ranks are a result
  matrix<R> weights(where, n, n);
  apply(weights, identity{}, graph);
  if (graph.is_symmetric()) weights.assume_symmetric();
  if (graph.nvals() > 0 && !(reduce(minimum_monoid<R>{}, weights) >= 0))
    throw usage_error("pagerank: a weight is negative");
  vector<R> leaving(where, n, R{0});
  reduce(leaving, plus_monoid<R>{}, weights, {.accumulate = plus{}});
  if (!std::isfinite(reduce(plus_monoid<R>{}, leaving)))
    throw usage_error("pagerank: the weights have no finite sum");
  if constexpr (std::is_same_v<T, double> && !std::is_same_v<R, double>) {
    // Weights of fp64 may be zeros of R.
    vector<double> largest(where, n);
    reduce(largest, maximum_monoid<double>{}, graph);
    ewise_multiply(largest, is_lost{}, largest, leaving);
    if (reduce(maximum_monoid<double>{}, largest) > 0) refuse_small_weights();
  }
  return power_iteration<R>(plus_times<R>{}, weights, leaving, as_ranks<R>(teleport), options);
}

/// By the pattern alone.
template <class R, value_type T>
pagerank_result unweighted_pagerank(const matrix<T>& graph, const vector<double>& teleport,
                                    const pagerank_options& options) {
  check_arguments(graph, options);
  const context where = graph.where();
  const index_t n = graph.rows();
  if (n == 0) return {teleport, 0, 0, true};  // no ranks are a result
  vector<double> edges(where, n, 0.0);        // out of each vertex: exact, where fp32 ends at 2^24
  const vector<double> ones(where, n, 1.0);
  mxv(edges, plus_pair<double, T, double>{}, graph, ones, {.accumulate = plus{}});
  return power_iteration<R>(plus_first<R, R, T>{}, graph, as_ranks<R>(edges), as_ranks<R>(teleport),
                            options);
}

template <value_type T>
pagerank_result pagerank(const matrix<T>& graph, const vector<double>& teleport,
                         const pagerank_options& options) {
  if (options.single)
    return options.weighted ? weighted_pagerank<float>(graph, teleport, options)
                            : unweighted_pagerank<float>(graph, teleport, options);
  return options.weighted ? weighted_pagerank<double>(graph, teleport, options)
                          : unweighted_pagerank<double>(graph, teleport, options);
}

}  // namespace detail

/// Ranks of all vertices; jumps go to any vertex. An entry (i, j) of `graph` is an edge from i to
/// j. Throws usage_error if the matrix is not square, if an option is out of range, if a weight is
/// negative, and if the weights of a vertex sum to less than 5e-309 (3e-39 with `single`);
/// cancelled.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_result pagerank(const matrix<T>& graph, const pagerank_options& options = {}) {
  return detail::pagerank(graph, detail::uniform_teleport(graph.where(), graph.rows()), options);
}

/// Personalised: jumps go to v in proportion to preference(v), and never to a vertex without an
/// entry. Throws usage_error also if there is not one position per vertex, if a preference is
/// negative, and if the preferences do not have a positive finite sum.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_result pagerank(const matrix<T>& graph, const vector<double>& preference,
                         const pagerank_options& options = {}) {
  return detail::pagerank(graph, detail::personal_teleport(graph.where(), graph.rows(), preference),
                          options);
}

}  // namespace tropic
