// SPDX-License-Identifier: Apache-2.0
#pragma once

// Distances between pairs over weights of any type, with distances of any type but bool.

#include <span>
#include <string>

#include <tropic/detail/containers.hpp>
#include <tropic/semirings/types.hpp>

#include "algorithms/any_graph.hpp"
#include "algorithms/sssp.hpp"

namespace tropic::algorithms {

/// tropic::sssp_between_result with its type erased.
struct any_sssp_between_result {
  detail::vector_base distance;  // of the type of distances
  index_t searches = 0;
  index_t saturated = 0;
  index_t steps = 0;
};

/// As tropic::sssp_between. Weights are converted as by algorithms::sssp, which see.
any_sssp_between_result sssp_between(const any_graph& graph, type_code distances,
                                     std::span<const index_t> from, std::span<const index_t> to,
                                     const sssp_options& options);
/// The checks of the graph and the pairs, which throw as tropic::sssp_between does.
void check_between(const any_graph& graph, std::span<const index_t> from,
                   std::span<const index_t> to);
/// As tropic::verify_sssp_between.
std::string verify_sssp_between(const any_graph& graph, std::span<const index_t> from,
                                std::span<const index_t> to, const any_sssp_between_result& result,
                                const sssp_verify_options& options);

}  // namespace tropic::algorithms
