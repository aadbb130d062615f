// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instantiates the products of sparse and full matrices for every built-in semiring over one type,
// in the files spmm_TYPE.cpp (see instantiate.hpp).

#include <tropic/detail/cpu/builtin_kernels.hpp>
#include <tropic/detail/cpu/spmm_kernels.hpp>

// Semirings that sum indices have the same loops over every type (loops_of): spmm_int64.cpp
// instantiates them for all.
#define TROPIC_DETAIL_SPMM_OF_INDICES(declared, monoid)                             \
  declared template std::size_t                                                     \
  spmm_on_cpu::full<semiring<monoid<index_t>, first_j, index_t, index_t>, false>(   \
      const spmm_arguments&, std::size_t, std::size_t, std::size_t, std::size_t);   \
  declared template std::size_t                                                     \
  spmm_on_cpu::bitmap<semiring<monoid<index_t>, first_j, index_t, index_t>, false>( \
      const spmm_arguments&, std::size_t, std::size_t, std::size_t, std::size_t);
namespace tropic::detail {
TROPIC_DETAIL_SPMM_OF_INDICES(extern, any_monoid)
TROPIC_DETAIL_SPMM_OF_INDICES(extern, minimum_monoid)
}  // namespace tropic::detail

#define TROPIC_DETAIL_INSTANTIATE_SPMM(semiring_name) \
  template struct cpu_spmm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>;
#define TROPIC_INSTANTIATE_SPMM(for_each_semiring)  \
  namespace tropic::detail {                        \
  for_each_semiring(TROPIC_DETAIL_INSTANTIATE_SPMM) \
  }
