// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instantiates the products of matrices for every built-in semiring over one type, in the
// files mxm_TYPE.cpp (see instantiate.hpp).

#include <tropic/detail/cpu/builtin_kernels.hpp>
#include <tropic/detail/cpu/mxm_kernels.hpp>

#define TROPIC_DETAIL_INSTANTIATE_MXM(semiring_name) \
  template struct cpu_mxm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>;
#define TROPIC_INSTANTIATE_MXM(for_each_semiring)  \
  namespace tropic::detail {                       \
  for_each_semiring(TROPIC_DETAIL_INSTANTIATE_MXM) \
  }
