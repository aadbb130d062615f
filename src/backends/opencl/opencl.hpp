// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the rest of the library knows of OpenCL. No OpenCL type appears here, so that this header
// is there in a build without OpenCL too (absent.cpp answers then).

#include <vector>

#include "containers/context_state.hpp"

namespace tropic::detail {

/// Every OpenCL device, "opencl:0" and on; where there is none, one line that says why.
std::vector<device_info> opencl_devices();

/// Gives a context the memory and the backend of device `number` of that list. Throws device_error
/// with the reason where it cannot be used.
void attach_opencl(context_state& state, int number);

}  // namespace tropic::detail
