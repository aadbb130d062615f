// SPDX-License-Identifier: Apache-2.0

// Shortest paths with integer distances of 64 bits.

#include "algorithms/sssp_instance.hpp"

namespace tropic::algorithms {

TROPIC_FOR_EACH_WIDE_SSSP(TROPIC_SSSP_INSTANCE)

}  // namespace tropic::algorithms
