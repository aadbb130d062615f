// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "backends/graphblas/support.hpp"

// GraphBLAS is initialised once for the whole program.
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const int result = RUN_ALL_TESTS();
  GrB_finalize();
  return result;
}
