// SPDX-License-Identifier: Apache-2.0

// Shortest paths over floating distances.

#include "cli/sssp_instance.hpp"

namespace tropic::cli {

TROPIC_CLI_SSSP(, float)
TROPIC_CLI_SSSP(, double)

}  // namespace tropic::cli
