// SPDX-License-Identifier: Apache-2.0
#include "algorithms/louvain.hpp"

#include <tropic/algorithms/verify/louvain.hpp>

#include "algorithms/community_edges.hpp"

namespace tropic::algorithms {

double modularity(const detail::matrix_base& graph, const vector<index_t>& community,
                  const modularity_options& options) {
  return with_community_edges(graph, options.weighted, [&](const auto& edges) {
    return tropic::modularity(edges, community, options);
  });
}

louvain_result louvain(const detail::matrix_base& graph, const modularity_options& options) {
  return with_community_edges(graph, options.weighted,
                              [&](const auto& edges) { return tropic::louvain(edges, options); });
}

std::string verify_louvain(const detail::matrix_base& graph, const louvain_result& result,
                           const modularity_options& options) {
  return with_community_edges(graph, options.weighted, [&](const auto& edges) {
    return tropic::verify_louvain(edges, result, options);
  });
}

}  // namespace tropic::algorithms
