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
  return {.list_products = 2,
          .short_row = 3,
          .tables = {{{2, 4, 3}, {4, 16, 11}, {16, 32, 24}, {32, 128, 96}}},
          .tables_by_cost = false,
          .table_group = 16,
          .bit_group = 32,
          .bit_words = 32,
          .tile = 5,
          .range_bytes = 256,
          .long_row = 40,
          .long_share = 16};
}

}  // namespace tropic::testing
