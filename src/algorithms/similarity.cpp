// SPDX-License-Identifier: Apache-2.0
#include "algorithms/similarity.hpp"

#include <tropic/algorithms/verify/similarity.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

vector<double> similarity(const detail::matrix_base& graph, std::span<const index_t> from,
                          std::span<const index_t> to, similarity_measure measure) {
  return tropic::similarity(as_pattern(graph), from, to, measure);
}

similar_pairs_result similar_pairs(const detail::matrix_base& graph,
                                   const similar_pairs_options& options) {
  return tropic::similar_pairs(as_pattern(graph), options);
}

std::string verify_similarity(const detail::matrix_base& graph, std::span<const index_t> from,
                              std::span<const index_t> to, similarity_measure measure,
                              const vector<double>& value) {
  return tropic::verify_similarity(as_pattern(graph), from, to, measure, value);
}

std::string verify_similar_pairs(const detail::matrix_base& graph,
                                 const similar_pairs_options& options,
                                 const similar_pairs_result& result) {
  return tropic::verify_similar_pairs(as_pattern(graph), options, result);
}

}  // namespace tropic::algorithms
