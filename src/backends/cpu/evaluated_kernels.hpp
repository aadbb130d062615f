// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tropic/detail/cpu_kernels.hpp>

namespace tropic::detail {

/// The product kernels of semirings that no program has instantiated: given as text at run time.
extern const cpu_kernel_table evaluated_kernels;

/// Of the kernels that follow: u_indices and u are the entries of a sparse u, `u_count` of them.
struct sparse_input : product_arguments {
  std::size_t u_count = 0;
};
/// Pulls for any semiring from a sparse u, by arguments that are a sparse_input: no array is as
/// long as u. Each step of a row's columns or of u's indices is a binary search in the other. The
/// same sums in the same order as from a bitmap.
extern const cpu_kernel_table sparse_input_kernels;

/// The sum of all products for one position of the output.
struct sparse_sums {
  std::vector<std::uint32_t> indices;  // ascending
  std::vector<std::byte> values;
};
/// A push of `u_count` entries that makes no array as long as the output: products are sorted by
/// position and summed in the order of u.
sparse_sums push_into_list(const product_arguments&, std::size_t u_count, bool vector_first);

}  // namespace tropic::detail
