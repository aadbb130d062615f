// SPDX-License-Identifier: Apache-2.0
#pragma once

// The width of the buckets of delta-stepping (sssp.hpp), chosen from the weights: a multiple of the
// mean weight over the mean degree (Meyer and Sanders, 2003, choose the inverse of the largest
// degree for weights up to 1), so that few edges are relaxed in vain and, on devices, frontiers are
// large.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/kept_numbers.hpp>
#include <tropic/matrix.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

/// Width of a bucket times mean degree over mean weight: by sweeps on each (docs/performance.md). A
/// device needs wide buckets, whose frontiers occupy it. A narrow bucket saves edges that are
/// relaxed in vain, of which there are few where the degree is low; a bucket costs rounds, of which
/// there are many there.
inline double delta_degrees(const context& where, double degree) {
  return where.is_host() ? std::max(0.5, 32 / degree) : std::max(24.0, 160 / degree);
}

/// The mean weight, 0 without entries. `largest` weight.
template <value_type T>
double compute_mean_weight(const matrix<T>& graph, T largest) {
  const double entries = static_cast<double>(std::max<index_t>(graph.nvals(), 1));
  // A monoid sums in the type of the matrix. Integers that could overflow there, and fp32 beyond
  // its range, are copied to fp64.
  if (static_cast<double>(largest) * entries <= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<double>(reduce(plus_monoid<T>{}, graph)) / entries;
  matrix<double> weights(graph.where(), graph.rows(), graph.columns());
  apply(weights, identity{}, graph);
  return reduce(plus_monoid<double>{}, weights) / entries;
}

/// The same, computed once for a graph.
template <value_type T>
double mean_weight(const matrix<T>& graph, T largest) {
  return kept_number(graph.base(), "mean weight",
                     [&] { return compute_mean_weight(graph, largest); });
}

/// The width of a bucket: `given`, or if it is 0 one for the weights of the graph; at least 1 for
/// integers.
template <value_type D, value_type T>
D choose_delta(const matrix<T>& graph, double given, T largest_weight) {
  double delta = given;
  if (!(delta > 0)) {
    const double edges = static_cast<double>(graph.nvals()),
                 degree =
                     std::max(1.0, edges / static_cast<double>(std::max<index_t>(graph.rows(), 1)));
    delta = delta_degrees(graph.where(), degree) * mean_weight(graph, largest_weight) / degree;
  }
  if (std::is_integral_v<D>) delta = std::max(1.0, std::floor(delta));
  if (!(delta > 0)) delta = 1;  // all weights are zero
  const double widest = static_cast<double>(largest_weight);
  // A host's buckets are no wider than the heaviest edge. A device's may be: fewer rounds gain
  // more.
  if (!(given > 0) && graph.where().is_host() && delta > widest && widest > 0) delta = widest;
  return arithmetic::convert<D>(delta);
}

}  // namespace tropic::detail
