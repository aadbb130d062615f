// SPDX-License-Identifier: Apache-2.0

// Shortest paths over fp32 and fp64.

#include "interop/c/sssp_instance.hpp"

namespace tropic::c_abi {

template sssp_found shortest_paths<float>(const detail::matrix_base&, index_t, const sssp_options&);
template sssp_found shortest_paths<double>(const detail::matrix_base&, index_t,
                                           const sssp_options&);

}  // namespace tropic::c_abi
