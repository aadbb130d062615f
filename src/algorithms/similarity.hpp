// SPDX-License-Identifier: Apache-2.0
#pragma once

// Similarity of vertices of a graph of any value type. Only the pattern is used. There is no
// relabelled form: `top` breaks ties by the numbers of vertices.

#include <span>
#include <string>

#include <tropic/algorithms/similarity.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::algorithms {

/// As tropic::similarity.
vector<double> similarity(const detail::matrix_base& graph, std::span<const index_t> from,
                          std::span<const index_t> to, similarity_measure measure);
/// As tropic::similar_pairs.
similar_pairs_result similar_pairs(const detail::matrix_base& graph,
                                   const similar_pairs_options& options);
/// As tropic::verify_similarity.
std::string verify_similarity(const detail::matrix_base& graph, std::span<const index_t> from,
                              std::span<const index_t> to, similarity_measure measure,
                              const vector<double>& value);
/// As tropic::verify_similar_pairs.
std::string verify_similar_pairs(const detail::matrix_base& graph,
                                 const similar_pairs_options& options,
                                 const similar_pairs_result& result);

}  // namespace tropic::algorithms
