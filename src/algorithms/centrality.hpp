// SPDX-License-Identifier: Apache-2.0
#pragma once

// Closeness, eigenvector and Katz centrality, hubs and authorities of a graph of any value type.
// Weights are copied to fp64; without `weighted` only the pattern is used. All run on the working
// copy: none uses the numbers of vertices.

#include <string>

#include <tropic/algorithms/closeness.hpp>
#include <tropic/algorithms/power_centrality.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::closeness and its verifier. Values of a type other than bool are replaced by a
/// pattern, as by bfs.
closeness_result closeness(const any_graph& graph, const closeness_options& options);
std::string verify_closeness(const any_graph& graph, const closeness_result& result,
                             const closeness_options& options);
/// As tropic::eigenvector_centrality and its verifier.
power_result eigenvector_centrality(const any_graph& graph, const eigenvector_options& options);
std::string verify_eigenvector_centrality(const any_graph& graph, const power_result& result,
                                          const eigenvector_options& options);
/// As tropic::katz_centrality and its verifier.
power_result katz_centrality(const any_graph& graph, const katz_options& options);
std::string verify_katz_centrality(const any_graph& graph, const power_result& result,
                                   const katz_options& options);
/// As tropic::hits and its verifier.
hits_result hits(const any_graph& graph, const hits_options& options);
std::string verify_hits(const any_graph& graph, const hits_result& result,
                        const hits_options& options);

}  // namespace tropic::algorithms
