// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program that the driver has loaded, and those of its kernels that were launched.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/runtime.hpp"

namespace tropic::detail {

struct cuda_runtime::kernel {
  cu_function function = nullptr;
  std::size_t local_space = 48 << 10;  // bytes that a launch may ask for
  /// The sizes of its parameters, if the driver reports them.
  std::optional<std::vector<std::size_t>> parameters{};

  /// The driver copies as many bytes as the kernel's parameters have, whatever it is given: how the
  /// arguments are not of these sizes, or nothing.
  std::string mismatch(std::span<const kernel_argument> arguments) const;
};

struct cuda_runtime::loaded_program : compiled_program {
  loaded_program(const cuda_driver& driver, cu_context where, cu_module loaded)
      : cuda(driver), context(where), module(loaded) {}
  ~loaded_program() override;
  loaded_program(const loaded_program&) = delete;
  loaded_program& operator=(const loaded_program&) = delete;

  const cuda_driver& cuda;
  cu_context context;
  cu_module module;
  mutable std::map<std::string, kernel, std::less<>> kernels;  // under the runtime's launch_mutex_
};

}  // namespace tropic::detail
