// SPDX-License-Identifier: Apache-2.0
#pragma once

// Modularity and the communities of Louvain on a graph of any value type. Weights are copied to
// fp64; without `weighted` only the pattern is used. There is no relabelled form: the method visits
// vertices in the order of their numbers.

#include <string>

#include <tropic/algorithms/louvain.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::modularity.
double modularity(const detail::matrix_base& graph, const vector<index_t>& community,
                  const modularity_options& options);
/// As tropic::louvain.
louvain_result louvain(const detail::matrix_base& graph, const modularity_options& options);
/// As tropic::verify_louvain.
std::string verify_louvain(const detail::matrix_base& graph, const louvain_result& result,
                           const modularity_options& options);

}  // namespace tropic::algorithms
