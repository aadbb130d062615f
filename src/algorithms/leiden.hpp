// SPDX-License-Identifier: Apache-2.0
#pragma once

// The communities of Leiden on a graph of any value type. Weights are copied to fp64; without
// `weighted` only the pattern is used. There is no relabelled form: the order of visits
// depends on the numbers of the vertices.

#include <string>

#include <tropic/algorithms/leiden.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::leiden.
leiden_result leiden(const detail::matrix_base& graph, const leiden_options& options);
/// As tropic::verify_leiden.
std::string verify_leiden(const detail::matrix_base& graph, const leiden_result& result,
                          const leiden_options& options);

}  // namespace tropic::algorithms
