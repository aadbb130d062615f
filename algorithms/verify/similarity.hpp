// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks similarities by the definition: shared neighbours are counted one by one, without the
// algebra. Sequential; for given pairs O(their degrees), for all pairs the sum of the squares of
// the numbers of edges into each vertex.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/similarity.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
/// The neighbours of every vertex as `similarity` counts them, ascending.
template <value_type T>
std::vector<std::vector<std::uint32_t>> out_neighbours(const matrix<T>& graph) {
  std::vector<std::vector<std::uint32_t>> lists(static_cast<std::size_t>(graph.rows()));
  const array_view<std::uint32_t> columns = graph.column_indices();
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e)
      if (columns[static_cast<std::size_t>(e)] != static_cast<std::uint64_t>(i))
        lists[static_cast<std::size_t>(i)].push_back(columns[static_cast<std::size_t>(e)]);
  return lists;
}

inline std::string pair_name(index_t u, index_t v) {
  return "pair " + std::to_string(u) + " " + std::to_string(v);
}
inline std::string has_similarity(index_t u, index_t v, double found, double expected) {
  return pair_name(u, v) + " has similarity " + detail::number_text(found) +
         ", a serial count gives " + detail::number_text(expected);
}
}  // namespace detail

/// Empty if `value` is the result of similarity() for these pairs, else the first error found.
/// Throws as similarity does.
template <value_type T>
std::string verify_similarity(const matrix<T>& graph, std::span<const index_t> from,
                              std::span<const index_t> to, similarity_measure measure,
                              const vector<double>& value) {
  detail::check_square("verify_similarity", graph);
  detail::check_pairs("similarity", graph.rows(), from, to);
  if (value.size() != static_cast<index_t>(from.size()) || value.nvals() != value.size())
    return "the result has " + std::to_string(value.nvals()) + " values of " +
           std::to_string(value.size()) + ", there are " + std::to_string(from.size()) + " pairs";
  const auto lists = detail::out_neighbours(graph);
  const std::vector<double> found = value.dense(-1);
  const context where = graph.where();
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k % 4096 == 0)
      where.checkpoint("similarity: verify",
                       static_cast<double>(k) / static_cast<double>(found.size()));
    const auto& a = lists[static_cast<std::size_t>(from[k])];
    const auto& b = lists[static_cast<std::size_t>(to[k])];
    index_t shared = 0;
    for (const std::uint32_t v : a.size() < b.size() ? a : b)
      shared +=
          std::binary_search(a.begin(), a.end(), v) && std::binary_search(b.begin(), b.end(), v);
    const double expected =
        detail::similarity_of(measure, static_cast<double>(shared), static_cast<double>(a.size()),
                              static_cast<double>(b.size()));
    if (found[k] != expected) return detail::has_similarity(from[k], to[k], found[k], expected);
  }
  return {};
}

/// Empty if `result` is that of similar_pairs() with these options, else the first error found.
/// Throws as similar_pairs does.
template <value_type T>
std::string verify_similar_pairs(const matrix<T>& graph, const similar_pairs_options& options,
                                 const similar_pairs_result& result) {
  detail::check_square("verify_similar_pairs", graph);
  detail::check(options);
  const matrix<double>& value = result.value;
  const index_t n = graph.rows();
  if (value.rows() != n || value.columns() != n)
    return "the result is " + std::to_string(value.rows()) + "x" + std::to_string(value.columns()) +
           ", the graph has " + std::to_string(n) + " vertices";
  const auto lists = detail::out_neighbours(graph);
  std::vector<std::vector<std::uint32_t>> into(lists.size());
  for (std::size_t u = 0; u < lists.size(); ++u)
    for (const std::uint32_t v : lists[u]) into[v].push_back(static_cast<std::uint32_t>(u));
  const array_view<std::uint32_t> columns = value.column_indices();
  const array_view<double> values = value.values();
  const context where = graph.where();
  std::vector<index_t> shared(lists.size(), 0);
  std::vector<std::pair<double, std::uint32_t>> expected;
  for (std::size_t u = 0; u < lists.size(); ++u) {
    if (u % 1024 == 0)
      where.checkpoint("similarity: verify",
                       static_cast<double>(u) / static_cast<double>(lists.size()));
    expected.clear();
    for (const std::uint32_t middle : lists[u])
      for (const std::uint32_t v : into[middle])
        if (v != u && shared[v]++ == 0) expected.emplace_back(0, v);
    for (auto& [of_pair, v] : expected) {
      of_pair = detail::similarity_of(options.measure, static_cast<double>(shared[v]),
                                      static_cast<double>(lists[u].size()),
                                      static_cast<double>(lists[v].size()));
      shared[v] = 0;
    }
    std::erase_if(expected, [&](const auto& pair) { return pair.first < options.threshold; });
    std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (options.top > 0 && static_cast<index_t>(expected.size()) > options.top)
      expected.resize(static_cast<std::size_t>(options.top));
    std::sort(expected.begin(), expected.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto row = static_cast<index_t>(u);
    index_t e = value.offset(row);
    const index_t end = value.offset(row + 1);
    for (const auto& [of_pair, v] : expected) {
      const auto at = static_cast<std::size_t>(e);
      if (e == end || columns[at] > v) return detail::pair_name(row, v) + " is missing";
      if (columns[at] < v) return detail::pair_name(row, columns[at]) + " is not to be listed";
      const double found = values[value.is_iso() ? 0 : at];
      if (found != of_pair) return detail::has_similarity(row, v, found, of_pair);
      ++e;
    }
    if (e < end)
      return detail::pair_name(row, columns[static_cast<std::size_t>(e)]) + " is not to be listed";
  }
  return {};
}

}  // namespace tropic
