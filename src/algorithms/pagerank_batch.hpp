// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageRank from many preferences at once on a graph of any value type, as algorithms::pagerank.

#include <string>

#include <tropic/algorithms/pagerank_batch.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/full_matrix.hpp>

namespace tropic::algorithms {

/// As tropic::pagerank_batch.
pagerank_batch_result pagerank_batch(const detail::matrix_base& graph,
                                     const full_matrix<double>& preferences,
                                     const pagerank_options& options);
/// As tropic::verify_pagerank_batch.
std::string verify_pagerank_batch(const detail::matrix_base& graph,
                                  const full_matrix<double>& preferences,
                                  const pagerank_batch_result& result,
                                  const pagerank_options& options);

}  // namespace tropic::algorithms
