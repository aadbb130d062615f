// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths behind a seam without the distance's type: the algorithm is instantiated two types
// a file (sssp_integers.cpp, sssp_floating.cpp).

#include <tropic/algorithms/sssp.hpp>

namespace tropic::c_abi {

struct sssp_found {
  detail::vector_base distance, parent;
};

template <class T>
sssp_found shortest_paths(const detail::matrix_base& graph, index_t source,
                          const sssp_options& options);

extern template sssp_found shortest_paths<std::int32_t>(const detail::matrix_base&, index_t,
                                                        const sssp_options&);
extern template sssp_found shortest_paths<std::int64_t>(const detail::matrix_base&, index_t,
                                                        const sssp_options&);
extern template sssp_found shortest_paths<float>(const detail::matrix_base&, index_t,
                                                 const sssp_options&);
extern template sssp_found shortest_paths<double>(const detail::matrix_base&, index_t,
                                                  const sssp_options&);

}  // namespace tropic::c_abi
