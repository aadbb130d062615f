// SPDX-License-Identifier: Apache-2.0
#include "interop/graphblas_allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <tropic/interop/graphblas.hpp>

namespace tropic::testing::allocations {
namespace {

std::atomic<long> countdown[2] = {-1, -1};
std::atomic<bool> failed{false};

bool fails(kind which) {
  std::atomic<long>& left = countdown[static_cast<int>(which)];
  if (left < 0 || left-- != 0) return false;
  left = -1;
  failed = true;
  return true;
}

void* allocate(std::size_t bytes) {
  return fails(kind::graphblas) ? nullptr : std::malloc(bytes);
}
void* allocate_zeros(std::size_t count, std::size_t bytes) {
  return fails(kind::graphblas) ? nullptr : std::calloc(count, bytes);
}
void* reallocate(void* block, std::size_t bytes) {
  return fails(kind::graphblas) ? nullptr : std::realloc(block, bytes);
}
void release(void* block) {
  std::free(block);
}

}  // namespace

void fail_after(kind which, long allocations) {
  failed = false;
  countdown[static_cast<int>(which)] = allocations;
}
bool stop_failing() {
  for (std::atomic<long>& left : countdown) left = -1;
  return failed;
}

}  // namespace tropic::testing::allocations

// All forms but those of over-aligned types, which are nobody's here.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  using namespace tropic::testing::allocations;
  return fails(kind::operator_new) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& no) noexcept {
  return operator new(bytes, no);
}
void* operator new(std::size_t bytes) {
  void* made = operator new(bytes, std::nothrow);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}

// GraphBLAS is started once for the whole program.
int main(int argc, char** argv) {
  using namespace tropic::testing;
  ::testing::InitGoogleTest(&argc, argv);
  if (GxB_init(GrB_NONBLOCKING, allocations::allocate, allocations::allocate_zeros,
               allocations::reallocate, allocations::release) != GrB_SUCCESS)
    return 1;
  tropic::graphblas::use_memory_functions({allocations::allocate, allocations::release});
  const int result = RUN_ALL_TESTS();
  GrB_finalize();
  return result;
}
