// SPDX-License-Identifier: Apache-2.0
#pragma once

// The k-truss of a graph of any value type. Only the pattern is used.

#include <string>

#include <tropic/algorithms/k_truss.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::k_truss.
k_truss_result k_truss(const detail::matrix_base& graph, index_t k);
/// As tropic::verify_k_truss.
std::string verify_k_truss(const detail::matrix_base& graph, index_t k,
                           const k_truss_result& result);

}  // namespace tropic::algorithms
