// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks the centralities of power_centrality.hpp without the algebra: the same number of serial
// iterations, whose last change must be less than the tolerance, gives the same values up to
// rounding. O(iterations (vertices + edges)).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/power_centrality.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
using serial_values = std::vector<double>;

/// Calls f(i, j, weight) for every entry.
template <value_type T, class F>
void for_each_weight(const matrix<T>& graph, bool weighted, const F& f) {
  const array_view<std::uint32_t> columns = graph.column_indices();
  const array_view<T> values = graph.values();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (auto e = static_cast<std::size_t>(graph.offset(i));
         e < static_cast<std::size_t>(graph.offset(i + 1)); ++e)
      f(static_cast<std::size_t>(i), std::size_t{columns[e]},
        weighted ? static_cast<double>(values[graph.is_iso() ? 0 : e]) : 1.0);
}

inline void divide_all(serial_values& x, double divisor) {
  if (divisor > 0)
    for (double& value : x) value /= divisor;
}
inline double serial_length(const serial_values& x) {
  double length = 0;
  for (const double value : x) length = std::hypot(length, value);
  return length;
}
inline double serial_sum(const serial_values& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}

/// The first error in values that next(x) leads to from `x`, then finish(x).
template <class Next, class Finish>
std::string compare_power(const char* algorithm, const context& where, const vector<double>& found,
                          index_t iterations, double enough, serial_values x, const Next& next,
                          const Finish& finish) {
  if (found.size() != static_cast<index_t>(x.size()))
    return "the result has " + std::to_string(found.size()) + " positions, the graph " +
           std::to_string(x.size()) + " vertices";
  double change = 0;
  for (index_t n = 0; n < iterations; ++n) {
    where.checkpoint(std::string(algorithm) + ": verify",
                     static_cast<double>(n) / static_cast<double>(iterations));
    const serial_values last = x;
    next(x);
    change = 0;
    for (std::size_t v = 0; v < x.size(); ++v) change += std::abs(x[v] - last[v]);
  }
  if (iterations > 0 && !(change < enough * (1 + 1e-6) + 1e-12))
    return "iteration " + std::to_string(iterations) + " changes values by " +
           detail::number_text(change) + ", needed less than " + detail::number_text(enough);
  finish(x);
  const std::vector<double> values = found.dense(-1);
  double largest = 0;
  for (const double value : x) largest = std::max(largest, value);
  for (std::size_t v = 0; v < x.size(); ++v)
    if (!(std::abs(values[v] - x[v]) <= 1e-9 * largest))
      return "vertex " + std::to_string(v) + " has " + detail::number_text(values[v]) +
             ", serial iterations give " + detail::number_text(x[v]);
  return {};
}
}  // namespace detail

/// Empty if `result`, of a run with these options, is right, else the first error found. Throws
/// cancelled; usage_error if the matrix is not square.
template <value_type T>
std::string verify_eigenvector_centrality(const matrix<T>& graph, const power_result& result,
                                          const eigenvector_options& options = {}) {
  detail::check_square("verify_eigenvector_centrality", graph);
  const auto n = static_cast<std::size_t>(graph.rows());
  const auto count = static_cast<double>(n);
  return detail::compare_power(
      "eigenvector", graph.where(), result.centrality, result.iterations, count * options.tolerance,
      detail::serial_values(n, 1 / count),
      [&](detail::serial_values& x) {
        const detail::serial_values last = x;
        detail::for_each_weight(
            graph, options.weighted,
            [&](std::size_t i, std::size_t j, double w) { x[j] += w * last[i]; });
        detail::divide_all(x, detail::serial_length(x));
      },
      [](const auto&) {});
}

/// The same for Katz centrality.
template <value_type T>
std::string verify_katz_centrality(const matrix<T>& graph, const power_result& result,
                                   const katz_options& options = {}) {
  detail::check_square("verify_katz_centrality", graph);
  const auto n = static_cast<std::size_t>(graph.rows());
  return detail::compare_power(
      "katz", graph.where(), result.centrality, result.iterations,
      static_cast<double>(n) * options.tolerance, detail::serial_values(n, 0.0),
      [&](detail::serial_values& x) {
        const detail::serial_values last = x;
        std::fill(x.begin(), x.end(), options.beta);
        detail::for_each_weight(
            graph, options.weighted,
            [&](std::size_t i, std::size_t j, double w) { x[j] += options.alpha * w * last[i]; });
      },
      [&](detail::serial_values& x) {
        if (options.normalized) detail::divide_all(x, detail::serial_length(x));
      });
}

/// The same for hubs and authorities.
template <value_type T>
std::string verify_hits(const matrix<T>& graph, const hits_result& result,
                        const hits_options& options = {}) {
  detail::check_square("verify_hits", graph);
  const auto n = static_cast<std::size_t>(graph.rows());
  detail::serial_values authorities(n, 0.0);
  const auto largest = [](const detail::serial_values& x) {
    return x.empty() ? 0 : *std::max_element(x.begin(), x.end());
  };
  const double start = graph.nvals() > 0 ? 1 / static_cast<double>(n) : 0;
  const auto next = [&](detail::serial_values& hubs) {
    std::fill(authorities.begin(), authorities.end(), 0.0);
    detail::for_each_weight(graph, options.weighted, [&](std::size_t i, std::size_t j, double w) {
      authorities[j] += w * hubs[i];
    });
    std::fill(hubs.begin(), hubs.end(), 0.0);
    detail::for_each_weight(graph, options.weighted, [&](std::size_t i, std::size_t j, double w) {
      hubs[i] += w * authorities[j];
    });
    detail::divide_all(authorities, largest(authorities));
    detail::divide_all(hubs, largest(hubs));
  };
  const auto finish = [&](detail::serial_values& x) {
    if (options.normalized) detail::divide_all(x, detail::serial_sum(x));
  };
  std::string complaint =
      detail::compare_power("hits", graph.where(), result.hubs, result.iterations,
                            options.tolerance, detail::serial_values(n, start), next, finish);
  if (!complaint.empty()) return "hubs: " + complaint;
  // Those of the last iteration are left in `authorities`.
  complaint = detail::compare_power("hits", graph.where(), result.authorities, 0, options.tolerance,
                                    authorities, next, finish);
  return complaint.empty() ? complaint : "authorities: " + complaint;
}

}  // namespace tropic
