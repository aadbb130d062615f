// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CUDA devices of this machine, and for those that cannot be used, why.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/driver.hpp"
#include "backends/cuda/nvrtc.hpp"

namespace tropic::detail {

struct cuda_device {
  cu_device handle = 0;
  std::string name;    // "NVIDIA H200"
  int capability = 0;  // 90 for 9.0
  std::size_t memory = 0;
  std::size_t local_bytes = 0;         // of a work-group, in any program
  std::size_t local_bytes_opt_in = 0;  // in a program that asks for more
  std::size_t group_limit = 1, processors = 1;
  std::uint32_t warp = 32;
};

/// In the driver's order. Where there is none, `reason` says why.
std::vector<cuda_device> find_cuda_devices(const cuda_driver&, std::string& reason);

/// What to compile for: "sm_90" where NVRTC knows the device's architecture, else "compute_..." of
/// the newest that it knows, for the driver to finish. Empty where the device is too old for it, or
/// has clusters and NVRTC knows of none.
std::string architecture_for(int capability, const std::vector<int>& known);

/// Whether code for an architecture ("sm_90") may use clusters: groups that run at the same time
/// and wait for one another. Every such device runs clusters of groups_of_cluster groups.
bool has_clusters(std::string_view architecture);
bool has_clusters(int capability);

/// Why the device cannot be used with that NVRTC; empty where it can.
std::string why_not(const cuda_device&, const nvrtc&);

}  // namespace tropic::detail
