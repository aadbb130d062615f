// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths with clamped sums: which distances are exact, and parents.
//
// Clamped sums are monotone, so a search still ends with distances that no edge shortens. Such a
// distance is exact if a path whose sums are all exact (exact_sum) leads to it. With weights from 0
// the other distances are at the clamp, and the true ones at it or beyond. With negative weights a
// clamped distance may be extended by an edge that brings it back below the clamp, and a vertex
// reached over a sum clamped at the smallest value may be nearer than recorded.
//
// This is rare, and needed only if a distance is at a clamp: that is tested by one reduction, or by
// none if the longest weight times the number of vertices fits the type. Then the graph is searched
// twice on the host, O(vertices + edges), without the algebra.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/weighted_rows.hpp>
#include <tropic/algorithms/sssp_distances.hpp>
#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/matrix.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// Whether the length of every path of that many vertices fits D.
template <class D, class T>
bool every_path_fits(index_t vertices, T least_weight, T largest_weight) {
  constexpr double end = static_cast<double>(std::numeric_limits<D>::max()) / 2;
  const double longest =
      std::max(static_cast<double>(largest_weight), -static_cast<double>(least_weight));
  return longest * static_cast<double>(vertices) < end;
}

/// Whether a distance has the value that a clamped sum has.
template <value_type D>
bool is_at_a_clamp(const vector<D>& distance, bool negative_weights) {
  const D farthest = reduce(maximum_monoid<D>{}, distance);
  if constexpr (std::is_floating_point_v<D>)
    return farthest == std::numeric_limits<D>::max();
  else
    return farthest == arithmetic::largest<D>() - 1 ||
           (negative_weights && reduce(minimum_monoid<D>{}, distance) == arithmetic::smallest<D>());
}

/// Which distances of a search are exact, and parents that prove it. On the host.
template <value_type D>
class exact_paths {
 public:
  exact_paths(weighted_rows<D> graph, index_t source, const vector<D>& distance)
      : graph_(std::move(graph)),
        source_(source),
        distance_(distance.dense(unreached)),
        parent_(distance_.size(), -1) {
    at(parent_, source) = source;
    grow({source},
         [&](D sum_from, D length, D recorded) { return exact_sum(sum_from, length) == recorded; });
    exact_.reserve(parent_.size());
    for (const index_t p : parent_) exact_.push_back(p >= 0);
    find_doubts();
  }

  index_t saturated() const {
    index_t found = 0;
    for (std::size_t v = 0; v < distance_.size(); ++v)
      found += distance_[v] != unreached && (!exact_[v] || doubtful_[v]);
    return found;
  }

  /// A parent for every reachable vertex, over an exact sum if its distance is exact: the smallest,
  /// or, with `outwards`, the smallest of those with the fewest edges to the source.
  vector<index_t> parents(bool outwards) {
    std::vector<index_t> reached;
    for (index_t v = 0; v < graph_.vertices(); ++v)
      if (at(exact_, v)) reached.push_back(v);
    if (!outwards) {
      for (const index_t v : reached) at(parent_, v) = v == source_ ? source_ : -1;
      for (const index_t u : reached)
        for_each_edge(u, [&](index_t v, D length) {
          if (at(exact_, v) && at(parent_, v) < 0 &&
              exact_sum(at(distance_, u), length) == at(distance_, v))
            at(parent_, v) = u;
        });
    }
    grow(std::move(reached), [&](D sum_from, D length, D recorded) {
      return arithmetic::tropical_plus(sum_from, length) == recorded;
    });
    return to_vector(parent_);
  }

  /// `given`, if its parents of exact distances are over exact sums. Otherwise other parents for
  /// all exact distances: the smallest of those with the fewest edges to the source.
  vector<index_t> repaired(const vector<index_t>& given) const {
    std::vector<index_t> parent = given.dense(-1);
    bool sound = true;
    for (index_t u = 0; u < graph_.vertices(); ++u) {
      if (at(distance_, u) == unreached) continue;
      for_each_edge(u, [&](index_t v, D length) {
        if (at(parent, v) != u || !at(exact_, v) || v == u) return;
        if (!at(exact_, u) || exact_sum(at(distance_, u), length) != at(distance_, v))
          sound = false;
      });
    }
    if (sound) return given;
    for (std::size_t v = 0; v < parent.size(); ++v)
      if (exact_[v]) parent[v] = parent_[v];
    return to_vector(parent);
  }

 private:
  static constexpr D unreached = arithmetic::largest<D>();

  template <class Vector>
  static auto& at(Vector& v, index_t i) {
    return v[static_cast<std::size_t>(i)];
  }
  template <class F>
  void for_each_edge(index_t u, F&& f) const {
    const auto edges = graph_.row(u);
    for (std::size_t e = 0; e < edges.size(); ++e)
      f(static_cast<index_t>(edges.to[e]), edges.weight[e]);
  }

  // A breadth-first search from the vertices of `level` over edges for which leads(distance of the
  // first vertex, weight, distance of the second). A vertex without a parent gets the smallest of
  // the level before it.
  template <class Leads>
  void grow(std::vector<index_t> level, const Leads& leads) {
    const context where = graph_.where();
    while (!level.empty()) {
      where.checkpoint("sssp: saturation");
      std::ranges::sort(level);
      std::vector<index_t> next;
      for (const index_t u : level)
        for_each_edge(u, [&](index_t v, D length) {
          if (at(parent_, v) >= 0 || at(distance_, v) == unreached ||
              !leads(at(distance_, u), length, at(distance_, v)))
            return;
          at(parent_, v) = u;
          next.push_back(v);
        });
      level = std::move(next);
    }
  }

  // Vertices that are reachable over an edge whose sum is below the smallest value.
  void find_doubts() {
    doubtful_.assign(distance_.size(), false);
    if constexpr (std::is_integral_v<D> && std::is_signed_v<D>) {
      std::vector<index_t> pending;
      const auto doubt = [&](index_t v) {
        if (at(doubtful_, v)) return;
        at(doubtful_, v) = true;
        pending.push_back(v);
      };
      for (index_t u = 0; u < graph_.vertices(); ++u)
        if (at(distance_, u) != unreached)
          for_each_edge(u, [&](index_t v, D length) {
            if (length < D{} && !exact_sum(at(distance_, u), length)) doubt(v);
          });
      while (!pending.empty()) {
        const index_t u = pending.back();
        pending.pop_back();
        for_each_edge(u, [&](index_t v, D) { doubt(v); });
      }
    }
  }

  vector<index_t> to_vector(const std::vector<index_t>& parent) const {
    std::vector<index_t> indices, values;
    for (std::size_t v = 0; v < parent.size(); ++v)
      if (parent[v] >= 0) {
        indices.push_back(static_cast<index_t>(v));
        values.push_back(parent[v]);
      }
    return vector<index_t>::from_entries(graph_.where(), graph_.vertices(), indices, values);
  }

  weighted_rows<D> graph_;
  index_t source_;
  std::vector<D> distance_;
  std::vector<index_t> parent_;
  std::vector<char> exact_, doubtful_;
};

/// Throws unusable_weight for the first edge whose weight is the largest value of D ("no path").
/// Searches for it only if `largest_weight`, the largest of all, is that value.
template <value_type D, value_type T>
void refuse_unusable_weights(const matrix<T>& graph, T largest_weight) {
  if constexpr (std::is_integral_v<D>) {
    constexpr D unreached = arithmetic::largest<D>();
    if (graph.nvals() == 0 || static_cast<D>(largest_weight) != unreached) return;
    const array_view<std::uint32_t> columns = graph.column_indices();
    const array_view<T> values = graph.values();
    for (index_t u = 0; u < graph.rows(); ++u)
      for (index_t e = graph.offset(u); e < graph.offset(u + 1); ++e)
        if (static_cast<D>(values[graph.is_iso() ? 0 : static_cast<std::size_t>(e)]) == unreached)
          throw unusable_weight(u, columns[static_cast<std::size_t>(e)], std::to_string(unreached),
                                std::to_string(unreached - 1));
  }
}

}  // namespace tropic::detail
