// SPDX-License-Identifier: Apache-2.0
#pragma once

// Centralities that repeat a product until the values no longer change, each as NetworkX defines
// it. x' A is a sum over the edges into a vertex.
//
//   eigenvector   x' = (x' + x' A) scaled to length 1. Adding x' makes bipartite graphs converge
//                 (Bonacich, "Power and centrality: a family of measures", American Journal of
//                 Sociology 92, 1987)
//   katz          x' = alpha x' A + beta, at the end scaled to length 1 (Katz, "A new status index
//                 derived from sociometric analysis", Psychometrika 18, 1953)
//   hits          a' = h' A, h = A a, both scaled to a largest value of 1, at the end to a sum of 1
//                 (Kleinberg, "Authoritative sources in a hyperlinked environment", JACM 46, 1999,
//                 section 3)
//
// The loop ends when the sum of the changes of all values is less than the tolerance, times the
// number of vertices except in hits. no_convergence is thrown if it does not end within the given
// number of iterations, or if the change is no longer finite, since there is no result then. Katz
// centrality has no result if alpha is not less than the inverse of the largest eigenvalue.
//
// Invariant: values are not negative. Work O(vertices + edges) an iteration. Space: four vectors of
// 8 bytes a vertex, with weights a copy of the graph, and the transpose of a matrix that is not
// known to be symmetric.

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/plan.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/steps.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// A loop that did not end within its number of iterations.
class TROPIC_API no_convergence : public error {
 public:
  no_convergence(const std::string& algorithm, index_t iterations, double change, double needed)
      : error(algorithm + ": no convergence in " + std::to_string(iterations) +
              " iterations; the last one changed values by " + detail::number_text(change) +
              ", needed less than " + detail::number_text(needed)) {}
};

struct eigenvector_options {
  /// The mean change of a value at which to stop.
  double tolerance = 1e-6;
  index_t max_iterations = 100;
  /// Multiply by the weights of the edges, which must not be negative.
  bool weighted = false;
};

struct katz_options {
  double alpha = 0.1;
  double beta = 1;
  double tolerance = 1e-6;
  index_t max_iterations = 1000;
  /// Scale the result to length 1.
  bool normalized = true;
  bool weighted = false;
};

struct hits_options {
  /// The sum of the changes of all hubs at which to stop.
  double tolerance = 1e-8;
  index_t max_iterations = 100;
  /// Scale hubs and authorities to a sum of 1 each, instead of a largest value of 1.
  bool normalized = true;
  bool weighted = false;
};

struct power_result {
  vector<double> centrality;  // full: one value per vertex
  index_t iterations = 0;
};

struct hits_result {
  vector<double> hubs, authorities;  // full
  index_t iterations = 0;
};

namespace detail {
TROPIC_BINARY_OPERATOR(change_of_value, t_abs(x - y));

template <class Options>
void check_power(const char* algorithm, const Options& o) {
  if (!(o.tolerance >= 0))
    throw usage_error(std::string(algorithm) + ": the tolerance is negative or NaN");
  if (o.max_iterations < 0)
    throw usage_error(std::string(algorithm) + ": a negative number of iterations");
}

/// The weights as fp64. Throws usage_error if one is negative, or if their sum is not finite.
template <value_type T>
matrix<double> weights_as_fp64(const char* algorithm, const matrix<T>& graph) {
  matrix<double> weights(graph.where(), graph.rows(), graph.columns());
  apply(weights, identity{}, graph);
  if (graph.is_symmetric()) weights.assume_symmetric();
  // A sum, since minima and maxima ignore NaN.
  if (graph.nvals() > 0 && (!(reduce(minimum_monoid<double>{}, weights) >= 0) ||
                            !std::isfinite(reduce(plus_monoid<double>{}, weights))))
    throw usage_error(std::string(algorithm) +
                      ": weights must not be negative, and need a finite sum");
  return weights;
}

/// f(matrix, semiring of vector and matrix, semiring of matrix and vector).
template <value_type T, class F>
auto with_edges(const char* algorithm, const matrix<T>& graph, bool weighted, const F& f) {
  check_square(algorithm, graph);
  if (weighted)
    return f(weights_as_fp64(algorithm, graph), plus_times<double>{}, plus_times<double>{});
  return f(graph, plus_first<double, double, T>{}, plus_second<double, T, double>{});
}

/// u / divisor, or u itself for 0.
inline void scale_down(vector<double>& u, double divisor) {
  if (divisor > 0) apply(u, bind_second(divide{}, divisor), u);
}

/// The length of u, whose values are not negative, without overflow.
inline double length_of(const vector<double>& u) {
  const double largest = reduce(maximum_monoid<double>{}, u);
  if (!(largest > 0)) return 0;
  vector<double> part(u.where(), u.size());
  double sum = 0;
  step_list steps(u.where());
  steps.apply(part, bind_second(divide{}, largest), u);
  steps.reduce(sum, plus_monoid<double>{}, times{}, part, part);
  steps.run();
  return largest * std::sqrt(sum);
}

/// next(x, y) computes y from x, repeatedly, until the sum of changes is less than `enough`.
template <class Next>
power_result iterate_power(const char* algorithm, const context& where, vector<double> start,
                           index_t limit, double enough, const Next& next) {
  power_result result{std::move(start)};
  vector<double> y(where, result.centrality.size());
  double change = 0;
  while (result.iterations < limit) {
    where.checkpoint(algorithm,
                     static_cast<double>(result.iterations) / static_cast<double>(limit));
    next(result.centrality, y);
    step_list steps(where);
    steps.reduce(change, plus_monoid<double>{}, change_of_value{}, y, result.centrality);
    steps.run();
    std::swap(result.centrality, y);
    ++result.iterations;
    if (change < enough) return result;
    if (!std::isfinite(change)) break;
  }
  throw no_convergence(algorithm, result.iterations, change, enough);
}
}  // namespace detail

/// Eigenvector centrality of every vertex. The values are not negative, and their squares sum to 1.
/// An entry (i, j) of `graph` is an edge from i to j; a vertex has a large value if edges from
/// vertices with large values lead to it. A graph without vertices has an empty result. Throws
/// no_convergence; usage_error if the matrix is not square, an option is out of range, or weights
/// are negative or have no finite sum; cancelled.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
power_result eigenvector_centrality(const matrix<T>& graph,
                                    const eigenvector_options& options = {}) {
  detail::check_power("eigenvector", options);
  return detail::with_edges(
      "eigenvector", graph, options.weighted,
      [&](const auto& edges, const auto& along, const auto&) -> power_result {
        const context where = edges.where();
        const auto n = static_cast<double>(edges.rows());
        plan product_plan;
        product_plan.expected_calls = 20;
        if (edges.rows() == 0) return {vector<double>(where, 0)};
        return detail::iterate_power(
            "eigenvector", where, {where, edges.rows(), 1 / n}, options.max_iterations,
            n * options.tolerance, [&](const vector<double>& x, vector<double>& y) {
              y = x;
              vxm(y, along, x, edges, {.accumulate = plus{}, .plan = &product_plan});
              detail::scale_down(y, detail::length_of(y));
            });
      });
}

/// Katz centrality of every vertex: beta, and alpha times the values of the vertices that have an
/// edge to it. Throws as eigenvector_centrality does.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
power_result katz_centrality(const matrix<T>& graph, const katz_options& options = {}) {
  detail::check_power("katz", options);
  if (!(options.alpha >= 0) || !(options.beta >= 0) || !std::isfinite(options.alpha) ||
      !std::isfinite(options.beta))
    throw usage_error("katz: alpha " + detail::number_text(options.alpha) + " and beta " +
                      detail::number_text(options.beta) + ", needed finite numbers from 0");
  return detail::with_edges(
      "katz", graph, options.weighted,
      [&](const auto& edges, const auto& along, const auto&) -> power_result {
        const context where = edges.where();
        const index_t n = edges.rows();
        plan product_plan;
        product_plan.expected_calls = 20;
        if (n == 0) return {vector<double>(where, 0)};
        const vector<double> base(where, n, options.beta);
        vector<double> damped(where, n);
        power_result result = detail::iterate_power(
            "katz", where, {where, n, 0.0}, options.max_iterations,
            static_cast<double>(n) * options.tolerance,
            [&](const vector<double>& x, vector<double>& y) {
              apply(damped, bind_second(times{}, options.alpha), x);
              y = base;
              vxm(y, along, damped, edges, {.accumulate = plus{}, .plan = &product_plan});
            });
        if (options.normalized)
          detail::scale_down(result.centrality, detail::length_of(result.centrality));
        return result;
      });
}

/// Hubs and authorities: a vertex is a good hub if it has edges to good authorities, and a good
/// authority if good hubs have edges to it. All are 0 in a graph without edges. If the largest
/// singular value of the matrix is not the only one of its size, the result is the one that uniform
/// hubs lead to. Throws as eigenvector_centrality does.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
hits_result hits(const matrix<T>& graph, const hits_options& options = {}) {
  detail::check_power("hits", options);
  return detail::with_edges(
      "hits", graph, options.weighted,
      [&](const auto& edges, const auto& along, const auto& against) -> hits_result {
        const context where = edges.where();
        const index_t n = edges.rows();
        const vector<double> nothing(where, n, 0.0);
        if (edges.nvals() == 0) return {nothing, nothing};
        vector<double> authorities = nothing;
        const maximum_monoid<double> largest;
        power_result found = detail::iterate_power(
            "hits", where, {where, n, 1 / static_cast<double>(n)}, options.max_iterations,
            options.tolerance, [&](const vector<double>& hubs, vector<double>& next) {
              authorities = nothing;
              vxm(authorities, along, hubs, edges, {.accumulate = plus{}});
              next = nothing;
              mxv(next, against, edges, authorities, {.accumulate = plus{}});
              detail::scale_down(authorities, reduce(largest, authorities));
              detail::scale_down(next, reduce(largest, next));
            });
        hits_result result{std::move(found.centrality), std::move(authorities), found.iterations};
        if (options.normalized)
          for (vector<double>* values : {&result.hubs, &result.authorities})
            detail::scale_down(*values, reduce(plus_monoid<double>{}, *values));
        return result;
      });
}

}  // namespace tropic
