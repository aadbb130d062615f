// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the rest of the library knows of CUDA: today, what there is of it on this machine.

#include <vector>

#include <tropic/context.hpp>

namespace tropic::detail {

/// Every CUDA device, "cuda:0" and on, or one line that says why there is none.
std::vector<device_info> cuda_devices();

}  // namespace tropic::detail
