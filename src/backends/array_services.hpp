// SPDX-License-Identifier: Apache-2.0
#pragma once

// What containers ask of a backend: checks and conversions of their arrays where these are, and the
// state of the device.

#include <cstddef>
#include <optional>

#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>

#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail {

class array_services {
 public:
  virtual ~array_services() = default;

  /// For a matrix whose arrays the user put on the device: completes longest_row and empty_rows;
  /// unless `trusted`, checks offsets and columns.
  virtual void examine(matrix_base& m, const csr_words& words, bool trusted);
  /// Indices of 64 bits on the device as indices of 32. Throws usage_error if one is not below
  /// `limit`; `what` they are called in its message.
  virtual buffer_pointer narrowed(const context_pointer&, const buffer_pointer& wide,
                                  std::size_t count, index_t limit, const char* what);
  /// Equal to what the host makes (src/permute/hot_columns.hpp); nothing if the host should.
  virtual std::optional<hot_columns> to_hot_columns(const matrix_base&) { return {}; }

  /// Under memory pressure: frees host memory that is kept for later calls and not in use. Returns
  /// the number of bytes.
  virtual std::size_t release_idle() { return 0; }

  /// Waits for all that was enqueued. Throws device_error if any of it failed.
  virtual void synchronize() {}
  /// So far; zeros if the device is the host.
  virtual device_traffic traffic() const { return {}; }
};

}  // namespace tropic::detail
