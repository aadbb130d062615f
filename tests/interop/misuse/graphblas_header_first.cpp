// SPDX-License-Identifier: Apache-2.0
// expect: tropic: GraphBLAS.h of this version does not say that it is C
#if __has_include(<GraphBLAS.h>)
#include <GraphBLAS.h>
#else
#include <suitesparse/GraphBLAS.h>
#endif

#include <tropic/interop/graphblas.hpp>
#include <tropic/tropic.hpp>
