// SPDX-License-Identifier: Apache-2.0

// GraphBLAS is initialised once for the whole program, with an allocator that fails on demand.

#include <gtest/gtest.h>

#include <cstdlib>
#include <tropic/interop/graphblas.hpp>

#include "interop/failing_allocations.hpp"

namespace {

using tropic::testing::allocations::foreign_fails;

void* allocate(std::size_t bytes) {
  return foreign_fails() ? nullptr : std::malloc(bytes);
}
void* allocate_zeros(std::size_t count, std::size_t bytes) {
  return foreign_fails() ? nullptr : std::calloc(count, bytes);
}
void* reallocate(void* block, std::size_t bytes) {
  return foreign_fails() ? nullptr : std::realloc(block, bytes);
}
void release(void* block) {
  std::free(block);
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (GxB_init(GrB_NONBLOCKING, allocate, allocate_zeros, reallocate, release) != GrB_SUCCESS)
    return 1;
  tropic::graphblas::use_memory_functions({allocate, release});
  const int result = RUN_ALL_TESTS();
  GrB_finalize();
  return result;
}
