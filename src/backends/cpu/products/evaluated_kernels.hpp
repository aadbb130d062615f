// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tropic/detail/cpu_kernels.hpp>

namespace tropic::detail {

/// The product kernels for semirings that are not instantiated: those given as text at run time.
/// [0]: mxv, [1]: vxm, as of all tables.
extern const cpu_kernel_table evaluated_kernels[2];

/// For the following kernels: u_indices and u are the entries of a sparse u, `u_count` of them.
struct sparse_input : product_arguments {
  std::size_t u_count = 0;
};
/// Pulls for any semiring from a sparse u; the arguments are a sparse_input. No array has the
/// length of u. Each step in a row's columns or in u's indices is a binary search in the other.
/// Sums are added in the same order as for a bitmap.
extern const cpu_kernel_table sparse_input_kernels[2];

/// The sum of all products for one output position.
struct sparse_sums {
  std::vector<std::uint32_t> indices;  // ascending
  std::vector<std::byte> values;
};
/// Pushes `u_count` entries without an array of the length of the output: products are sorted by
/// position and summed in the order of u.
sparse_sums push_into_list(const product_arguments&, std::size_t u_count, bool vector_first);

}  // namespace tropic::detail
