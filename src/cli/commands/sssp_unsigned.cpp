// SPDX-License-Identifier: Apache-2.0

// Shortest paths over unsigned weights of 32 and 64 bits.

#include "cli/commands/sssp_instance.hpp"

namespace tropic::cli {

TROPIC_CLI_SSSP(, std::uint32_t, std::uint32_t)
TROPIC_CLI_SSSP(, std::int64_t, std::uint32_t)
TROPIC_CLI_SSSP(, std::uint64_t, std::uint64_t)

}  // namespace tropic::cli
