// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/enumerate.hpp"

#include <algorithm>
#include <charconv>

namespace tropic::detail {
namespace {

constexpr int of_clusters = 90;  // compute capability

std::string dotted(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

}  // namespace

std::vector<cuda_device> find_cuda_devices(const cuda_driver& cuda, std::string& reason) {
  int count = 0;
  const cu_status status = cuda.cuDeviceGetCount(&count);
  if (status != 0) {
    reason = "the CUDA driver does not count its devices: " + cuda.error_text(status);
    return {};
  }
  if (count == 0) reason = "the CUDA driver finds no device";
  std::vector<cuda_device> found;
  for (int number = 0; number < count; ++number) {
    cuda_device d;
    if (const cu_status got = cuda.cuDeviceGet(&d.handle, number); got != 0) {
      reason = "the CUDA driver does not give device " + std::to_string(number) + ": " +
               cuda.error_text(got);
      break;
    }
    const auto attribute = [&](int attribute_number, int none) {
      int value = none;
      return cuda.cuDeviceGetAttribute(&value, attribute_number, d.handle) == 0 ? value : none;
    };
    char name[256] = "";
    if (cuda.cuDeviceGetName(name, sizeof(name) - 1, d.handle) == 0) d.name = name;
    if (cuda.cuDeviceTotalMem(&d.memory, d.handle) != 0) d.memory = 0;
    d.capability = 10 * attribute(cu::capability_major, 0) + attribute(cu::capability_minor, 0);
    const auto size_of = [&](int attribute_number, int none) {
      return static_cast<std::size_t>(std::max(attribute(attribute_number, none), 0));
    };
    d.local_bytes = size_of(cu::max_shared_memory_per_block, 49152);
    d.local_bytes_opt_in = std::max(d.local_bytes, size_of(cu::max_shared_memory_opt_in, 0));
    d.group_limit = size_of(cu::max_threads_per_block, 1024);
    d.processors = size_of(cu::multiprocessor_count, 1);
    d.warp = static_cast<std::uint32_t>(size_of(cu::warp_size, 32));
    found.push_back(std::move(d));
  }
  return found;
}

std::string architecture_for(int capability, const std::vector<int>& known) {
  if (std::find(known.begin(), known.end(), capability) != known.end())
    return "sm_" + std::to_string(capability);
  int best = 0;
  for (const int architecture : known)
    if (architecture < capability && (capability < of_clusters || architecture >= of_clusters))
      best = std::max(best, architecture);
  return best == 0 ? std::string() : "compute_" + std::to_string(best);
}

bool has_clusters(std::string_view architecture) {
  int number = 0;
  const std::string_view digits = architecture.substr(architecture.find('_') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return has_clusters(number);
}
bool has_clusters(int capability) {
  return capability >= of_clusters;
}

std::string why_not(const cuda_device& device, const nvrtc& compiler) {
  const std::vector<int> known = compiler.architectures();
  if (!architecture_for(device.capability, known).empty()) return {};
  if (known.empty()) return "NVRTC " + compiler.version() + " compiles for nothing";
  const auto [oldest, newest] = std::minmax_element(known.begin(), known.end());
  return "NVRTC " + compiler.version() + " compiles for compute capability " + dotted(*oldest) +
         " to " + dotted(*newest) + ", the device has " + dotted(device.capability);
}

}  // namespace tropic::detail
