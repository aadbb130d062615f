// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounds of the diameter of a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/diameter.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::diameter.
diameter_result diameter(const detail::matrix_base& graph, const diameter_options& options);
/// As tropic::verify_diameter.
std::string verify_diameter(const detail::matrix_base& graph, const diameter_result& result,
                            const diameter_options& options);

}  // namespace tropic::algorithms
