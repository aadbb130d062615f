// SPDX-License-Identifier: Apache-2.0

// Shortest paths whose distances are of a narrow type that was asked for.

#include "interop/c/sssp_instance.hpp"

namespace tropic::c_abi {

TROPIC_C_SSSP(, std::int8_t, std::int8_t)
TROPIC_C_SSSP(, std::int16_t, std::int16_t)
TROPIC_C_SSSP(, std::int32_t, std::int32_t)
TROPIC_C_SSSP(, std::uint8_t, std::uint8_t)
TROPIC_C_SSSP(, std::uint16_t, std::uint16_t)
TROPIC_C_SSSP(, std::uint32_t, std::uint32_t)

}  // namespace tropic::c_abi
