// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix whose single entries can be set and removed. CSR has no room between its entries, so a
// change is first noted, in constant time, and all that are noted are merged into the arrays when
// they are next read: n changes and a read cost O(n log n + rows + entries), not n times
// the entries. The last change of a position is the one that counts.

#include <atomic>
#include <memory>
#include <mutex>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

class noted_changes;  // src/containers/changes.cpp

/// Functions that are const may be called by several threads at once: the first one merges, the
/// others wait for it. A merge that runs out of memory throws and leaves entries and notes as they
/// were.
///
/// One that was moved from is a 0x0 matrix without entries.
class TROPIC_API changeable_matrix {
 public:
  changeable_matrix();
  explicit changeable_matrix(matrix_base base);
  /// Merges what is noted in `from` first, so that both share the arrays.
  changeable_matrix(const changeable_matrix& from);
  changeable_matrix(changeable_matrix&& from) noexcept;
  changeable_matrix& operator=(const changeable_matrix& from);
  changeable_matrix& operator=(changeable_matrix&& from) noexcept;
  ~changeable_matrix();

  /// The matrix, nothing left to merge, good until the next change. Throws out_of_memory.
  const matrix_base& base() const {
    if (stale_.load(std::memory_order_acquire)) settle();
    return base_;
  }
  matrix_base& base() {
    if (stale_.load(std::memory_order_acquire)) settle();
    return base_;
  }
  /// What no change concerns: its context and type, rows and columns.
  const context_pointer& context() const { return base_.context; }
  const type_description& type() const { return *base_.type; }
  index_t rows() const { return base_.rows; }
  index_t columns() const { return base_.columns; }

  /// An entry of that value at (i, j). Throws usage_error past the end, out_of_memory.
  void set(index_t i, index_t j, const void* value) { note(i, j, value); }
  /// No entry at (i, j), whether there was one or not.
  void remove(index_t i, index_t j) { note(i, j, nullptr); }
  /// The value at (i, j), or false. Looks at what is noted and merges nothing.
  bool element(index_t i, index_t j, void* value) const;

 private:
  void note(index_t i, index_t j, const void* value);
  void settle() const;

  mutable matrix_base base_;
  mutable std::unique_ptr<noted_changes> noted_;  // null before the first change
  // Whether something is noted, or the matrix was moved from and has no arrays.
  mutable std::atomic<bool> stale_{false};
  mutable std::mutex mutex_;  // of const functions while it is stale
};

}  // namespace tropic::detail
