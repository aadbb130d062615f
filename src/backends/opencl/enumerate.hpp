// SPDX-License-Identifier: Apache-2.0
#pragma once

// The OpenCL devices of this machine, and for those that cannot be used, why.

#include <string>
#include <vector>

#include "backends/opencl/loader.hpp"

namespace tropic::detail {

struct opencl_device {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  std::string name, platform_name, platform_version, driver;
  bool usable = false;
  std::string reason;  // why not, or what it lacks
  bool is_cpu = false;
  bool fp64 = false;
  bool atomics_64 = false;
  bool exact_fp32_division = false;  // takes -cl-fp32-correctly-rounded-divide-sqrt
  bool shuffles = false;             // NVIDIA's: its PTX can be written inline
  std::size_t group_limit = 1, local_bytes = 0, processors = 1;
  cl_ulong memory = 0, largest_buffer = 0;

  /// All that a compiled program depends on.
  std::string identity() const;
};

/// In the order of platforms and their devices, CPUs behind the others. Where there is none,
/// `reason` says why.
std::vector<opencl_device> find_opencl_devices(const opencl_library& cl, std::string& reason);

}  // namespace tropic::detail
