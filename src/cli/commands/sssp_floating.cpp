// SPDX-License-Identifier: Apache-2.0

// Shortest paths over floating distances.

#include "cli/commands/sssp_instance.hpp"

namespace tropic::cli {

TROPIC_CLI_SSSP(, float, float)
TROPIC_CLI_SSSP(, double, double)

}  // namespace tropic::cli
