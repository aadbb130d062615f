// SPDX-License-Identifier: Apache-2.0
#include "algorithms/k_truss.hpp"

#include <tropic/algorithms/verify/k_truss.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

k_truss_result k_truss(const detail::matrix_base& graph, index_t k) {
  return tropic::k_truss(as_pattern(graph), k);
}

std::string verify_k_truss(const detail::matrix_base& graph, index_t k,
                           const k_truss_result& result) {
  return tropic::verify_k_truss(as_pattern(graph), k, result);
}

}  // namespace tropic::algorithms
