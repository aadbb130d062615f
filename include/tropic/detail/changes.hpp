// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix whose single entries can be set and removed. CSR has no room between its entries, so a
// change is recorded in constant time, and all recorded changes are merged into the arrays when
// they are next read: n changes and a read cost O(n log n + rows + entries), not n times the
// entries. The last change of a position counts.

#include <memory>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

struct pending_changes;  // src/containers/changes.cpp

/// Several threads may call const functions at once: the first one merges, the others wait for it.
/// A merge that runs out of memory throws and leaves entries and recorded changes as they were.
///
/// A moved-from object is a 0x0 matrix without entries.
class TROPIC_API changeable_matrix {
 public:
  changeable_matrix();
  explicit changeable_matrix(matrix_base base);
  /// Merges the changes recorded in `from` first, so that both share the arrays.
  changeable_matrix(const changeable_matrix& from);
  changeable_matrix(changeable_matrix&& from) noexcept;
  changeable_matrix& operator=(const changeable_matrix& from);
  changeable_matrix& operator=(changeable_matrix&& from) noexcept;
  ~changeable_matrix();

  /// The matrix with all changes merged, valid until the next change. Throws out_of_memory.
  const matrix_base& base() const {
    if (pending_ != nullptr) settle();
    return base_;
  }
  matrix_base& base() {
    if (pending_ != nullptr) settle_alone();
    return base_;
  }
  /// Not affected by changes: context and type, rows and columns.
  const context_pointer& context() const { return base_.context; }
  const type_description& type() const { return *base_.type; }
  index_t rows() const { return base_.rows; }
  index_t columns() const { return base_.columns; }

  /// Sets the entry at (i, j). Throws usage_error past the end, out_of_memory.
  void set(index_t i, index_t j, const void* value) { record(i, j, value); }
  /// Removes the entry at (i, j), if there is one.
  void remove(index_t i, index_t j) { record(i, j, nullptr); }
  /// Copies the value at (i, j) to `value`; false if there is no entry. Includes recorded changes
  /// and merges nothing.
  bool element(index_t i, index_t j, void* value) const;

 private:
  void record(index_t i, index_t j, const void* value);
  void settle() const;
  void settle_alone();

  mutable matrix_base base_;
  /// Null: no change is recorded, and base_ has its arrays. No const function replaces it.
  std::shared_ptr<pending_changes> pending_;
};

}  // namespace tropic::detail
