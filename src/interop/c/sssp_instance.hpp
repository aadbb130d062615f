// SPDX-License-Identifier: Apache-2.0
#pragma once

// The body of shortest_paths, for the files that instantiate it.

#include "interop/c/sssp.hpp"

namespace tropic::c_abi {

template <class T>
sssp_found shortest_paths(const detail::matrix_base& graph, index_t source,
                          const sssp_options& options) {
  sssp_result<T> found = sssp(matrix<T>(graph), source, options);
  return {std::move(found.distance.base()), std::move(found.parent.base())};
}

}  // namespace tropic::c_abi
