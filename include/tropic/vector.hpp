// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic {

/// A sparse vector: `size` positions, some of which hold an entry. Copies are cheap (they share
/// storage until one is written). Held sparse, as a bitmap or full, whichever its density asks for.
template <value_type T>
class vector {
 public:
  using value_type = T;

  /// No entries. Throws usage_error for a negative size or one past 2^32.
  vector(const context& where, index_t size)
      : base_(detail::empty_vector(where.state(), describe<T>(), size)) {}
  /// An entry at every position.
  vector(const context& where, index_t size, const T& value)
      : base_(detail::filled(where.state(), describe<T>(), size, &value)) {}

  /// From entries in any order; `rule` says what becomes of a repeated index (the default refuses).
  static vector from_entries(const context& where, index_t size, std::span<const index_t> indices,
                             std::span<const T> values, duplicates rule = duplicates::error) {
    if (indices.size() != values.size())
      throw usage_error("vector: " + std::to_string(indices.size()) + " indices, " +
                        std::to_string(values.size()) + " values");
    return vector(
        detail::build_vector(where.state(), describe<T>(), size, indices, values.data(), rule));
  }
  /// Full, over the caller's own data, which is not copied and never written.
  static vector from_array(const context& where, array_view<T> values) {
    detail::vector_base made =
        detail::empty_vector(where.state(), describe<T>(), static_cast<index_t>(values.size()));
    made.storage = vector_storage::full;
    made.nvals = made.size;
    made.indices = made.present = nullptr;
    made.values = std::make_shared<detail::buffer>(
        where.state(), values.data.data(), values.data.size_bytes(),
        values.owner ? values.owner : std::make_shared<int>());
    return vector(std::move(made));
  }

  index_t size() const { return base_.size; }
  /// Number of entries.
  index_t nvals() const { return base_.nvals; }
  /// Bytes held, on host and device together.
  std::size_t bytes() const { return base_.bytes(); }
  context where() const { return context(base_.context); }

  /// The entry at i, if there is one. Synchronises. Throws usage_error past the end.
  std::optional<T> get(index_t i) const {
    T value;
    if (!detail::element(base_, i, &value)) return std::nullopt;
    return value;
  }
  void set(index_t i, const T& value) { detail::set_element(base_, i, &value); }
  void remove(index_t i) { detail::remove_element(base_, i); }
  void clear() { base_ = detail::empty_vector(base_.context, describe<T>(), base_.size); }

  /// All entries, ascending. Synchronises.
  struct entry {
    index_t index;
    T value;
  };
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
  /// One value a position, `missing` where there is no entry. Synchronises.
  std::vector<T> dense(const T& missing) const {
    std::vector<T> all(static_cast<std::size_t>(size()), missing);
    for (const entry& e : entries()) all[static_cast<std::size_t>(e.index)] = e.value;
    return all;
  }
  /// The values themselves, without a copy where the vector is full on the host already. Throws
  /// usage_error where an entry is missing.
  array_view<T> to_array() const {
    detail::vector_base full = base_;
    detail::convert(full, vector_storage::full);
    if (size() == 0) return {};
    return {{static_cast<const T*>(full.values->host()), static_cast<std::size_t>(full.size)},
            full.values};
  }
  /// A hint for a vector that will fill up over many small writes: holds it as a bitmap from now
  /// on, so that each write costs what it writes.
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
