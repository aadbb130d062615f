// SPDX-License-Identifier: Apache-2.0

// Shortest paths over floating weights.

#include "algorithms/sssp_instance.hpp"

namespace tropic::algorithms {

TROPIC_FOR_EACH_FLOATING_SSSP(TROPIC_SSSP_INSTANCE)

}  // namespace tropic::algorithms
