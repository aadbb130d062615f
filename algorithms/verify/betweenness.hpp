// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks betweenness without the algebra: Brandes' queue and stack for each source. Path counts are
// a fraction and an exponent of their own, so that they never overflow. O(sources (vertices +
// edges)), sequential.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/betweenness.hpp>
#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
/// fraction * 2^exponent, the fraction from 0.5 to below 1, or 0.
struct wide_count {
  double fraction = 0;
  std::int64_t exponent = 0;

  void add(const wide_count& other) {
    if (fraction == 0) exponent = other.exponent;
    const std::int64_t shared = std::max(exponent, other.exponent);
    int change = 0;
    fraction = std::frexp(
        scaled(fraction, exponent - shared) + scaled(other.fraction, other.exponent - shared),
        &change);
    exponent = shared + change;
  }
  double over(const wide_count& other) const {
    return scaled(fraction / other.fraction, exponent - other.exponent);
  }

 private:
  static double scaled(double value, std::int64_t by) {
    return std::ldexp(value, static_cast<int>(std::clamp<std::int64_t>(by, -5000, 5000)));
  }
};

/// Adds what the paths from `source` give to every vertex.
template <value_type T>
void add_serial_dependencies(const matrix<T>& graph, index_t source, bool endpoints,
                             std::vector<double>& to) {
  const std::size_t n = to.size();
  const array_view<std::uint32_t> columns = graph.column_indices();
  std::vector<index_t> level(n, -1);
  std::vector<wide_count> paths(n);
  std::vector<double> dependency(n, 0);
  std::vector<std::size_t> queue{static_cast<std::size_t>(source)};
  level[queue[0]] = 0;
  paths[queue[0]].add({0.5, 1});
  const auto for_each_edge = [&](std::size_t from, const auto& f) {
    const auto end = static_cast<std::size_t>(graph.offset(static_cast<index_t>(from) + 1));
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(from))); e < end; ++e)
      f(std::size_t{columns[e]});
  };
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const std::size_t u = queue[at];
    for_each_edge(u, [&](std::size_t v) {
      if (level[v] < 0) {
        level[v] = level[u] + 1;
        queue.push_back(v);
      }
      if (level[v] == level[u] + 1) paths[v].add(paths[u]);
    });
  }
  for (std::size_t at = queue.size(); at-- > 1;) {
    const std::size_t u = queue[at];
    for_each_edge(u, [&](std::size_t v) {
      if (level[v] == level[u] + 1) dependency[u] += paths[u].over(paths[v]) * (1 + dependency[v]);
    });
    to[u] += dependency[u] + (endpoints ? 1 : 0);
  }
  if (endpoints) to[queue[0]] += static_cast<double>(queue.size() - 1);
}
}  // namespace detail

/// Empty if `result`, of a run with these options, is right, else the first error found. Throws as
/// betweenness does.
template <value_type T>
std::string verify_betweenness(const matrix<T>& graph, const betweenness_result& result,
                               const betweenness_options& options = {}) {
  detail::check_square("verify_betweenness", graph);
  const index_t n = graph.rows();
  detail::check(options, n);
  if (result.centrality.size() != n)
    return "the result has " + std::to_string(result.centrality.size()) + " positions, the graph " +
           std::to_string(n) + " vertices";
  const context where = graph.where();
  std::vector<index_t> sources = options.sources ? *options.sources : std::vector<index_t>{};
  for (index_t v = 0; !options.sources && v < n; ++v) sources.push_back(v);
  std::vector<double> expected(static_cast<std::size_t>(n), 0);
  std::vector<bool> is_source(expected.size());
  for (std::size_t k = 0; k < sources.size(); ++k) {
    where.checkpoint("betweenness: verify",
                     static_cast<double>(k) / static_cast<double>(sources.size()));
    is_source[static_cast<std::size_t>(sources[k])] = true;
    detail::add_serial_dependencies(graph, sources[k], options.endpoints, expected);
  }
  const detail::betweenness_scale scale =
      detail::scale_of(options, n, static_cast<index_t>(sources.size()),
                       options.directed.value_or(!graph.is_symmetric()));
  const std::vector<double> found = result.centrality.dense(-1);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    const double right = expected[v] * (is_source[v] ? scale.source : scale.other);
    if (!(std::abs(found[v] - right) <= 1e-9 * right))
      return "vertex " + std::to_string(v) + " has betweenness " + detail::number_text(found[v]) +
             ", a serial computation gives " + detail::number_text(right);
  }
  return {};
}

}  // namespace tropic
