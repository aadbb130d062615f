// SPDX-License-Identifier: Apache-2.0

// The OpenCL devices, as the rest of the library sees them.

#include <tropic/error.hpp>

#include "backends/device/backend.hpp"
#include "backends/device/device_memory.hpp"
#include "backends/opencl/opencl.hpp"
#include "backends/opencl/runtime.hpp"

namespace tropic::detail {

std::vector<device_info> opencl_devices() {
  std::string reason;
  std::vector<device_info> listed;
  if (const auto cl = opencl_library::open(reason)) {
    for (const opencl_device& d : find_opencl_devices(*cl, reason))
      listed.push_back({"opencl:" + std::to_string(listed.size()),
                        d.name + " (" + d.platform_name + ")", d.usable, d.reason, d.is_cpu});
  }
  if (listed.empty()) listed.push_back({"opencl:0", "", false, reason});
  return listed;
}

void attach_opencl(context_state& state, int number) {
  const std::string name = "opencl:" + std::to_string(number);
  std::string reason;
  const auto cl = opencl_library::open(reason);
  if (cl == nullptr) throw device_error(name + ": " + reason);
  const std::vector<opencl_device> found = find_opencl_devices(*cl, reason);
  if (found.empty()) throw device_error(name + ": " + reason);
  if (number < 0 || static_cast<std::size_t>(number) >= found.size())
    throw device_error(name + ": there are " + std::to_string(found.size()) +
                       " OpenCL devices, numbered from 0");
  auto runtime = std::make_shared<opencl_runtime>(cl, found[static_cast<std::size_t>(number)], name,
                                                  state.options.log, state.options.queue);
  state.device_memory = std::make_unique<device_memory>(runtime);
  state.executor = std::make_shared<device_backend>(state, runtime);
}

}  // namespace tropic::detail
