// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks distances between pairs by a search from every first vertex whose distances and parents
// pass verify_sssp, which proves them without the algebra.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include <tropic/algorithms/sssp_between.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
inline std::string wrong_distance(index_t source, index_t target, const std::string& found,
                                  const std::string& right) {
  return "from " + std::to_string(source) + " to " + std::to_string(target) + " the result has " +
         found + ", a search that is checked has " + right;
}
inline std::string check_searches(index_t counted, index_t searches) {
  if (counted == searches) return {};
  return "the result counts " + std::to_string(counted) + " searches, there are " +
         std::to_string(searches);
}

/// proven(source) returns the distances of a search, and what is wrong with it or "".
template <value_type D>
std::string check_distances_between(
    const context& where, std::span<const index_t> from, std::span<const index_t> to,
    const sssp_between_result<D>& result,
    const std::function<std::pair<vector<D>, std::string>(index_t source)>& proven) {
  if (result.distance.size() != static_cast<index_t>(from.size()))
    return "the result has " + std::to_string(result.distance.size()) + " positions, there are " +
           std::to_string(from.size()) + " pairs";
  constexpr D no_path = arithmetic::largest<D>();
  const auto text = [](D distance) {
    return distance == no_path ? std::string("no path") : detail::number_text(distance);
  };
  const std::vector<D> found = result.distance.dense(no_path);
  std::string wrong;
  index_t searches = 0;
  for_each_source(where, from, [&](index_t source, std::span<const index_t> pairs) {
    ++searches;
    if (!wrong.empty()) return;
    const std::pair<vector<D>, std::string> search = proven(source);
    wrong = search.second;
    const std::vector<D> expected = search.first.dense(no_path);
    for (const index_t pair : pairs) {
      const auto k = static_cast<std::size_t>(pair);
      if (const D right = expected[static_cast<std::size_t>(to[k])];
          wrong.empty() && found[k] != right)
        wrong = wrong_distance(source, to[k], text(found[k]), text(right));
    }
  });
  return wrong.empty() ? check_searches(result.searches, searches) : wrong;
}
}  // namespace detail

/// Empty if `result` is that of sssp_between<D>() for these pairs, else the first error found.
/// Throws as sssp_between does.
template <value_type T, value_type D>
std::string verify_sssp_between(const matrix<T>& graph, std::span<const index_t> from,
                                std::span<const index_t> to, const sssp_between_result<D>& result,
                                const sssp_verify_options& options = {}) {
  detail::check_square("verify_sssp_between", graph);
  detail::check_pairs("sssp", graph.rows(), from, to);
  return detail::check_distances_between<D>(graph.where(), from, to, result, [&](index_t source) {
    sssp_result<D> search = sssp<D>(graph, source, {.limit = options.limit});
    std::string wrong = verify_sssp(graph, source, search, options);
    return std::pair(std::move(search.distance), std::move(wrong));
  });
}

}  // namespace tropic
