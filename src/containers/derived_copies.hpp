// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is built from a matrix and kept with it: its transpose, other formats, inspections,
// plans, facts about its values.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/detail/containers.hpp>

#include "containers/call_trial.hpp"

namespace tropic::detail {

struct inspected_pattern;  // src/plan/inspection.hpp
struct remembered_plans;   // src/plan/planner.hpp

/// A matrix in another format, for one kernel: "padded:16", "row_indices".
struct converted_copy {
  std::vector<buffer_pointer> parts;
  double seconds = 0;       // of the conversion
  double overhead = 1;      // entries with padding / entries
  std::uint64_t words = 0;  // entries with padding; 0 for formats without padding

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const buffer_pointer& part : parts) sum += part->bytes();
    return sum;
  }
};

/// A matrix with its columns ordered by descending number of entries
/// (src/permute/hot_columns.hpp).
struct hot_columns {
  std::shared_ptr<const matrix_base> matrix;  // shares the offsets of the original
  buffer_pointer order;                       // m words: its column k was column order[k]
  double seconds = 0;                         // to build both

  std::size_t bytes() const;  // without the shared offsets
};

/// The columns of the entries by numbers in groups of descending frequency
/// (src/backends/cpu/matrices/hot_columns.hpp).
struct hot_numbers {
  buffer_pointer columns;  // of every entry, in the order of the matrix
  buffer_pointer order;    // m words: number k is column order[k]

  std::size_t bytes() const { return columns->bytes() + order->bytes(); }
};

/// Of a matrix (src/backends/cpu/matrices/matrix_facts.hpp).
enum class matrix_fact : std::uint8_t { unknown, holds, does_not_hold };

/// Conversions of a matrix, built when first requested, shared by its copies, evicted under memory
/// pressure. Replaced as a whole when the matrix changes.
struct derived_copies {
  std::mutex mutex;
  std::atomic<bool> building{false};  // a thread holds the mutex and builds a copy
  std::shared_ptr<const matrix_base> transpose;
  std::map<std::string, std::shared_ptr<const converted_copy>, std::less<>> formats;
  // Entries pushed so far without a transpose; once they outweigh building it, it is built.
  index_t pushed_without_transpose = 0;
  std::shared_ptr<const hot_columns> hot;
  buffer_pointer rows_with_entries;                           // a flag a row; vectors share it
  std::shared_ptr<const std::vector<std::size_t>> pull_cuts;  // first rows of the parts of a pull
  std::shared_ptr<const inspected_pattern> inspection;
  std::shared_ptr<const remembered_plans> plans;
  std::atomic<bool> has_plans{false};
  std::atomic<matrix_fact> equal_values{matrix_fact::unknown};
  std::atomic<matrix_fact> plain_values{matrix_fact::unknown};
  std::atomic<matrix_fact> scattered_columns{matrix_fact::unknown};
  std::atomic<matrix_fact> below_diagonal{matrix_fact::unknown};  // set by select, not searched for
  std::shared_ptr<const detail::hot_numbers> hot_numbers;
  std::atomic<matrix_fact> gains_by_hot_numbers{matrix_fact::unknown};
  std::atomic<std::uint32_t> scattered_pulls{0};
  call_trial hot_calls;  // with hot_numbers, the other way, or without
  // On a device: pulls since a format for them was last made (products/features.cpp).
  std::atomic<std::uint32_t> device_pulls{0};
  // By name: minima and maxima of all entries, numbers of algorithms.
  std::map<std::string, scalar_bytes, std::less<>> values;
};

/// The value that is kept under that name, or else what compute(value) writes, which is kept then;
/// false, and nothing kept, if that returns false. Threads that ask at the same time may all
/// compute it.
template <class Compute>
bool kept_value(derived_copies& kept, std::string_view name, scalar_bytes& value,
                Compute&& compute) {
  {
    const std::lock_guard lock(kept.mutex);
    if (const auto known = kept.values.find(name); known != kept.values.end()) {
      value = known->second;
      return true;
    }
  }
  if (!compute(value)) return false;
  const std::lock_guard lock(kept.mutex);
  kept.values.emplace(name, value);
  return true;
}

/// Registers `copies` with the context, which may evict them.
void remember_derived(context_state&, const std::shared_ptr<derived_copies>& copies);
/// Drops every conversion that is not in use; returns the number of bytes freed.
std::size_t evict_derived(context_state&);

}  // namespace tropic::detail
