// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageRank over a graph of any value type. Weights are copied to fp64; without
// pagerank_options::weighted only the pattern is used.

#include <string>

#include <tropic/algorithms/pagerank.hpp>
#include <tropic/vector.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// As tropic::pagerank; personalised if `preference` is not null. Values of a type other than bool
/// are replaced by a pattern in an unweighted run, as by bfs.
pagerank_result pagerank(const any_graph& graph, const vector<double>* preference,
                         const pagerank_options& options);
/// As tropic::verify_pagerank.
std::string verify_pagerank(const any_graph& graph, const pagerank_result& result,
                            const pagerank_options& options);

}  // namespace tropic::algorithms
