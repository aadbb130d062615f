// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts about a matrix that the pull kernels use, found once and kept with it: whether its values
// are equal, whether none of them needs a rule, whether its columns are scattered, which rows have
// entries.

#include <cstddef>
#include <cstdint>

#include <tropic/detail/containers.hpp>

#include "backends/cpu/memory_side.hpp"

namespace tropic::detail::on_cpu {

/// Whether `count` values of `bytes` bytes at `values` are the same bytes. Ends at the first that
/// differs.
bool are_equal(const void* values, std::size_t bytes, std::size_t count);

/// Whether all values of m are the same bytes; `values`: m's. Kept with the matrix.
bool has_equal_values(const matrix_base& m, const void* values);

/// Whether no value of m needs a rule: integers from 0 to below the largest of their type, floating
/// values that are not NaN. Kept with the matrix.
bool has_plain_values(const matrix_base& m, const void* values, int threads);

/// Whether loads of u(columns[e]), entry by entry, often miss a cache of 32 KB: by simulation of a
/// sample of the entries. `columns`: m's. Kept with the matrix.
bool has_scattered_columns(const matrix_base& m, const std::uint32_t* columns);

/// A flag for each row of m: whether it has entries. The array is kept with the matrix, and results
/// whose entries are those rows share it.
buffer_pointer rows_with_entries(const memory_side& here, const matrix_base& m);

}  // namespace tropic::detail::on_cpu
