// SPDX-License-Identifier: Apache-2.0
#include "backends/device/device_context.hpp"

#include <algorithm>

namespace tropic::detail {

buffer_pointer device_context::allocate(std::size_t bytes) const {
  return make_buffer(context(), bytes);
}

const void* device_context::read(const buffer_pointer& b) const {
  return b == nullptr || b->bytes() == 0 ? runtime_->nothing() : b->device();
}
void* device_context::write(const buffer_pointer& b, access mode) const {
  return b == nullptr || b->bytes() == 0 ? runtime_->nothing() : b->device_write(mode);
}

std::size_t device_context::group_size(std::size_t wanted) const {
  return traits().group_within(wanted);
}

std::size_t device_context::groups_over(std::uint64_t n, std::size_t group,
                                        std::size_t max_per_processor) const {
  return std::clamp<std::size_t>((n + group - 1) / group, 1,
                                 max_per_processor * traits().processors);
}

void device_context::launch_over(std::uint64_t n, std::string_view operation,
                                 const compiled_program& program, const char* kernel,
                                 std::span<const kernel_argument> list) const {
  if (n == 0) return;
  const std::size_t group = std::min<std::size_t>(128, traits().group_limit);
  runtime_->launch(operation, program, kernel, list, groups_over(n, group, 64), group);
}

void device_context::log_once(const std::string& message) {
  {
    const std::lock_guard lock(logged_mutex_);
    if (!logged_.insert(message).second) return;
  }
  context_.log(message);  // without the lock: a callback may use the context
}

}  // namespace tropic::detail
