// SPDX-License-Identifier: Apache-2.0
#pragma once

// Single-source shortest paths: the least sum of weights from the source to every vertex.
//
// Delta-stepping (Meyer and Sanders, J. Algorithms 2003; in the algebra: Sridhar et al.,
// "Delta-stepping SSSP: from vertices and edges to GraphBLAS implementations", GABB 2019,
// arXiv:1911.06895), without the split into light and heavy edges, as in the GAP benchmark suite.
// Tentative distances are in buckets of width delta. The first bucket that is not empty is relaxed
// until it stays empty, then the next one:
//
//   request = frontier' A over (min, +)      better = request < distance
//   distance<better> = request               frontier, later = better inside, beyond the bucket
//
// These are the rounds of iterate_until in buckets. The loop is in src/operations/iterate.cpp; for
// small frontiers on a device it is in src/backends/kernels/vectors/iterate.kernel, and on the CPU
// in src/backends/cpu/rounds/round_loop.cpp. There all rounds push; elsewhere
// src/plan/quick_choice.cpp decides.
//
// A limit takes no other rounds: `distance` begins at the first value above it, where it is
// otherwise infinite, so that no request above the limit is better, and none gets into a frontier.
//
// Every vector but `distance` is sparse: a step costs the edges that leave its frontier. delta is
// chosen from the weights (sssp_delta.hpp).
//
// Negative weights use Bellman-Ford (sssp_negative.hpp). Parents are found at the end: one product
// over labels gives each vertex the smallest neighbour on a shortest path to it. Edges of weight
// zero could close a cycle of such parents, and so could weights that rounding absorbs (1 + 1e-20
// == 1). Then parents are found from the source outwards, and are the smallest of those with the
// fewest edges to the source.
//
// Distances have a type of their own, in which the products of a distance and a weight are
// computed: the matrix is not converted. Sums that it cannot hold are clamped and counted
// (sssp_saturation.hpp).

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/weighted_rows.hpp>
#include <tropic/algorithms/sssp_delta.hpp>
#include <tropic/algorithms/sssp_distances.hpp>
#include <tropic/algorithms/sssp_labels.hpp>
#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/algorithms/sssp_saturation.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/iterate.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {

TROPIC_UNARY_OPERATOR(is_not_a_number, t_isnan(x));

inline void check(const sssp_options& o) {
  if (!(o.delta >= 0) || std::isinf(o.delta))
    throw usage_error("sssp: delta is " + detail::number_text(o.delta) +
                      ", expected a finite number from 0");
  if (!(o.limit >= 0))
    throw usage_error("sssp: the limit is " + detail::number_text(o.limit) +
                      ", expected a number from 0");
}

/// On a path with negative weights a vertex above the limit may precede one within it.
inline void refuse_limit_of_negative(const sssp_options& o) {
  if (o.limit < std::numeric_limits<double>::infinity())
    throw usage_error("sssp: a limit needs weights from 0, a weight is negative");
}

/// Parents by the distances: for each vertex the smallest neighbour on a shortest path. With
/// `zero_weights` in rounds from the source outwards, so that parents close no cycle.
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
    // labels(u) = (distance of u, 0)
    apply(labels, bind_second(make_label{}, index_t{0}), from);
    // offered<!parent>(v) = the least (labels(u).distance + A(u, v), u) over u
    vxm(offered, label_semiring<D, T>{}, labels, graph, {.mask = complement(structure(parent))});
    vector<bool> reaches(where, n);
    // reaches = (offered.distance == distance)
    ewise_multiply(reaches, label_reaches{}, offered, distance);
    vector<index_t> found(where, n);
    // found<reaches> = offered.parent       parent<found> = found
    apply(found, label_parent{}, offered, {.mask = reaches});
    assign(parent, found, {.mask = structure(found)});
    if (!zero_weights) break;
    vector<D> next(where, n);
    assign(next, distance, {.mask = structure(found)});
    from = std::move(next);
  }
  return parent;
}

/// The least weight. Throws usage_error if a weight is NaN.
template <value_type T>
T checked_least_weight(const matrix<T>& graph) {
  if constexpr (std::is_floating_point_v<T>) {
    matrix<T> invalid(graph.where(), graph.rows(), graph.columns());
    select(invalid, is_not_a_number{}, graph);
    if (invalid.nvals() > 0)
      throw usage_error("sssp: " + std::to_string(invalid.nvals()) + " weights are NaN");
  }
  return reduce(minimum_monoid<T>{}, graph);
}

/// A search by delta-stepping before its first round, for weights that are not negative.
template <value_type D>
struct search_rounds {
  vector<D> frontier;
  // Full from the start, so that `request < distance` need not test which entries exist.
  vector<D> distance;

  /// `unreached` is the distance of vertices that are not reached, and above all others.
  search_rounds(const context& where, index_t vertices, index_t source, D unreached)
      : frontier(where, vertices), distance(where, vertices, unreached) {
    frontier.set(source, D{});
    assign(distance, D{}, {.mask = structure(frontier)});
  }

  /// Rounds until no distance changes, `max_rounds` at most: the frontier is empty, or they are not
  /// over. Returns how many there were.
  template <value_type T>
  index_t run(const matrix<T>& graph, D delta,
              index_t max_rounds = std::numeric_limits<index_t>::max()) {
    return iterate_until(distance, min_plus<D, D, T>{}, frontier, graph,
                         {.improves = less{},
                          .max_rounds = max_rounds,
                          .bucket_width = delta,
                          .lower_values_are_final = true,
                          .name = "sssp"});
  }
};

/// Distances below `unreached`, without parents, for weights that are not negative.
///
/// Memory movement of a round, for a frontier of f vertices with e outgoing edges to s different
/// vertices, of which c come nearer, in bytes; D and W are the sizes of a distance and a weight:
///
///   vxm (request)            f (12 + D) + e (4 + W) read       s (4 + D) written
///   ewise_multiply (better)  s (4 + 2 D)                       5 s
///   assign (changed)         s (9 + D)                         c (4 + D)
///   assign (distance)        c (4 + D)                         c D
///   select (frontier)        c (4 + D)                         c (4 + D) with those beyond
///
/// A round with a large frontier is pulled and reads the whole matrix instead. A bucket begins with
/// two selects over `pending`. Rounds that a device runs in one launch keep their lists in its
/// memory and move the bytes of vxm and of the assignments.
template <value_type D, value_type T>
sssp_result<D> delta_stepping(const matrix<T>& graph, index_t source, D delta, D unreached) {
  const context where = graph.where();
  const index_t n = graph.rows();
  search_rounds<D> search(where, n, source, unreached);
  sssp_result<D> result{vector<D>(where, n), vector<index_t>(where, n)};
  result.delta = static_cast<double>(delta);
  result.steps = search.run(graph, delta);
  select(result.distance, bind_second(not_equal{}, unreached), search.distance);
  return result;
}

/// Checks the weights. The least and the largest one.
template <class D, value_type T>
std::pair<T, T> checked_weights(const matrix<T>& graph) {
  static_assert(
      holds_weights<D, T>(),
      "tropic: sssp<D>: distances of type D do not hold every weight of the matrix's type");
  const T least = checked_least_weight(graph), largest = reduce(maximum_monoid<T>{}, graph);
  refuse_unusable_weights<D>(graph, largest);
  return {least, largest};
}
/// Checks all arguments.
template <class D, value_type T>
std::pair<T, T> checked_weights(const matrix<T>& graph, index_t source,
                                const sssp_options& options) {
  check_source("sssp", graph, source);
  check(options);
  return checked_weights<D>(graph);
}

/// Counts the clamped distances of a search by bellman_ford, and repairs its parents.
template <value_type D, value_type T>
void count_saturated(const matrix<T>& graph, index_t source, std::pair<T, T> weights, bool parents,
                     sssp_result<D>& result) {
  if (every_path_fits<D>(graph.rows(), weights.first, weights.second) ||
      !is_at_a_clamp(result.distance, true))
    return;
  const exact_paths<D> paths(weighted_rows<D>(graph), source, result.distance);
  result.saturated = paths.saturated();
  if (parents) result.parent = paths.repaired(result.parent);
}

/// Whether a sum of a distance and a weight above zero can round to the distance.
template <value_type D, value_type T>
bool is_absorbed(const vector<D>& distance, T least_weight) {
  if constexpr (!std::is_floating_point_v<D>) return false;
  // If half the weight changes the longest distance, the weight is at least one unit in the last
  // place of every distance.
  const D longest = reduce(maximum_monoid<D>{}, distance);
  return !(longest + static_cast<D>(least_weight) / 2 > longest);
}

/// Counts the clamped distances of a search by delta_stepping, and finds parents.
template <value_type D, value_type T>
void count_and_find_parents(const matrix<T>& graph, index_t source, std::pair<T, T> weights,
                            bool parents, sssp_result<D>& result) {
  const bool zero_weights = !(weights.first > T{});
  if (!every_path_fits<D>(graph.rows(), weights.first, weights.second) &&
      is_at_a_clamp(result.distance, false)) {
    exact_paths<D> paths(weighted_rows<D>(graph), source, result.distance);
    result.saturated = paths.saturated();
    if (parents)
      result.parent = paths.parents(zero_weights || is_absorbed(result.distance, weights.first));
  } else if (parents) {
    result.parent = shortest_path_parents(graph, source, result.distance, zero_weights);
    if (!zero_weights && is_absorbed(result.distance, weights.first) &&
        vertex_on_cycle(result.parent.dense(-1), source) >= 0)
      result.parent = shortest_path_parents(graph, source, result.distance, true);
  }
}

template <class D, class T>
using distances_asked = std::conditional_t<std::is_void_v<D>, distance_type<T>, D>;

}  // namespace detail

/// Distances and, if asked for, parents from `source`. A value of `graph` at (i, j) is the weight
/// of the edge from i to j.
///
/// Distances are of type D. The default is distance_type<T>: std::int64_t for integer weights of
/// less than 64 bits, else T. sssp<std::int32_t>(graph, source) selects another type, which must
/// hold every weight. The largest value of D means "no path", so a sum that D cannot hold is
/// clamped to a value below it. result.saturated counts the distances that may be wrong because of
/// this, including those of a negative cycle that is reachable only over sums clamped at the
/// smallest value of D.
///
/// Throws usage_error if the matrix is not square, if `source` is not one of its rows, if a weight
/// is NaN, if delta is negative, infinite or NaN, if the limit is negative or NaN, if there are a
/// limit and a negative weight, and if clamped sums and negative weights close a cycle;
/// unusable_weight for an integer weight equal to the largest value of D; negative_cycle;
/// cancelled.
template <class D = void, value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_result<detail::distances_asked<D, T>> sssp(const matrix<T>& graph, index_t source,
                                                const sssp_options& options = {}) {
  using distance = detail::distances_asked<D, T>;
  const auto weights = detail::checked_weights<distance>(graph, source, options);
  if (weights.first < T{}) {
    detail::refuse_limit_of_negative(options);
    auto result = detail::bellman_ford<distance>(graph, source, options.parents);
    detail::count_saturated(graph, source, weights, options.parents, result);
    return result;
  }
  const auto delta = detail::choose_delta<distance>(graph, options.delta, weights.second);
  auto result =
      detail::delta_stepping(graph, source, delta, detail::first_above<distance>(options.limit));
  detail::count_and_find_parents(graph, source, weights, options.parents, result);
  return result;
}

}  // namespace tropic
