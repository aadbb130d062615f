// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths behind a seam without the distances' type: the algorithm is instantiated a few
// types a file (sssp_integers.cpp, sssp_small.cpp, sssp_floating.cpp).

#include <tropic/algorithms/sssp.hpp>

namespace tropic::c_abi {

struct sssp_found {
  detail::vector_base distance, parent;
  index_t saturated = 0;
};

/// Distances of type D over weights of type T.
template <class D, class T>
sssp_found shortest_paths(const detail::matrix_base& graph, index_t source,
                          const sssp_options& options);

#define TROPIC_C_SSSP(prefix, D, T)                                                    \
  prefix template sssp_found shortest_paths<D, T>(const detail::matrix_base&, index_t, \
                                                  const sssp_options&);
// int32 weights, which most graphs have, are not converted; others meet their distances' type.
TROPIC_C_SSSP(extern, std::int64_t, std::int32_t)
TROPIC_C_SSSP(extern, std::int8_t, std::int8_t)
TROPIC_C_SSSP(extern, std::int16_t, std::int16_t)
TROPIC_C_SSSP(extern, std::int32_t, std::int32_t)
TROPIC_C_SSSP(extern, std::int64_t, std::int64_t)
TROPIC_C_SSSP(extern, std::uint8_t, std::uint8_t)
TROPIC_C_SSSP(extern, std::uint16_t, std::uint16_t)
TROPIC_C_SSSP(extern, std::uint32_t, std::uint32_t)
TROPIC_C_SSSP(extern, std::uint64_t, std::uint64_t)
TROPIC_C_SSSP(extern, float, float)
TROPIC_C_SSSP(extern, double, double)

}  // namespace tropic::c_abi
