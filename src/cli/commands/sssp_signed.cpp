// SPDX-License-Identifier: Apache-2.0

// Shortest paths over signed weights of 32 and 64 bits.

#include "cli/commands/sssp_instance.hpp"

namespace tropic::cli {

TROPIC_CLI_SSSP(, std::int32_t, std::int32_t)
TROPIC_CLI_SSSP(, std::int64_t, std::int32_t)
TROPIC_CLI_SSSP(, std::int64_t, std::int64_t)

}  // namespace tropic::cli
