// SPDX-License-Identifier: Apache-2.0

// Shortest paths over distances of 8 and 16 bits.

#include "cli/commands/sssp_instance.hpp"

namespace tropic::cli {

TROPIC_CLI_SSSP(, std::int8_t, std::int8_t)
TROPIC_CLI_SSSP(, std::int16_t, std::int16_t)
TROPIC_CLI_SSSP(, std::uint8_t, std::uint8_t)
TROPIC_CLI_SSSP(, std::uint16_t, std::uint16_t)

}  // namespace tropic::cli
