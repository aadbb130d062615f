// SPDX-License-Identifier: Apache-2.0

// The CUDA devices as the rest of the library sees them: listed with what they are or why they
// cannot be used, and given to a context.

#include "backends/cuda/cuda.hpp"

#include <cstdio>

#include "backends/cuda/runtime.hpp"
#include "backends/device/backend.hpp"
#include "backends/device/device_memory.hpp"

namespace tropic::detail {
namespace {

// What there is of CUDA here.
struct found_cuda {
  std::shared_ptr<const cuda_driver> driver;
  std::shared_ptr<const nvrtc_on_demand> compiler = std::make_shared<const nvrtc_on_demand>();
  std::vector<cuda_device> devices;
  std::string reason;  // why there is no device; NVRTC named as well
};

found_cuda find_cuda() {
  found_cuda found;
  std::string no_device;
  found.driver = cuda_driver::open(no_device);
  if (found.driver != nullptr) found.devices = find_cuda_devices(*found.driver, no_device);
  if (found.devices.empty()) {
    const auto compiler = found.compiler->get();
    found.reason =
        no_device + "; " +
        (compiler ? "NVRTC " + compiler->version() + " found" : found.compiler->reason());
  }
  return found;
}

// With compiled programs for the device, those that they lack are reported when they are needed.
std::string why_not(const found_cuda& found, const cuda_device& device) {
  if (precompiled_programs(device.capability, {}).is_there()) return {};
  const auto compiler = found.compiler->get();
  return compiler == nullptr ? found.compiler->reason() : why_not(device, *compiler);
}

std::string described(const cuda_device& device) {
  char size[32];
  std::snprintf(size, sizeof(size), "%.1f", static_cast<double>(device.memory) / (1u << 30));
  return device.name + " (" + size + " GiB, " + std::to_string(device.processors) +
         " multiprocessors)";
}

}  // namespace

std::vector<device_info> cuda_devices() {
  const found_cuda found = find_cuda();
  if (found.devices.empty()) return {{"cuda:0", "", false, found.reason}};
  std::vector<device_info> listed;
  for (const cuda_device& device : found.devices) {
    const std::string reason = why_not(found, device);
    listed.push_back(
        {"cuda:" + std::to_string(listed.size()), described(device), reason.empty(), reason});
  }
  return listed;
}

void attach_cuda(context_state& state, int number) {
  const std::string name = "cuda:" + std::to_string(number);
  const found_cuda found = find_cuda();
  if (found.devices.empty()) throw device_error(name + ": " + found.reason);
  if (number < 0 || static_cast<std::size_t>(number) >= found.devices.size())
    throw device_error(name + ": there " +
                       (found.devices.size() == 1 ? "is one CUDA device, number 0"
                                                  : "are " + std::to_string(found.devices.size()) +
                                                        " CUDA devices, numbered from 0"));
  const cuda_device& device = found.devices[static_cast<std::size_t>(number)];
  if (const std::string reason = why_not(found, device); !reason.empty())
    throw device_error(name + " (" + device.name + "): " + reason);
  auto runtime = std::make_shared<cuda_runtime>(found.driver, found.compiler, device, name,
                                                state.options.log, state.options.queue);
  state.device_memory = std::make_unique<device_memory>(runtime);
  state.executor = std::make_shared<device_backend>(state, runtime);
}

}  // namespace tropic::detail
