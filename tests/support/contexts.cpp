// SPDX-License-Identifier: Apache-2.0
#include "support/contexts.hpp"

#include <tropic/error.hpp>

#include "backends/backend.hpp"
#include "containers/context_state.hpp"

namespace tropic::testing {

const std::vector<std::string>& context_names() {
  static const std::vector<std::string> names{"reference",   "cpu_1",    "cpu_2", "cpu_3",
                                              "fake_device", "opencl_0", "cuda_0"};
  return names;
}

found_context make_context(const std::string& name, context_options options) {
  options.threads = name == "cpu_1" ? 1 : name == "cpu_3" ? 3 : 2;
  try {
    if (name == "reference") return {std::make_unique<context>(context::reference(options)), ""};
    if (name == "fake_device")
      return {std::make_unique<context>(context::fake_device(options)), ""};
    if (name == "cuda_0") return {std::make_unique<context>(context::cuda(0, options)), ""};
    if (name == "opencl_0") return {std::make_unique<context>(context::opencl(0, options)), ""};
    return {std::make_unique<context>(context::cpu(options)), ""};
  } catch (const device_error& e) {
    return {nullptr, e.what()};
  }
}

bool is_on_pocl(const context& where) {
  for (const device_info& device : devices())
    if (device.name == where.name())
      return device.description.find("Portable Computing Language") != std::string::npos;
  return false;
}

std::vector<std::string> kernels_under_test(const context& where) {
  const auto& executor = *where.state()->executor;
  const auto takes = [&executor](const std::string& kernel) {
    try {
      return executor.find_kernel(kernel) != nullptr;
    } catch (const usage_error&) {
      return false;
    }
  };
  // With a subgroup size only if the hardware allows a choice.
  const auto with = [&takes](const std::string& name, const char* constants, const char* fixed) {
    return name + ":" + (takes(name + ":" + constants) ? constants : fixed);
  };
  std::vector<std::string> all;
  for (const detail::kernel_info* kernel : executor.kernels()) {
    const std::string name(kernel->name);
    if (name == "csr_segmented" || name == "coo") {
      // Small tiles and groups, and both ways to join groups if the device has both.
      const std::string tile =
          with(name, "subgroup=8,items=2,tiles=2", "subgroups=2,items=2,tiles=2");
      all.push_back(tile);
      if (takes(tile + ",join=tickets")) all.push_back(tile + ",join=launch");
      if (name == "coo") continue;
      for (const char* variant : {",rows=speculate", ",rows=speculate,check=host"})
        all.push_back(tile + variant);
    } else if (name == "cmrs") {
      // Strips of an odd height, which is no multiple of the number of lanes.
      all.push_back(with(name, "subgroup=8,height=3", "height=3"));
    } else if (name == "cmrs_padded") {
      // More rows than lanes, and padding at any cost.
      all.push_back(with(name, "subgroup=8,height=11,slots=2,overhead=1024",
                         "height=11,slots=2,overhead=1024"));
    } else if (name == "csr_hubs") {
      // Small parts, so that matrices have entries in several of them and in none.
      all.push_back(name + ":hubs=32,parts=2");
    } else if (name == "csr_bits") {
      // Few bits in local memory, so that matrices have columns beyond, in their order by
      // frequency.
      all.push_back(name + ":bits=256");
    } else if (name == "csr_listed") {
      // Rows of more than 32 entries are in pieces.
      all.push_back(with(name, "subgroup=8,piece=32", "piece=32"));
    } else if (name == "csr_blocked") {
      // Blocks with few entries.
      all.push_back(with(name, "subgroup=8,block=4x16,fill=10", "block=4x16,fill=10"));
    } else {
      all.push_back(name);
    }
  }
  return all;
}

}  // namespace tropic::testing
