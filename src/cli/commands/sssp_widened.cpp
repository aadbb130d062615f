// SPDX-License-Identifier: Apache-2.0

// Shortest paths over weights of 8 and 16 bits, whose distances have 64.

#include "cli/commands/sssp_instance.hpp"

namespace tropic::cli {

TROPIC_CLI_SSSP(, std::int64_t, std::int8_t)
TROPIC_CLI_SSSP(, std::int64_t, std::int16_t)
TROPIC_CLI_SSSP(, std::int64_t, std::uint8_t)
TROPIC_CLI_SSSP(, std::int64_t, std::uint16_t)

}  // namespace tropic::cli
