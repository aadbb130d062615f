// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageRank: where a random walk spends its time that follows an edge with probability `damping`
// and else jumps to a random vertex (Page, Brin, Motwani and Winograd, 1999). Power iteration:
//
//   share = rank / out-degree      rank' = (1 - d) t + d (share' A + dangling t)
//
// over (plus, first), or (plus, times) with the edges' weights; t is the teleport distribution
// (uniform, or personal), `dangling` the rank of the vertices without an edge out, which is spread
// over t as if they had edges to all (LDBC Graphalytics, GAP with dangling mass). It ends when the
// L1 distance of two iterates is at most the tolerance, or after a given number of iterations.
//
// Invariant: ranks sum to 1 up to rounding. Work O(vertices + edges) an iteration.

#include <cmath>
#include <optional>

#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/ewise.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>

namespace tropic {

struct pagerank_options {
  double damping = 0.85;
  /// L1 distance of two iterates at which to stop.
  double tolerance = 1e-6;
  index_t max_iterations = 100;
  /// Exactly this many iterations, whatever the tolerance.
  std::optional<index_t> iterations{};
  /// Follow edges in proportion to their weights, which must not be negative, instead of evenly.
  bool weighted = false;
};

struct pagerank_result {
  vector<double> rank;  // full
  index_t iterations = 0;
  double change = 0;  // L1 distance of the last two iterates
  bool converged = false;
};

namespace detail {

TROPIC_BINARY_OPERATOR(absolute_difference, t_abs(x - y));
/// d / x, and nothing flows from where there is nothing to divide by.
TROPIC_UNARY_OPERATOR(damped_share, x > 0 ? damping / x : 0, (double, damping));

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

template <value_type T>
pagerank_result pagerank(const matrix<T>& graph, const vector<double>& teleport,
                         const pagerank_options& options) {
  check(options);
  if (graph.rows() != graph.columns())
    throw usage_error("pagerank: a graph's matrix is square, this one is " +
                      std::to_string(graph.rows()) + "x" + std::to_string(graph.columns()));
  const context where = graph.where();
  const index_t n = graph.rows();
  pagerank_result result{teleport};
  if (n == 0) {
    result.converged = true;
    return result;
  }

  // What leaves each vertex: its edges, or the sum of their weights.
  vector<double> leaving(where, n, 0.0), ones(where, n, 1.0);
  std::optional<matrix<double>> weights;
  if (options.weighted) {
    weights.emplace(where, n, n);
    apply(*weights, identity{}, graph);
    if (graph.is_symmetric()) weights->assume_symmetric();
    if (graph.nvals() > 0 && !(reduce(minimum_monoid<double>{}, *weights) >= 0))
      throw usage_error("pagerank: a weight is negative");
    reduce(leaving, plus_monoid<double>{}, *weights, {.accumulate = plus{}});
    if (!std::isfinite(reduce(plus_monoid<double>{}, leaving)))
      throw usage_error("pagerank: the weights have no finite sum");
  } else {
    mxv(leaving, plus_pair<double, T, double>{}, graph, ones, {.accumulate = plus{}});
  }
  vector<double> per_edge(where, n), dangling(where, n);
  apply(per_edge, damped_share{options.damping}, leaving);
  if (options.weighted && !std::isfinite(reduce(maximum_monoid<double>{}, per_edge)))
    throw usage_error(
        "pagerank: the weights that leave a vertex are too small to divide by; scale all weights");
  select(dangling, bind_second(less_equal{}, 0.0), leaving);

  plan many;
  many.expected_calls = options.iterations.value_or(20);
  vector<double> rank = teleport, next(where, n), share(where, n), difference(where, n);
  const index_t limit = options.iterations.value_or(options.max_iterations);
  while (result.iterations < limit) {
    where.checkpoint("pagerank",
                     static_cast<double>(result.iterations) / static_cast<double>(limit));
    double lost = 0;
    if (dangling.nvals() > 0) {
      vector<double> stuck(where, n);
      assign(stuck, rank, {.mask = structure(dangling)});
      lost = reduce(plus_monoid<double>{}, stuck);
    }
    ewise_multiply(share, times{}, rank, per_edge);
    const double jump = 1 - options.damping + options.damping * lost;
    apply(next, bind_second(times{}, jump), teleport);
    if (options.weighted)
      vxm(next, plus_times<double>{}, share, *weights, {.accumulate = plus{}, .plan = &many});
    else
      vxm(next, plus_first<double, double, T>{}, share, graph,
          {.accumulate = plus{}, .plan = &many});
    ewise_multiply(difference, absolute_difference{}, next, rank);
    result.change = reduce(plus_monoid<double>{}, difference);
    std::swap(rank, next);
    ++result.iterations;
    result.converged = result.change <= options.tolerance;
    if (result.converged && !options.iterations) break;
  }
  result.rank = std::move(rank);
  return result;
}

}  // namespace detail

/// Ranks of all vertices; jumps go to any vertex. An entry (i, j) is an edge from i to j. Throws
/// usage_error for a rectangular matrix, options out of range, negative weights, or weights of a
/// vertex that sum to less than 5e-309; cancelled.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_result pagerank(const matrix<T>& graph, const pagerank_options& options = {}) {
  const index_t n = graph.rows();
  return detail::pagerank(graph, vector<double>(graph.where(), n, 1.0 / static_cast<double>(n)),
                          options);
}

/// Personalised: jumps go to v in proportion to preference(v), and nowhere else. Throws
/// usage_error also where the preferences are negative, or do not have a positive finite sum.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_result pagerank(const matrix<T>& graph, const vector<double>& preference,
                         const pagerank_options& options = {}) {
  const context where = graph.where();
  const index_t n = graph.rows();
  detail::check_preferences(n, preference);
  const double sum = reduce(plus_monoid<double>{}, preference);
  if (!(sum > 0) || !std::isfinite(sum) || !(reduce(minimum_monoid<double>{}, preference) >= 0))
    throw usage_error("pagerank: preferences must not be negative, and need a positive finite sum");
  vector<double> teleport(where, n, 0.0);
  apply(teleport, bind_second(divide{}, sum), preference, {.accumulate = plus{}});
  return detail::pagerank(graph, teleport, options);
}

}  // namespace tropic
