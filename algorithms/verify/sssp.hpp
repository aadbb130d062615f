// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks shortest paths without the algebra, in O(vertices + edges), by the conditions that define
// them: the source is at distance zero, no edge shortens a recorded distance, an edge from its
// parent gives every other vertex exactly its distance, and parents lead to the source. Sums are
// exact: one that the distances' type cannot hold is an error, unless saturation is allowed; then
// its clamped value is used. With a limit, a vertex without a distance counts as recorded just
// above it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/weighted_rows.hpp>
#include <tropic/algorithms/sssp_distances.hpp>
#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/arithmetic.hpp>

namespace tropic {

struct sssp_verify_options {
  /// Accept clamped sums. Otherwise a distance that is clamped, and result.saturated, are errors.
  bool allow_saturation = false;
  /// sssp_options::limit of the search: distances above it are errors, and so are those missing
  /// that are not. Needs weights from 0.
  double limit = std::numeric_limits<double>::infinity();
};

namespace detail {
template <value_type D>
std::string check_shortest_paths(const weighted_rows<D>& graph, index_t source,
                                 const sssp_result<D>& result, const sssp_verify_options& options) {
  const index_t n = graph.vertices();
  for (const index_t size : {result.distance.size(), result.parent.size()})
    if (size != n)
      return "the result has " + std::to_string(size) + " positions, the graph " +
             std::to_string(n) + " vertices";
  const D unreached = first_above<D>(options.limit);
  std::vector<D> distance = result.distance.dense(arithmetic::largest<D>());
  const std::vector<index_t> parent = result.parent.dense(-1);
  const auto at = [](const auto& v, index_t i) { return v[static_cast<std::size_t>(i)]; };
  const auto text = [](index_t v) { return std::to_string(v); };

  for (index_t v = 0; v < n; ++v) {
    D& recorded = distance[static_cast<std::size_t>(v)];
    if (recorded == arithmetic::largest<D>())
      recorded = unreached;
    else if (!(recorded < unreached))
      return "vertex " + text(v) + " is at distance " + std::to_string(recorded) +
             ", above the limit";
  }
  if (at(distance, source) != D{} || at(parent, source) != source)
    return "the source is not at distance 0 from itself";
  std::vector<char> confirmed(static_cast<std::size_t>(n), 0);
  const context where = graph.where();
  for (index_t u = 0; u < n; ++u) {
    if (u % 4096 == 0)
      where.checkpoint("sssp: verify", static_cast<double>(u) / static_cast<double>(n));
    if (at(distance, u) == unreached) continue;
    const auto edges = graph.row(u);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto v = static_cast<index_t>(edges.to[e]);
      const D length = edges.weight[e];
      const std::optional<D> over = exact_sum(at(distance, u), length);
      const D clamped = arithmetic::tropical_plus(at(distance, u), length);
      const bool below = !over && length < D{};  // beyond the smallest value
      if ((below && !options.allow_saturation) || clamped < at(distance, v))
        return "the edge from " + text(u) + " to " + text(v) + " leads to " +
               sum_text(at(distance, u), length) + ", recorded is " + number_text(at(distance, v));
      if (at(parent, v) != u || clamped != at(distance, v)) continue;
      if (!over && !options.allow_saturation)
        return "the distance of vertex " + text(v) + " is saturated: over its parent " + text(u) +
               " it is " + sum_text(at(distance, u), length) + ", recorded is " +
               number_text(clamped) + " (" + text(result.saturated) + " saturated in total)";
      confirmed[static_cast<std::size_t>(v)] = 1;
    }
  }
  if (result.saturated != 0 && !options.allow_saturation)
    return text(result.saturated) + " distances are counted as saturated, all of them are exact";
  // Parents lead to the source: follow each path once, up to a vertex that is known to do so.
  std::vector<char> rooted(static_cast<std::size_t>(n), 0);
  rooted[static_cast<std::size_t>(source)] = 1;
  std::vector<index_t> path;
  for (index_t v = 0; v < n; ++v) {
    if (v % 4096 == 0) where.checkpoint("sssp: verify");
    if (at(distance, v) == unreached) {
      if (at(parent, v) >= 0) return "vertex " + text(v) + " is unreached but has a parent";
      continue;
    }
    if (v != source && !confirmed[static_cast<std::size_t>(v)])
      return "no edge from its parent " + text(at(parent, v)) + " puts vertex " + text(v) +
             " at its distance";
    path.clear();
    index_t up = v;
    while (!rooted[static_cast<std::size_t>(up)]) {
      path.push_back(up);
      if (path.size() > static_cast<std::size_t>(n))
        return "the parents of vertex " + text(v) + " do not lead to the source";
      up = at(parent, up);
    }
    for (const index_t p : path) rooted[static_cast<std::size_t>(p)] = 1;
  }
  return {};
}
}  // namespace detail

/// Empty if `result`, which must have parents, is right, else the first error found. Throws as sssp
/// does for a source that is not in the graph; cancelled.
template <value_type T, value_type D>
std::string verify_sssp(const matrix<T>& graph, index_t source, const sssp_result<D>& result,
                        const sssp_verify_options& options = {}) {
  detail::check_source("verify_sssp", graph, source);
  return detail::check_shortest_paths<D>(detail::weighted_rows<D>(graph), source, result, options);
}

}  // namespace tropic
