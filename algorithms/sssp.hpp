// SPDX-License-Identifier: Apache-2.0
#pragma once

// Single-source shortest paths: the least sum of weights from the source to every vertex.
//
// Delta-stepping (Meyer and Sanders, J. Algorithms 2003; in the algebra: Sridhar et al.,
// "Delta-stepping SSSP: from vertices and edges to GraphBLAS implementations", GABB 2019), without
// the split of light and heavy edges, as in the GAP benchmark suite. Tentative distances lie in
// buckets of width delta; a bucket is relaxed until it stays empty, then the next that holds
// anything is taken:
//
//   request = frontier' A over (min, +)      better = request < distance
//   distance<better> = request               frontier, later = better inside, beyond the bucket
//
// which are the rounds of iterate_until in buckets.
//
// Every vector but `distance` is sparse: a step costs the edges that leave its frontier. delta is
// chosen from the weights: about delta_degrees mean weights over a mean degree, which keeps the
// wasted relaxations of a bucket rare and its frontier large.
//
// Negative weights are Bellman-Ford's (sssp_negative.hpp). Parents are found at the end: one
// product over labels gives each vertex the smallest neighbour on a shortest path to it. Where
// edges of weight zero could make such parents chase each other in a circle, or floating weights
// that rounding absorbs (1 + 1e-20 == 1) do, parents are found outwards from the source, and are
// the smallest among those of fewest edges.
//
// Distances have a type of their own (sssp_distances.hpp), in which the products of a distance and
// a weight meet: the matrix is not converted. Sums that it cannot hold are clamped and counted
// (sssp_saturation.hpp).

#include <cmath>
#include <limits>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/sssp_labels.hpp>
#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/algorithms/sssp_saturation.hpp>
#include <tropic/ewise.hpp>
#include <tropic/reduce.hpp>

namespace tropic {

struct sssp_options {
  /// Width of a bucket, finite; 0: chosen from the weights.
  double delta = 0;
  bool parents = true;
};

namespace detail {

TROPIC_UNARY_OPERATOR(is_not_a_number, t_isnan(x));

/// The best of a sweep from 1 to 256 over kron, urand, road and grid graphs, or within a seventh of
/// it (docs/performance.md).
inline constexpr double delta_degrees = 16;

inline void check(const sssp_options& o) {
  if (!(o.delta >= 0) || std::isinf(o.delta))
    throw usage_error("sssp: delta is " + std::to_string(o.delta) +
                      ", expected a finite number from 0");
}

template <value_type D, value_type T>
D choose_delta(const matrix<T>& graph, double given, T largest_weight) {
  double delta = given;
  if (!(delta > 0)) {
    const double entries = static_cast<double>(std::max<index_t>(graph.nvals(), 1));
    const double degree = entries / static_cast<double>(std::max<index_t>(graph.rows(), 1));
    matrix<double> weights(graph.where(), graph.rows(), graph.columns());
    apply(weights, identity{}, graph);
    delta =
        delta_degrees * reduce(plus_monoid<double>{}, weights) / entries / std::max(degree, 1.0);
  }
  if (std::is_integral_v<D>) delta = std::max(1.0, std::floor(delta));
  if (!(delta > 0)) delta = 1;  // all weights are zero
  const double widest = static_cast<double>(largest_weight);
  if (!(given > 0) && delta > widest && widest > 0) delta = widest;
  return arithmetic::convert<D>(delta);
}

template <value_type D, value_type T>
vector<index_t> shortest_path_parents(const matrix<T>& graph, index_t source,
                                      const vector<D>& distance, bool zero_weights) {
  const context where = graph.where();
  const index_t n = graph.rows();
  vector<index_t> parent(where, n);
  parent.expect_dense();
  parent.set(source, source);
  vector<D> from = distance;
  if (zero_weights) {
    from = vector<D>(where, n);
    from.set(source, D{});
  }
  while (from.nvals() > 0) {
    where.checkpoint("sssp: parents");
    vector<label<D>> labels(where, n), offered(where, n);
    apply(labels, bind_second(make_label{}, index_t{0}), from);
    vxm(offered, label_semiring<D, T>{}, labels, graph, {.mask = complement(structure(parent))});
    vector<bool> reaches(where, n);
    ewise_multiply(reaches, label_reaches{}, offered, distance);
    vector<index_t> found(where, n);
    apply(found, label_parent{}, offered, {.mask = reaches});
    assign(parent, found, {.mask = structure(found)});
    if (!zero_weights) break;
    vector<D> next(where, n);
    assign(next, distance, {.mask = structure(found)});
    from = std::move(next);
  }
  return parent;
}

/// Throws usage_error where a weight is NaN.
template <value_type T>
T least_weight(const matrix<T>& graph) {
  if constexpr (std::is_floating_point_v<T>) {
    matrix<T> faulty(graph.where(), graph.rows(), graph.columns());
    select(faulty, is_not_a_number{}, graph);
    if (faulty.nvals() > 0)
      throw usage_error("sssp: " + std::to_string(faulty.nvals()) + " weights are NaN");
  }
  return reduce(minimum_monoid<T>{}, graph);
}

/// Distances alone, where no weight is negative.
template <value_type D, value_type T>
sssp_result<D> delta_stepping(const matrix<T>& graph, index_t source, D delta) {
  const context where = graph.where();
  const index_t n = graph.rows();
  vector<D> frontier(where, n);
  frontier.set(source, D{});
  // Full from the start: `request < distance` then needs no look at which entries exist.
  vector<D> distance(where, n, arithmetic::largest<D>());
  assign(distance, D{}, {.mask = structure(frontier)});
  sssp_result<D> result{vector<D>(where, n), vector<index_t>(where, n)};
  result.delta = static_cast<double>(delta);
  result.steps = iterate_until(distance, min_plus<D, D, T>{}, frontier, graph,
                               {.improves = less{}, .bucket_width = delta, .name = "sssp"});
  select(result.distance, bind_second(not_equal{}, arithmetic::largest<D>()), distance);
  return result;
}

/// The least and the longest weight, once they and the options are checked.
template <class D, value_type T>
std::pair<T, T> checked_weights(const matrix<T>& graph, index_t source,
                                const sssp_options& options) {
  static_assert(
      holds_weights<D, T>(),
      "tropic: sssp<D>: distances of type D do not hold every weight of the matrix's type");
  check_source("sssp", graph, source);
  check(options);
  const T least = least_weight(graph), longest = reduce(maximum_monoid<T>{}, graph);
  refuse_unusable_weights<D>(graph, longest);
  return {least, longest};
}

/// Counts the clamped distances of a search by bellman_ford, and mends its parents.
template <value_type D, value_type T>
void count_saturated(const matrix<T>& graph, index_t source, std::pair<T, T> weights, bool parents,
                     sssp_result<D>& result) {
  if (every_path_fits<D>(graph.rows(), weights.first, weights.second) ||
      !is_at_a_clamp(result.distance, true))
    return;
  const exact_paths<D, T> paths(graph, source, result.distance);
  result.saturated = paths.saturated();
  if (parents) result.parent = paths.mended(result.parent);
}

/// Whether a weight above zero can leave a distance as it is, because the sum is rounded.
template <value_type D, value_type T>
bool is_absorbed(const vector<D>& distance, T least_weight) {
  if constexpr (!std::is_floating_point_v<D>) return false;
  // Half of it moves the longest distance: then it is a unit in the last place of any, or more.
  const D longest = reduce(maximum_monoid<D>{}, distance);
  return !(longest + static_cast<D>(least_weight) / 2 > longest);
}

/// The same for one by delta_stepping, whose parents are then found.
template <value_type D, value_type T>
void count_and_find_parents(const matrix<T>& graph, index_t source, std::pair<T, T> weights,
                            bool parents, sssp_result<D>& result) {
  const bool zero_weights = !(weights.first > T{});
  if (!every_path_fits<D>(graph.rows(), weights.first, weights.second) &&
      is_at_a_clamp(result.distance, false)) {
    exact_paths<D, T> paths(graph, source, result.distance);
    result.saturated = paths.saturated();
    if (parents)
      result.parent = paths.parents(zero_weights || is_absorbed(result.distance, weights.first));
  } else if (parents) {
    result.parent = shortest_path_parents(graph, source, result.distance, zero_weights);
    if (!zero_weights && is_absorbed(result.distance, weights.first) &&
        vertex_on_circle(result.parent.dense(-1), source) >= 0)
      result.parent = shortest_path_parents(graph, source, result.distance, true);
  }
}

template <class D, class T>
using distances_asked = std::conditional_t<std::is_void_v<D>, distance_type<T>, D>;

}  // namespace detail

/// Distances (and parents) from `source`; a value of `graph` at (i, j) is the weight of the edge
/// from i to j.
///
/// Distances are of type D: without one std::int64_t for integer weights of less than 64 bits, else
/// T (distance_type). sssp<std::int32_t>(graph, source) asks for a type, which must hold every
/// weight. A sum past the end of D is clamped short of its largest value, which means "no path";
/// result.saturated counts the distances that are not exact for it; those of a negative cycle that
/// is reached over sums clamped at D's smallest value alone are among them.
///
/// Throws usage_error for a rectangular matrix, a source outside it, a NaN weight, a delta that is
/// negative, infinite or NaN, and where clamped sums and negative weights make a circle;
/// unusable_weight for an integer weight that is D's largest value; negative_cycle; cancelled.
template <class D = void, value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_result<detail::distances_asked<D, T>> sssp(const matrix<T>& graph, index_t source,
                                                const sssp_options& options = {}) {
  using distance = detail::distances_asked<D, T>;
  const auto weights = detail::checked_weights<distance>(graph, source, options);
  if (weights.first < T{}) {
    auto result = detail::bellman_ford<distance>(graph, source, options.parents);
    detail::count_saturated(graph, source, weights, options.parents, result);
    return result;
  }
  const auto delta = detail::choose_delta<distance>(graph, options.delta, weights.second);
  auto result = detail::delta_stepping(graph, source, delta);
  detail::count_and_find_parents(graph, source, weights, options.parents, result);
  return result;
}

}  // namespace tropic
