// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <tropic/context.hpp>
#include <tropic/detail/full.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// A matrix in row-major order with room for a value at every position: for instance a batch of
/// vectors as its columns, or the features of vertices as its rows. Either every position has an
/// entry, or a byte per position tells whether it has one (docs/products.md#full-matrices).
/// Operations choose between these two forms. Copies are cheap (they share storage until one is
/// written).
///
/// At most 2^32 positions. A position takes a value, and a byte if entries may be missing.
///
/// Threads: as for matrix. A moved-from full matrix is 0x0, in the same context.
template <value_type T>
class full_matrix {
 public:
  using value_type = T;

  /// No entries. Throws usage_error for a negative dimension, or more than 2^32 positions.
  full_matrix(const context& where, index_t rows, index_t columns)
      : base_(detail::empty_full(where.state(), describe<T>(), rows, columns)) {}
  /// An entry at every position.
  full_matrix(const context& where, index_t rows, index_t columns, const T& value)
      : base_(detail::filled_full(where.state(), describe<T>(), rows, columns, &value)) {}

  /// Creates a full matrix over the caller's row-major array, which is neither copied nor written:
  /// an array_view, or a device_array in the memory of the context's device. `leading` is the
  /// number of elements from the beginning of one row to the beginning of the next, at least
  /// `columns`; 0 means `columns`. If it is larger, products read the rows in place, and other
  /// operations first make a copy without gaps. Throws usage_error if the array is too short.
  template <template <class> class Array = array_view>
    requires detail::array_template<Array>
  static full_matrix from_array(const context& where, index_t rows, index_t columns,
                                Array<T> values, index_t leading = 0) {
    return full_matrix(detail::full_from_array(where.state(), describe<T>(), rows, columns,
                                               detail::given(std::move(values)), leading));
  }
  /// The same from a std::vector, std::span, std::array or {...}: a vector that is moved in is
  /// kept, everything else is copied.
  template <class Values = std::initializer_list<T>>
  static full_matrix from_array(const context& where, index_t rows, index_t columns,
                                Values&& values, index_t leading = 0) {
    if constexpr (detail::require_host<Values>())
      return full_matrix(detail::full_from_array(
          where.state(), describe<T>(), rows, columns,
          detail::given_values<T>(std::forward<Values>(values), detail::given_for::the_container),
          leading));
    else
      return full_matrix(where, rows, columns);
  }
  /// With entries only where `present`, a byte for each position, is 1 and not 0. Both arrays have
  /// rows x columns elements, and neither is copied or written. Throws usage_error for other bytes.
  static full_matrix from_bitmap(const context& where, index_t rows, index_t columns,
                                 array_view<std::uint8_t> present, array_view<T> values) {
    return full_matrix(detail::full_from_bitmap(where.state(), describe<T>(), rows, columns,
                                                detail::given(std::move(present)),
                                                detail::given(std::move(values))));
  }
  /// The entries of a matrix.
  static full_matrix from_matrix(const matrix<T>& a) {
    return full_matrix(detail::full_of(a.base()));
  }
  /// size x 1, sharing the arrays of the vector.
  static full_matrix from_column(const vector<T>& u) {
    return full_matrix(detail::full_of(u.base(), detail::vector_place::column));
  }
  /// 1 x size, likewise.
  static full_matrix from_row(const vector<T>& u) {
    return full_matrix(detail::full_of(u.base(), detail::vector_place::row));
  }

  index_t rows() const { return base_.rows; }
  index_t columns() const { return base_.columns; }
  /// Number of entries.
  index_t nvals() const { return base_.nvals(); }
  /// Bytes on host and device together.
  std::size_t bytes() const { return base_.bytes(); }
  context where() const { return context(base_.cells.context); }

  /// The entry at (i, j), if there is one. Synchronises. Throws usage_error past the end.
  std::optional<T> get(index_t i, index_t j) const {
    const index_t at = detail::cell_of(base_, i, j);
    T value;
    if (!detail::element(base_.flat(), at, &value)) return std::nullopt;
    return value;
  }
  /// Sets the entry at (i, j), or inserts it, in constant time. Throws usage_error past the end.
  void set(index_t i, index_t j, const T& value) {
    const index_t at = detail::cell_of(base_, i, j);
    detail::vector_base& cells = base_.flat();
    detail::expect_dense(cells);
    detail::set_element(cells, at, &value);
  }
  /// Removes the entry at (i, j), if there is one.
  void remove(index_t i, index_t j) {
    const index_t at = detail::cell_of(base_, i, j);
    detail::remove_element(base_.flat(), at);
  }
  void clear() {
    base_ = detail::empty_full(base_.cells.context, describe<T>(), base_.rows, base_.columns);
  }

  /// Row i and column j as vectors: copies. Synchronise. Throw usage_error past the end.
  vector<T> row(index_t i) const { return vector<T>(detail::row_of(base_, i)); }
  vector<T> column(index_t j) const { return vector<T>(detail::column_of(base_, j)); }
  /// Row i, or column j, becomes u: entries that u lacks are removed.
  void set_row(index_t i, const vector<T>& u) { detail::assign_row(base_, i, u.base()); }
  void set_column(index_t j, const vector<T>& u) { detail::assign_column(base_, j, u.base()); }

  /// All values, row-major, without a copy if they are on the host without gaps. Synchronises.
  /// Throws usage_error if an entry is missing.
  array_view<T> to_array() const { return vector<T>(base_.flat()).to_array(); }
  /// The same on the context's device, as vector::to_device_array.
  device_array<T> to_device_array(const export_options& options = {}) const {
    return vector<T>(base_.flat()).to_device_array(options);
  }
  /// One value per position, row-major, `missing` where there is no entry. Synchronises.
  std::vector<T> dense(const T& missing) const { return vector<T>(base_.flat()).dense(missing); }
  /// The entries in CSR.
  matrix<T> to_matrix() const { return matrix<T>(detail::matrix_of(base_)); }
  /// A copy in another context.
  full_matrix to(const context& where) const {
    return full_matrix(detail::copy_to(where.state(), base_));
  }

  detail::full_base& base() { return base_; }
  const detail::full_base& base() const { return base_; }
  explicit full_matrix(detail::full_base base) : base_(std::move(base)) {}

 private:
  detail::full_base base_;
};

}  // namespace tropic
