// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pulls over a matrix whose columns have very different numbers of entries: with the columns
// numbered in groups of descending frequency, the elements of u that are read most often are
// adjacent, and stay in the cache of a processor ("frequency based clustering", Zhang, Kiriansky,
// Mendis, Amarasinghe and Zaharia, "Making caches work for graph analytics", IEEE Big Data 2017).
// Entries keep their order within a row, so sums do not change by a bit. On the CPU alone; a plan
// for a device sorts columns, too (src/permute/hot_columns.hpp).

#include <memory>

#include "backends/cpu/memory_side.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail::on_cpu {

/// Kept with the matrix from the third call on; null before, and where it would not save enough
/// loads from memory or there is no memory for it. A call costs nothing once that is known.
std::shared_ptr<const hot_numbers> hot_numbers_of(const memory_side& here, const matrix_base& m);

/// to[k] = u[order[k]] for all columns; elements of `bytes` bytes.
void gather_hot(const memory_side& here, const hot_numbers& hot, const std::byte* u,
                std::size_t count, std::size_t bytes, std::byte* to);

}  // namespace tropic::detail::on_cpu
