// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backends/device/runtime.hpp"

namespace tropic::detail {

/// The runtime's memory, as a context owns it.
class device_memory : public memory_resource {
 public:
  explicit device_memory(std::shared_ptr<device_runtime> runtime) : runtime_(std::move(runtime)) {}
  void* allocate(std::size_t bytes) override { return runtime_->allocate(bytes); }
  void deallocate(void* handle, std::size_t bytes) noexcept override {
    runtime_->deallocate(handle, bytes);
  }
  void to_device(void* handle, const void* from, std::size_t bytes) override {
    runtime_->to_device(handle, from, bytes);
  }
  void to_host(void* to, const void* handle, std::size_t bytes) override {
    runtime_->to_host(to, handle, bytes);
  }
  void require_own(const void* handle, std::size_t bytes, std::size_t alignment) const override {
    runtime_->require_own(handle, bytes, alignment);
  }
  void settle() noexcept override { runtime_->settle(); }
  void settle_device() noexcept override { runtime_->settle_device(); }
  void precede(void* queue) override { runtime_->precede(queue); }

  device_runtime& runtime() const { return *runtime_; }

 private:
  std::shared_ptr<device_runtime> runtime_;
};

}  // namespace tropic::detail
