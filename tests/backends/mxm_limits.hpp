// SPDX-License-Identifier: Apache-2.0
#pragma once

// The limits by which a device divides products of sparse matrices, for tests that lower them.

#include "backends/device/backend.hpp"
#include "containers/context_state.hpp"

namespace tropic::testing {

/// Null if the context has no device.
inline detail::mxm_limits* mxm_limits_of(const context& where) {
  auto* device = dynamic_cast<detail::device_backend*>(where.state()->executor.get());
  return device == nullptr ? nullptr : &device->products().limits_of_mxm();
}

/// So low that a few dozen entries cross every boundary.
inline detail::mxm_limits low_mxm_limits() {
  return {.few = {2, 4, 3},
          .some = {4, 16, 11},
          .table_group = 16,
          .bit_group = 32,
          .bit_words = 32,
          .tile = 5};
}

}  // namespace tropic::testing
