// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths over weights of any type, with distances of any type but bool.

#include <optional>
#include <string>
#include <type_traits>

#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

/// tropic::sssp_result with its types erased.
struct any_sssp_result {
  detail::vector_base distance;  // of the type of distances
  detail::vector_base parent;    // of index_t
  index_t steps = 0;
  double delta = 0;
  index_t saturated = 0;
};

/// The default type of distances over weights of that type (tropic::distance_type).
type_code distance_type_of(type_code weights);

/// Whether distances of that type are computed without converting the weights: they have the same
/// type, or distances are int64 and the weights integers of less than 64 bits.
bool takes_weights(type_code distances, type_code weights);

/// f<D>() for the type D of distances of that code. Throws usage_error for bool.
template <class Result, class F>
Result with_distance_type(type_code distances, const F& f) {
  return with_builtin_type(distances, [&]<class D>() -> Result {
    if constexpr (std::is_same_v<D, bool>)
      throw usage_error("sssp: bool holds no distances");
    else
      return f.template operator()<D>();
  });
}

/// As tropic::sssp. Weights that distances of that type do not take are converted first
/// (as_weights, which see for what it throws). Throws usage_error for distances of bool.
any_sssp_result sssp(const any_graph& graph, type_code distances, index_t source,
                     const sssp_options& options);
/// As tropic::verify_sssp.
std::string verify_sssp(const any_graph& graph, index_t source, const any_sssp_result& result,
                        const sssp_verify_options& options);

}  // namespace tropic::algorithms
