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
// which are the rounds of iterate_until.
//
// Every vector but `distance` is sparse: a step costs the edges that leave its frontier. A vertex
// that has since come nearer is dropped when its old bucket comes up. delta is chosen from the
// weights: about delta_degrees mean weights over a mean degree, which keeps the wasted relaxations
// of a bucket rare and its frontier large.
//
// Negative weights are Bellman-Ford's (sssp_negative.hpp). Parents are found at the end: one
// product over labels gives each vertex the smallest neighbour on a shortest path to it. Where
// edges of weight zero could make such parents chase each other in a circle, parents are found
// outwards from the source, and are the smallest among those of fewest edges.

#include <cmath>
#include <limits>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/sssp_labels.hpp>
#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/ewise.hpp>
#include <tropic/reduce.hpp>

namespace tropic {

struct sssp_options {
  /// Width of a bucket; 0: chosen from the weights.
  double delta = 0;
  bool parents = true;
};

namespace detail {

TROPIC_UNARY_OPERATOR(is_not_a_number, t_isnan(x));

/// The best of a sweep from 1 to 256 over kron, urand, road and grid graphs, or within a seventh of
/// it (docs/performance.md).
inline constexpr double delta_degrees = 16;

template <value_type T>
T choose_delta(const matrix<T>& graph, double given, T largest_weight) {
  double delta = given;
  if (!(delta > 0)) {
    const double entries = static_cast<double>(std::max<index_t>(graph.nvals(), 1));
    const double degree = entries / static_cast<double>(std::max<index_t>(graph.rows(), 1));
    matrix<double> weights(graph.where(), graph.rows(), graph.columns());
    apply(weights, identity{}, graph);
    delta =
        delta_degrees * reduce(plus_monoid<double>{}, weights) / entries / std::max(degree, 1.0);
  }
  if (std::is_integral_v<T>) delta = std::max(1.0, std::floor(delta));
  if (!(delta > 0)) delta = 1;  // all weights are zero
  const double widest = static_cast<double>(largest_weight);
  if (!(given > 0) && delta > widest && widest > 0) delta = widest;
  return arithmetic::convert<T>(delta);
}

// The end of the bucket that holds `distance`, saturated.
template <value_type T>
T bucket_end(T distance, T delta) {
  if constexpr (std::is_floating_point_v<T>) {
    const T end = (std::floor(distance / delta) + 1) * delta;
    return end > distance ? end : std::nextafter(distance, std::numeric_limits<T>::infinity());
  } else {
    const T start = static_cast<T>(distance / delta * delta);
    return start > std::numeric_limits<T>::max() - delta ? std::numeric_limits<T>::max()
                                                         : static_cast<T>(start + delta);
  }
}

template <value_type T>
vector<index_t> shortest_path_parents(const matrix<T>& graph, index_t source,
                                      const vector<T>& distance, bool zero_weights) {
  const context where = graph.where();
  const index_t n = graph.rows();
  vector<index_t> parent(where, n);
  parent.expect_dense();
  parent.set(source, source);
  vector<T> from = distance;
  if (zero_weights) {
    from = vector<T>(where, n);
    from.set(source, T{});
  }
  while (from.nvals() > 0) {
    where.checkpoint("sssp: parents");
    vector<label<T>> labels(where, n), offered(where, n);
    apply(labels, bind_second(make_label{}, index_t{0}), from);
    vxm(offered, label_semiring<T>{}, labels, graph, {.mask = complement(structure(parent))});
    vector<bool> reaches(where, n);
    ewise_multiply(reaches, label_reaches{}, offered, distance);
    vector<index_t> found(where, n);
    apply(found, label_parent{}, offered, {.mask = reaches});
    assign(parent, found, {.mask = structure(found)});
    if (!zero_weights) break;
    vector<T> next(where, n);
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
template <value_type T>
sssp_result<T> delta_stepping(const matrix<T>& graph, index_t source, T delta) {
  const context where = graph.where();
  const index_t n = graph.rows();
  vector<T> pending(where, n);  // tentative, at or beyond the end of the bucket
  pending.set(source, T{});
  // Full from the start: `request < distance` then needs no look at which entries exist.
  vector<T> distance(where, n, arithmetic::largest<T>());
  assign(distance, T{}, {.mask = structure(pending)});
  sssp_result<T> result{vector<T>(where, n), vector<index_t>(where, n)};
  result.delta = static_cast<double>(delta);

  while (pending.nvals() > 0) {
    const T end = bucket_end(reduce(minimum_monoid<T>{}, pending), delta);
    vector<T> frontier(where, n), beyond(where, n);
    select(frontier, bind_second(less{}, end), pending);
    select(beyond, bind_second(greater_equal{}, end), pending);
    if (frontier.nvals() == 0) {  // the bucket's end saturated: what is left is as far as it goes
      frontier = std::move(beyond);
      beyond = vector<T>(where, n);
    }
    pending = std::move(beyond);
    vector<bool> current(where, n);
    ewise_multiply(current, equal{}, frontier, distance);
    vector<T> fresh(where, n);
    assign(fresh, frontier, {.mask = current});
    frontier = std::move(fresh);

    result.steps += iterate_until(
        distance, min_plus<T>{}, frontier, graph,
        {.improves = less{}, .keep = bind_second(less{}, end), .beyond = &pending, .name = "sssp"});
  }
  select(result.distance, bind_second(not_equal{}, arithmetic::largest<T>()), distance);
  return result;
}

}  // namespace detail

/// Distances (and parents) from `source`; a value of `graph` at (i, j) is the weight of the edge
/// from i to j. Integer distances saturate below the type's largest value. Throws usage_error for
/// a rectangular matrix, a source outside it or a NaN weight; negative_cycle; cancelled.
template <value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_result<T> sssp(const matrix<T>& graph, index_t source, const sssp_options& options = {}) {
  detail::check_source("sssp", graph, source);
  const T least = detail::least_weight(graph);
  if (least < T{}) return detail::bellman_ford(graph, source, options.parents);
  const T delta = detail::choose_delta(graph, options.delta, reduce(maximum_monoid<T>{}, graph));
  sssp_result<T> result = detail::delta_stepping(graph, source, delta);
  if (options.parents)
    result.parent = detail::shortest_path_parents(graph, source, result.distance, !(least > T{}));
  return result;
}

}  // namespace tropic
