// SPDX-License-Identifier: Apache-2.0

// GraphBLAS.h included again after our header: its declarations stay extern "C".

// clang-format off
#include <tropic/interop/graphblas.hpp>
#include <tropic/tropic.hpp>
#if __has_include(<GraphBLAS.h>)
#include <GraphBLAS.h>
#else
#include <suitesparse/GraphBLAS.h>
#endif
// clang-format on

int entries_of_wrapped();  // graphblas_wrapped_first.cpp

int main() {
  if (GrB_init(GrB_BLOCKING) != GrB_SUCCESS) return 1;
  int found = 0;
  {
    tropic::vector<double> u(tropic::context::cpu(), 3, 1.0);
    const auto copied = tropic::graphblas::copy(u);
    GrB_Index entries = 0;
    if (GrB_Vector_nvals(&entries, copied) != GrB_SUCCESS) return 1;
    found = static_cast<int>(entries) + entries_of_wrapped();
  }
  GrB_finalize();
  return found == 5 ? 0 : 1;
}
