// SPDX-License-Identifier: Apache-2.0
#pragma once

// A maximal independent set of a graph of any value type. Only the pattern is used.

#include <cstdint>
#include <string>

#include <tropic/algorithms/maximal_independent_set.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::maximal_independent_set.
independent_set_result maximal_independent_set(const any_graph& graph, std::uint64_t seed);
/// As tropic::verify_maximal_independent_set.
std::string verify_maximal_independent_set(const any_graph& graph,
                                           const independent_set_result& result);

}  // namespace tropic::algorithms
