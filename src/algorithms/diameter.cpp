// SPDX-License-Identifier: Apache-2.0
#include "algorithms/diameter.hpp"

#include <tropic/algorithms/verify/diameter.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

diameter_result diameter(const detail::matrix_base& graph, const diameter_options& options) {
  return tropic::diameter(as_pattern(graph), options);
}

std::string verify_diameter(const detail::matrix_base& graph, const diameter_result& result,
                            const diameter_options& options) {
  return tropic::verify_diameter(as_pattern(graph), result, options);
}

}  // namespace tropic::algorithms
