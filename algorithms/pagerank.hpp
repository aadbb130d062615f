// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageRank: the share of time that a random walk spends at each vertex if it follows an edge with
// probability `damping` and jumps to a random vertex otherwise (Page, Brin, Motwani and Winograd,
// 1999). Power iteration:
//
//   share = d rank / out-degree      next = (1 - d + d lost) t + share' A
//
// over (plus, first), or (plus, times) with the weights of the edges. t is the teleport
// distribution, uniform or personalised. `lost` is the rank of the vertices without an outgoing
// edge, which is spread over t as if they had edges to all vertices (LDBC Graphalytics; GAP with
// dangling mass). The loop ends when the L1 distance of two iterates is at most the tolerance, or
// after a given number of iterations.
//
// Invariant: ranks sum to 1 up to rounding. Work O(vertices + edges) an iteration.
//
// The GAP benchmark suite leaves the rank of dangling vertices out (Beamer, Asanovic and Patterson,
// 2015): ranks then sum to less than 1. So does pagerank_options::lose_dangling. Its reference code
// keeps ranks as fp32, which halves what a product gathers: pagerank_options::single.

#include <type_traits>
#include <utility>

#include <tropic/algorithms/pagerank_walk.hpp>
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

struct pagerank_result {
  vector<double> rank;  // full: one value per vertex
  index_t iterations = 0;
  double change = 0;       // L1 distance of the last two iterates
  bool converged = false;  // change <= tolerance; else rank is the last iterate
};

namespace detail {

/// The loop, over ranks of type R. `semiring` gives the flow over an edge from the share of its
/// first vertex; leaving(v) is the number of edges out of v, or the sum of their weights.
///
/// Memory movement of an iteration, for n vertices of which d are dangling and m edges, if the
/// steps run together: 7n values of 8 bytes, a byte a vertex if d > 0, and the matrix:
///
///   next      2n: teleport is read unless it is uniform, next is written; rank is read for the
///             difference
///   product   n, and 4 m bytes, 12 m with weights, and 4 or 8 n of offsets
///   shares    2n: per_edge is read, the next shares are written
template <class R, class S, value_type T>
pagerank_result power_iteration(const S& semiring, const matrix<T>& edges, const vector<R>& leaving,
                                const teleport& jumps, const pagerank_options& options) {
  const context where = edges.where();
  const index_t n = edges.rows();
  const vector<R> per_edge = share_per_edge(leaving, options);
  const vector<R> dangling = dangling_vertices(leaving, options);

  plan product_plan;
  product_plan.expected_calls = options.iterations.value_or(20);
  pagerank_result result{vector<double>(where, n)};
  const vector<R> target = as_ranks<R>(jumps.to);
  vector<R> rank = target, next(where, n), share(where, n), next_share(where, n);
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
    const auto jump =
        static_cast<R>(1 - options.damping + options.damping * static_cast<double>(lost));
    if (jumps.everywhere)  // the same products; rank is read in any case
      steps.apply(next,
                  bind_second(second{}, static_cast<R>(static_cast<R>(*jumps.everywhere) * jump)),
                  rank);
    else
      steps.apply(next, bind_second(times{}, jump), target);
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

/// By the weights as values of R.
template <class R, value_type T>
pagerank_result weighted_pagerank(const matrix<T>& graph, const teleport& jumps,
                                  const pagerank_options& options) {
  check_arguments(graph, options);
  if (graph.rows() == 0) return {jumps.to, 0, 0, true};  // no ranks are a result
  const walk<R, R> w = weighted_walk<R>(graph);
  return power_iteration<R>(plus_times<R>{}, w.edges, w.leaving, jumps, options);
}

/// By the pattern alone.
template <class R, value_type T>
pagerank_result unweighted_pagerank(const matrix<T>& graph, const teleport& jumps,
                                    const pagerank_options& options) {
  check_arguments(graph, options);
  if (graph.rows() == 0) return {jumps.to, 0, 0, true};  // no ranks are a result
  const walk<R, T> w = unweighted_walk<R>(graph);
  return power_iteration<R>(plus_first<R, R, T>{}, w.edges, w.leaving, jumps, options);
}

template <value_type T>
pagerank_result pagerank(const matrix<T>& graph, const teleport& jumps,
                         const pagerank_options& options) {
  if (options.single)
    return options.weighted ? weighted_pagerank<float>(graph, jumps, options)
                            : unweighted_pagerank<float>(graph, jumps, options);
  return options.weighted ? weighted_pagerank<double>(graph, jumps, options)
                          : unweighted_pagerank<double>(graph, jumps, options);
}

}  // namespace detail

/// Ranks of all vertices. Jumps go to any vertex with equal probability. An entry (i, j) of `graph`
/// is an edge from i to j. Throws usage_error if the matrix is not square, if an option is out of
/// range, if a weight is negative, if the weights have no finite sum, or if the weights of a vertex
/// sum to less than 5e-309 (3e-39 with `single`); cancelled.
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
  return detail::pagerank(
      graph, detail::teleport{detail::personal_teleport(graph.where(), graph.rows(), preference)},
      options);
}

}  // namespace tropic
