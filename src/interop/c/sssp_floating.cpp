// SPDX-License-Identifier: Apache-2.0

// Shortest paths over fp32 and fp64.

#include "interop/c/sssp_instance.hpp"

namespace tropic::c_abi {

TROPIC_C_SSSP(, float, float)
TROPIC_C_SSSP(, double, double)

}  // namespace tropic::c_abi
