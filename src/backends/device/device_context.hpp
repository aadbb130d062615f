// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the parts of the device backend share: the runtime of one device and the context that it
// works for.

#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cpu/memory_side.hpp"
#include "backends/device/runtime.hpp"
#include "containers/context_state.hpp"

namespace tropic::detail {

/// Arguments of a launch. They point to their values, which must outlive it.
using arguments = std::vector<kernel_argument>;

/// Work-groups of a launch at most: CUDA's limit in one dimension.
inline constexpr std::size_t largest_grid = (std::size_t{1} << 31) - 1;

class device_context {
 public:
  device_context(context_state& context, std::shared_ptr<device_runtime> runtime)
      : context_(context), runtime_(std::move(runtime)) {}

  device_runtime& runtime() const { return *runtime_; }
  const device_traits& traits() const { return runtime_->traits(); }
  context_state& state() const { return context_; }
  context_pointer context() const { return context_.shared_from_this(); }
  /// For the steps that run on the host.
  on_cpu::memory_side host_side() const { return {context_, true}; }

  buffer_pointer allocate(std::size_t bytes) const;
  /// A buffer as a kernel argument; the runtime's `nothing` if it is null or empty.
  const void* read(const buffer_pointer&) const;
  void* write(const buffer_pointer&, access mode = access::overwrite) const;

  /// The size of a work-group: `wanted`, halved until the device supports it.
  std::size_t group_size(std::size_t wanted) const;
  /// The number of groups for a work-item each of n: at least one, at most `max_per_processor` for
  /// every processor. Work-items take several in turn if that is fewer.
  std::size_t groups_over(std::uint64_t n, std::size_t group,
                          std::size_t max_per_processor = 8) const;
  /// Launches a work-item for each of n; for very large n, each takes several in turn.
  void launch_over(std::uint64_t n, std::string_view operation, const compiled_program&,
                   const char* kernel, std::span<const kernel_argument>) const;
  /// Bytes per second that a copy within the device's memory reads and writes; measured once.
  double copy_bandwidth();
  /// Logs a message the first time that it is passed.
  void log_once(const std::string& message);

 private:
  context_state& context_;
  std::shared_ptr<device_runtime> runtime_;
  std::mutex logged_mutex_;
  std::set<std::string> logged_;
  std::once_flag copy_measured_;
  double copy_bandwidth_ = 0;
};

}  // namespace tropic::detail
