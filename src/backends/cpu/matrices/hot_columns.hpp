// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pulls over a matrix whose columns have very different numbers of entries: with the columns
// numbered in groups of descending frequency, the elements of u that are read most often are
// adjacent, and stay in the cache of a processor ("frequency based clustering", Zhang, Kiriansky,
// Mendis, Amarasinghe and Zaharia, "Making caches work for graph analytics", IEEE Big Data 2017).
// Entries keep their order within a row, so sums do not change by a bit. On the CPU alone; a plan
// for a device sorts columns, too (src/permute/hot_columns.hpp).

#include <chrono>
#include <cstddef>
#include <memory>

#include "backends/cpu/memory_side.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail::on_cpu {

/// A pull that may use hot numbers. They are kept with the matrix from the third call on. Calls
/// with and without them take turns then, until their times show which are faster on this machine.
class hot_call {
 public:
  /// The numbers for this call, or null: where they would not save enough loads from memory, where
  /// there is no memory for them, or where calls without them are faster or due. `kind`:
  /// call_trial. A call costs nothing once it is known that they do not pay.
  const hot_numbers* begin(const memory_side& here, const matrix_base& m, const void* kind);
  /// After the pull: its time counts.
  void end();

 private:
  std::shared_ptr<derived_copies> kept_;
  std::shared_ptr<const hot_numbers> numbers_;
  const void* kind_ = nullptr;
  call_way way_ = call_way::usual;
  std::chrono::steady_clock::time_point start_;
};

/// to[k] = u[order[k]] for all columns; elements of `bytes` bytes.
void gather_hot(const memory_side& here, const hot_numbers& hot, const std::byte* u,
                std::size_t count, std::size_t bytes, std::byte* to);

}  // namespace tropic::detail::on_cpu
