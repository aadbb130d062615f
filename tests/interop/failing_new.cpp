// SPDX-License-Identifier: Apache-2.0
#include "interop/failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace tropic::testing::allocations {
namespace {

std::atomic<long> countdown{-1};
std::atomic<bool> failed{false};

void* allocate(std::size_t bytes) {
  if (countdown >= 0 && countdown-- == 0) {
    countdown = -1;
    failed = true;
    return nullptr;
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

void fail_new_after(long allocations) {
  failed = false;
  countdown = allocations;
}
bool new_has_failed() {
  return failed;
}

}  // namespace tropic::testing::allocations

// All forms except those for over-aligned types, which are not used here. Weak: a thread sanitizer
// links its own into the program, and none fails there (the preset excludes those tests).
#define REPLACES [[gnu::weak]]
REPLACES void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return tropic::testing::allocations::allocate(bytes);
}
REPLACES void* operator new[](std::size_t bytes, const std::nothrow_t& no) noexcept {
  return operator new(bytes, no);
}
REPLACES void* operator new(std::size_t bytes) {
  void* result = operator new(bytes, std::nothrow);
  if (result == nullptr) throw std::bad_alloc();
  return result;
}
REPLACES void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
REPLACES void operator delete(void* block) noexcept {
  std::free(block);
}
REPLACES void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
REPLACES void operator delete(void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
REPLACES void operator delete[](void* block) noexcept {
  std::free(block);
}
REPLACES void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
REPLACES void operator delete[](void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
