// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of imports and exports of arrays, on the host (arrays.cpp) and on a device
// (exported_arrays.cpp).

#include <limits>
#include <string>

#include <tropic/detail/arrays.hpp>

#include "operations/checks.hpp"

namespace tropic::detail {

inline constexpr std::size_t largest_int32 = std::numeric_limits<std::int32_t>::max();

inline void require_device(const context_state& context) {
  if (context.device_memory == nullptr)
    throw usage_error("arrays on a device: " + context.name +
                      " has no memory but the host's; give host arrays, or take a context of "
                      "that device");
}

inline void check_fits(index_type type, index_t largest, const char* what) {
  if (type.bytes == 4 && largest > 0 &&
      static_cast<std::uint64_t>(largest) >
          (type.is_signed ? largest_int32 : std::numeric_limits<std::uint32_t>::max()))
    throw usage_error("matrix: " + std::string(what) + " up to " + std::to_string(largest) +
                      ", more than " + (type.is_signed ? "int32" : "uint32") + " can hold");
}

}  // namespace tropic::detail
