// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/cpu/counted_memory.hpp"

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

/// The products of a push of `u_count` entries without an array of the length of the output: sorted
/// by position, and summed in the order of u. Memory: 16 bytes and a value for each product.
class listed_products {
 public:
  /// Throws out_of_memory, cancelled.
  listed_products(context_state&, const product_arguments&, std::size_t u_count, bool vector_first);
  /// How many have a sum.
  std::size_t positions() const { return positions_; }
  /// Writes the positions, ascending, and their sums.
  void sum(std::uint32_t* positions, std::byte* sums) const;

 private:
  struct listed {
    std::uint32_t position;
    std::size_t number;  // of the product, in the order of u
  };

  const operator_description& add_;
  const std::size_t bytes_;
  std::size_t count_ = 0, positions_ = 0;
  on_cpu::counted_memory order_, products_;
};

}  // namespace tropic::detail
