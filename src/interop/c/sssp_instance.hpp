// SPDX-License-Identifier: Apache-2.0
#pragma once

// The body of shortest_paths, for the files that instantiate it.

#include <tropic/algorithms/sssp.hpp>

#include "interop/c/sssp.hpp"

namespace tropic::c_abi {

template <class D, class T>
sssp_found shortest_paths(const detail::matrix_base& graph, index_t source,
                          const sssp_options& options) {
  sssp_result<D> found = sssp<D>(matrix<T>(graph), source, options);
  return {std::move(found.distance.base()), std::move(found.parent.base()), found.saturated};
}

}  // namespace tropic::c_abi
