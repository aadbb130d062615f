// SPDX-License-Identifier: Apache-2.0
#include "algorithms/leiden.hpp"

#include <tropic/algorithms/verify/leiden.hpp>

#include "algorithms/community_edges.hpp"

namespace tropic::algorithms {

leiden_result leiden(const detail::matrix_base& graph, const leiden_options& options) {
  return with_community_edges(graph, options.weighted,
                              [&](const auto& edges) { return tropic::leiden(edges, options); });
}

std::string verify_leiden(const detail::matrix_base& graph, const leiden_result& result,
                          const leiden_options& options) {
  return with_community_edges(graph, options.weighted, [&](const auto& edges) {
    return tropic::verify_leiden(edges, result, options);
  });
}

}  // namespace tropic::algorithms
