// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instantiates the products of sparse and full matrices for every built-in semiring over one type,
// in the files spmm_TYPE.cpp (see instantiate.hpp).

#include <tropic/detail/builtin_kernels.hpp>
#include <tropic/detail/cpu_spmm_kernels.hpp>

#define TROPIC_DETAIL_INSTANTIATE_SPMM(semiring_name) \
  template struct cpu_spmm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>;
#define TROPIC_INSTANTIATE_SPMM(each)  \
  namespace tropic::detail {           \
  each(TROPIC_DETAIL_INSTANTIATE_SPMM) \
  }
