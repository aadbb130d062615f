// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the rest of the library knows of CUDA.

#include <vector>

#include "containers/context_state.hpp"

namespace tropic::detail {

/// Every CUDA device, "cuda:0" and on; where there is none, one line that says why.
std::vector<device_info> cuda_devices();

/// Gives a context the memory and the backend of device `number` of that list, on its stream where
/// options.queue lends one. Throws device_error with the reason where it cannot be used.
void attach_cuda(context_state& state, int number);

}  // namespace tropic::detail
