// SPDX-License-Identifier: Apache-2.0
#include "interop/graphblas_allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include <tropic/interop/graphblas.hpp>

#include "interop/failing_new.hpp"

namespace tropic::testing::allocations {
namespace {

std::atomic<long> countdown{-1};
std::atomic<bool> failed{false};

bool fails() {
  if (countdown < 0 || countdown-- != 0) return false;
  countdown = -1;
  failed = true;
  return true;
}

void* allocate(std::size_t bytes) {
  return fails() ? nullptr : std::malloc(bytes);
}
void* allocate_zeros(std::size_t count, std::size_t bytes) {
  return fails() ? nullptr : std::calloc(count, bytes);
}
void* reallocate(void* block, std::size_t bytes) {
  return fails() ? nullptr : std::realloc(block, bytes);
}
void release(void* block) {
  std::free(block);
}

}  // namespace

void fail_after(kind which, long allocations) {
  failed = false;
  countdown = which == kind::graphblas ? allocations : -1;
  fail_new_after(which == kind::operator_new ? allocations : -1);
}
bool stop_failing() {
  const bool any = failed || new_has_failed();
  fail_after(kind::graphblas, -1);
  return any;
}

}  // namespace tropic::testing::allocations

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
