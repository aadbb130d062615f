// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device for tests: its memory is host memory, but behind explicit copies, and filled with poison
// when allocated. Code that reads the wrong copy, or omits a copy, computes wrong results.

#include <cstdlib>
#include <cstring>
#include <new>

#include <tropic/error.hpp>

#include "containers/memory/machine_memory.hpp"
#include "containers/memory/memory.hpp"

namespace tropic::detail {

class fake_memory : public memory_resource {
 public:
  void* allocate(std::size_t bytes) override {
    void* block = bytes > machine_memory() ? nullptr : std::malloc(bytes);
    if (block == nullptr) throw out_of_memory(bytes, available_memory(), "fake device");
    std::memset(block, 0xa5, bytes);
    return block;
  }
  void deallocate(void* handle, std::size_t bytes) noexcept override {
    std::memset(handle, 0x5a, bytes);
    std::free(handle);
  }
  void to_device(void* handle, const void* from, std::size_t bytes) override {
    std::memcpy(handle, from, bytes);
  }
  void to_host(void* to, const void* handle, std::size_t bytes) override {
    std::memcpy(to, handle, bytes);
  }
};

}  // namespace tropic::detail
