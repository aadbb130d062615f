// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tropic/context.hpp>
#include <tropic/detail/arrays.hpp>
#include <tropic/error.hpp>

namespace tropic {

/// A sparse vector: `size` positions, some of which hold an entry. Copies are cheap (they share
/// storage until one is written). Stored sparse, as a bitmap or full, depending on its density.
///
/// The maximum size is 2^32. A sparse vector takes 4 bytes and a value per entry; a bitmap takes a
/// byte and a value per position.
///
/// Threads: several threads may read one vector at the same time, by const functions and as operand
/// or mask of operations. Changing it (set, remove, clear, assignment, a move, being the output of
/// an operation) needs exclusive access to it, but not to its copies. A moved-from vector is empty:
/// of size 0, without entries, in the same context.
template <value_type T>
class vector {
 public:
  using value_type = T;

  /// No entries. Throws usage_error for a size that is negative or greater than 2^32.
  vector(const context& where, index_t size)
      : base_(detail::empty_vector(where.state(), describe<T>(), size)) {}
  /// An entry at every position.
  vector(const context& where, index_t size, const T& value)
      : base_(detail::filled(where.state(), describe<T>(), size, &value)) {}

  /// From entries in any order. `rule` combines entries with the same index; by default they are a
  /// usage_error.
  static vector from_entries(const context& where, index_t size, std::span<const index_t> indices,
                             std::span<const T> values, duplicates rule = duplicates::error) {
    if (indices.size() != values.size())
      throw usage_error("vector: " + std::to_string(indices.size()) + " indices, " +
                        std::to_string(values.size()) + " values");
    return vector(
        detail::build_vector(where.state(), describe<T>(), size, indices, values.data(), rule));
  }
  /// The same with indices of another integer type, of 16, 32 or 64 bits.
  template <class Indices = std::initializer_list<index_t>, class Values = std::initializer_list<T>>
  static vector from_entries(const context& where, index_t size, const Indices& indices,
                             const Values& values, duplicates rule = duplicates::error) {
    const detail::given_array given_indices = detail::given_indices(indices),
                              given_values = detail::given_values<T>(values);
    if (given_indices.size != given_values.size)
      throw usage_error("vector: " + std::to_string(given_indices.size) + " indices, " +
                        std::to_string(given_values.size) + " values");
    return vector(detail::vector_from_entries(where.state(), describe<T>(), size, given_indices,
                                              given_values.data, rule));
  }
  /// Full, over the caller's data, which is neither copied nor written: an array_view, or a
  /// device_array in the memory of the context's device, which must be ready as in
  /// matrix::from_csr.
  template <template <class> class Array = array_view>
    requires detail::array_template<Array>
  static vector from_array(const context& where, Array<T> values) {
    return vector(
        detail::vector_from_array(where.state(), describe<T>(), detail::given(std::move(values))));
  }
  /// The same from a std::vector, std::span, std::array or {...}: a vector that is moved in is
  /// kept, everything else is copied.
  template <class Values = std::initializer_list<T>>
  static vector from_array(const context& where, Values&& values) {
    if constexpr (detail::require_host<Values>())
      return vector(detail::vector_from_array(
          where.state(), describe<T>(),
          detail::given_values<T>(std::forward<Values>(values), detail::given_for::the_container)));
    else
      return vector(where, 0);
  }
  /// Sparse, over the caller's indices, strictly ascending, and values. Neither is copied, except
  /// that 64-bit indices are narrowed. Indices are checked, except with {.trusted = true}.
  template <array_index Index, template <class> class Array = array_view>
    requires detail::array_template<Array>
  static vector from_sparse(const context& where, index_t size, Array<Index> indices,
                            Array<T> values, const import_options& options = {}) {
    return vector(detail::vector_from_sparse(where.state(), describe<T>(), size,
                                             detail::given(std::move(indices)),
                                             detail::given(std::move(values)), options));
  }
  /// The same from std::vector and the like, as in from_array, with indices of 16, 32 or 64 bits.
  template <class Indices = std::initializer_list<index_t>, class Values = std::initializer_list<T>>
    requires(!detail::braces_beside_device<T, Indices, Values>)
  static vector from_sparse(const context& where, index_t size, Indices&& indices, Values&& values,
                            const import_options& options = {}) {
    if constexpr (detail::require_host<Indices, Values>()) {
      constexpr auto use = detail::given_for::the_container;
      return vector(detail::vector_from_sparse(
          where.state(), describe<T>(), size,
          detail::given_indices(std::forward<Indices>(indices), use),
          detail::given_values<T>(std::forward<Values>(values), use), options));
    } else {
      return vector(where, size);
    }
  }

  index_t size() const { return base_.size; }
  /// Number of entries.
  index_t nvals() const { return base_.nvals; }
  /// Bytes on host and device together.
  std::size_t bytes() const { return base_.bytes(); }
  context where() const { return context(base_.context); }

  /// The entry at i, if there is one. Synchronises. Throws usage_error past the end.
  std::optional<T> get(index_t i) const {
    T value;
    if (!detail::element(base_, i, &value)) return std::nullopt;
    return value;
  }
  /// Sets the entry at i, or inserts it. In a sparse vector, an insertion costs O(entries) and an
  /// existing entry is found by binary search; other vectors take O(1). Storage that is borrowed,
  /// or shared with a copy, is copied first. Throws usage_error past the end.
  void set(index_t i, const T& value) { detail::set_element(base_, i, &value); }
  /// Removes the entry at i, if there is one. O(entries) for a sparse vector, which stays sparse.
  void remove(index_t i) { detail::remove_element(base_, i); }
  void clear() { base_ = detail::empty_vector(base_.context, describe<T>(), base_.size); }

  /// An entry, as entries() returns it.
  struct entry {
    index_t index;
    T value;
  };
  /// All entries, by ascending index. Synchronises.
  std::vector<entry> entries() const {
    detail::vector_base sparse = base_;
    detail::convert(sparse, vector_storage::sparse);
    std::vector<entry> found(static_cast<std::size_t>(sparse.nvals));
    if (found.empty()) return found;
    const auto* index = static_cast<const std::uint32_t*>(sparse.indices->host());
    const auto* value = static_cast<const T*>(sparse.values->host());
    for (std::size_t n = 0; n < found.size(); ++n) found[n] = {index[n], value[n]};
    return found;
  }
  /// One value per position, `missing` where there is no entry. Synchronises.
  std::vector<T> dense(const T& missing) const {
    std::vector<T> all(static_cast<std::size_t>(size()), missing);
    for (const entry& e : entries()) all[static_cast<std::size_t>(e.index)] = e.value;
    return all;
  }
  /// The values, without a copy if the vector is full on the host already. Throws usage_error if an
  /// entry is missing.
  array_view<T> to_array() const {
    detail::vector_base full = base_;
    detail::convert(full, vector_storage::full);
    if (size() == 0) return {};
    return {{static_cast<const T*>(full.values->host()), static_cast<std::size_t>(full.size)},
            full.values};
  }
  /// The entries by ascending index, without a copy if the vector is sparse already.
  sparse_arrays<array_view<std::uint32_t>, array_view<T>> to_sparse() const {
    detail::vector_base sparse = base_;
    detail::convert(sparse, vector_storage::sparse);
    const auto count = static_cast<std::size_t>(sparse.nvals);
    return {detail::view_of<std::uint32_t>(sparse.indices, count),
            detail::view_of<T>(sparse.values, count)};
  }
  /// The values on the context's device, read-only, copied there if necessary. With
  /// {.wait = false} the call does not wait for the device: see export_options. Throws usage_error
  /// if the context has no device, or an entry is missing.
  device_array<T> to_device_array(const export_options& options = {}) const {
    return detail::device_view_of<T>(detail::full_on_device(base_, options),
                                     static_cast<std::size_t>(size()));
  }
  /// Indices and values on the context's device, copied there if necessary. A bitmap, which most
  /// results are, is first converted to indices on the host. Throws usage_error if the context has
  /// no device.
  sparse_arrays<device_array<std::uint32_t>, device_array<T>> to_device_sparse(
      const export_options& options = {}) const {
    const detail::vector_base sparse = detail::sparse_on_device(base_, options);
    const auto count = static_cast<std::size_t>(sparse.nvals);
    return {detail::device_view_of<std::uint32_t>(sparse.indices, count),
            detail::device_view_of<T>(sparse.values, count)};
  }
  /// A hint for a vector that will be filled by many small writes: stores it as a bitmap, so that
  /// the cost of a write does not depend on the number of entries.
  void expect_dense() { detail::expect_dense(base_); }
  /// A copy in another context.
  vector to(const context& where) const { return vector(detail::copy_to(where.state(), base_)); }

  detail::vector_base& base() { return base_; }
  const detail::vector_base& base() const { return base_; }
  explicit vector(detail::vector_base base) : base_(std::move(base)) {}

 private:
  detail::vector_base base_;
};

}  // namespace tropic
