// SPDX-License-Identifier: Apache-2.0

// Shortest paths over int32 and int64.

#include "interop/c/sssp_instance.hpp"

namespace tropic::c_abi {

template sssp_found shortest_paths<std::int32_t>(const detail::matrix_base&, index_t,
                                                 const sssp_options&);
template sssp_found shortest_paths<std::int64_t>(const detail::matrix_base&, index_t,
                                                 const sssp_options&);

}  // namespace tropic::c_abi
