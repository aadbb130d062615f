// SPDX-License-Identifier: Apache-2.0

// GraphBLAS.h included first, as C.

// clang-format off
#include <complex.h>
#include <complex>
extern "C" {
#if __has_include(<GraphBLAS.h>)
#include <GraphBLAS.h>
#else
#include <suitesparse/GraphBLAS.h>
#endif
}
#include <tropic/interop/graphblas.hpp>
#include <tropic/tropic.hpp>
// clang-format on

int entries_of_wrapped() {
  tropic::vector<float> u(tropic::context::cpu(), 2, 1.0f);
  const auto copied = tropic::graphblas::copy(u);
  GrB_Index entries = 0;
  return GrB_Vector_nvals(&entries, copied) == GrB_SUCCESS ? static_cast<int>(entries) : -1;
}
