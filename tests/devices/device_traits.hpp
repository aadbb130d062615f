// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/device/runtime.hpp"

namespace tropic::detail {

/// The properties of an NVIDIA GPU, for tests of kernel selection and generated text.
inline device_traits gpu_traits() {
  return {.name = "a GPU",
          .language = dialect::cuda,
          .fp64 = true,
          .atomics_64 = true,
          .local_bytes = 48 << 10,
          .most_local_bytes = 227 << 10,
          .group_limit = 1024,
          .processors = 132,
          .subgroup_size = 32,
          .exchange = subgroup_exchange::shuffle};
}

}  // namespace tropic::detail
