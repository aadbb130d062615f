// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU's kernels of products of a sparse and a full matrix for one semiring, as the library
// calls them. What they do is in cpu/spmm_kernels.hpp; everything that does not touch values is in
// src/backends/cpu/spmm.

#include <cstddef>
#include <cstdint>

#include <tropic/detail/cpu/mxm_table.hpp>

namespace tropic::detail {

/// C = A B with a full B, both row-major. Where the full matrix is the first operand of the
/// multiply, B and C are the transposes of the caller's.
struct spmm_arguments {
  const semiring_description* semiring = nullptr;
  csr_arrays a;
  bool a_is_plain = false;  // integers: from 0 to below the largest; floating: no NaN
  const void* b = nullptr;
  std::size_t leading = 0;                  // elements between rows of b
  const std::uint8_t* b_present = nullptr;  // `bitmap`; rows are `columns` apart
  const std::uint8_t* b_rows = nullptr;     // `bitmap`: 0 for rows of B without entries
  const std::uint8_t* skip = nullptr;       // positions of C not to compute (non-zero); null: none
  std::size_t columns = 0;                  // of B and C
  void* c = nullptr;
  std::uint8_t* c_present = nullptr;  // null where every position gets an entry
};

struct cpu_spmm_kernel_table {
  /// Rows [begin, end) and columns [first, last) of C: writes c and c_present, and returns how many
  /// positions got an entry.
  using rows = std::size_t (*)(const spmm_arguments&, std::size_t begin, std::size_t end,
                               std::size_t first, std::size_t last);
  // [0]: multiply(a, b). [1]: multiply(b, a).
  rows full[2];
  rows bitmap[2];
  bool asks_for_plain;  // `full` is faster with spmm_arguments::a_is_plain
};

/// Instantiated by cpu/spmm_kernels.hpp: in the library for the built-ins, in the user's program
/// for his own.
template <semiring_type S>
struct cpu_spmm_kernels {
  static const cpu_spmm_kernel_table table;
};

}  // namespace tropic::detail
