// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory counted by the context's account.

#include <cstddef>
#include <utility>

#include "containers/context_state.hpp"

namespace tropic::detail::on_cpu {

class counted_memory {
 public:
  counted_memory() = default;
  counted_memory(context_state& context, std::size_t bytes)
      : context_(&context),
        block_(bytes == 0 ? nullptr : context.account.allocate_host(bytes)),
        bytes_(bytes) {}
  ~counted_memory() { release(); }
  counted_memory(counted_memory&& other) noexcept { swap(other); }
  counted_memory& operator=(counted_memory&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class T = std::byte>
  T* as() const {
    return static_cast<T*>(block_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(counted_memory& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
  }
  void release() noexcept {
    if (block_ != nullptr) context_->account.deallocate_host(block_, bytes_);
    block_ = nullptr;
    bytes_ = 0;
  }

  context_state* context_ = nullptr;
  void* block_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tropic::detail::on_cpu
