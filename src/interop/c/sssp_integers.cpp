// SPDX-License-Identifier: Apache-2.0

// Shortest paths whose distances are of 64 bits.

#include "interop/c/sssp_instance.hpp"

namespace tropic::c_abi {

TROPIC_C_SSSP(, std::int64_t, std::int32_t)
TROPIC_C_SSSP(, std::int64_t, std::int64_t)
TROPIC_C_SSSP(, std::uint64_t, std::uint64_t)

}  // namespace tropic::c_abi
