// SPDX-License-Identifier: Apache-2.0

// Stands in for the OpenCL backend where Tropic is built without OpenCL headers.

#include "backends/opencl/opencl.hpp"

namespace tropic::detail {

std::vector<device_info> opencl_devices() {
  return {{"opencl:0", "", false, "built without OpenCL headers"}};
}

void attach_opencl(context_state&, int number) {
  throw device_error("opencl:" + std::to_string(number) + ": built without OpenCL headers");
}

}  // namespace tropic::detail
