// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include <tropic/context.hpp>
#include <tropic/detail/arrays.hpp>
#include <tropic/detail/changes.hpp>
#include <tropic/error.hpp>

namespace tropic {

/// A sparse matrix in CSR: 32-bit column indices, strictly ascending in each row; offsets of 32 or
/// 64 bits, chosen by the number of entries. Copies are cheap (they share storage until one is
/// written). Products that need the transpose build it once and keep it with the matrix.
///
/// Offsets take 4 or 8 bytes per row, including empty rows: 16 GiB for 2^32 rows, the maximum.
/// Empty columns take no memory.
///
/// Threads: several threads may read one matrix at the same time, by const functions and as operand
/// or mask of operations. Changing it (set, remove, assignment, a move, being the output of an
/// operation) needs exclusive access to it, but not to its copies. A moved-from matrix is empty:
/// 0x0, without entries, in the same context.
template <value_type T>
class matrix {
 public:
  using value_type = T;

  /// No entries. Throws usage_error for a dimension that is negative or greater than 2^32.
  matrix(const context& where, index_t rows, index_t columns)
      : base_(detail::empty_matrix(where.state(), describe<T>(), rows, columns)) {}

  /// From coordinates (COO) in arrays of the host: entries in any order. `rule` combines repeated
  /// positions. Indices may have 16, 32 or 64 bits, signed or unsigned.
  static matrix from_entries(const context& where, index_t rows, index_t columns,
                             std::span<const std::uint32_t> row,
                             std::span<const std::uint32_t> column, std::span<const T> values,
                             duplicates rule = duplicates::error) {
    check_lengths(row.size(), column.size(), values.size());
    return matrix(detail::build_matrix(where.state(), describe<T>(), rows, columns, row, column,
                                       values.data(), detail::value_layout::per_entry, rule));
  }
  template <class Rows = std::initializer_list<index_t>,
            class Columns = std::initializer_list<index_t>, class Values = std::initializer_list<T>>
  static matrix from_entries(const context& where, index_t rows, index_t columns, const Rows& row,
                             const Columns& column, const Values& values,
                             duplicates rule = duplicates::error) {
    const detail::given_array given_rows = detail::given_indices(row),
                              given_columns = detail::given_indices(column),
                              given_values = detail::given_values<T>(values);
    check_lengths(given_rows.size, given_columns.size, given_values.size);
    return matrix(detail::matrix_from_entries(where.state(), describe<T>(), rows, columns,
                                              given_rows, given_columns, given_values.data,
                                              detail::value_layout::per_entry, rule));
  }
  /// A pattern: all entries have the same `value`, which is stored once.
  static matrix from_pattern(const context& where, index_t rows, index_t columns,
                             std::span<const std::uint32_t> row,
                             std::span<const std::uint32_t> column, const T& value,
                             duplicates rule = duplicates::first) {
    check_lengths(row.size(), column.size(), row.size());
    return matrix(detail::build_matrix(where.state(), describe<T>(), rows, columns, row, column,
                                       &value, detail::value_layout::iso, rule));
  }
  template <class Rows = std::initializer_list<index_t>,
            class Columns = std::initializer_list<index_t>>
  static matrix from_pattern(const context& where, index_t rows, index_t columns, const Rows& row,
                             const Columns& column, const T& value,
                             duplicates rule = duplicates::first) {
    const detail::given_array given_rows = detail::given_indices(row),
                              given_columns = detail::given_indices(column);
    check_lengths(given_rows.size, given_columns.size, given_rows.size);
    return matrix(detail::matrix_from_entries(where.state(), describe<T>(), rows, columns,
                                              given_rows, given_columns, &value,
                                              detail::value_layout::iso, rule));
  }
  /// Creates a matrix over the caller's CSR arrays. They are neither copied nor written, except
  /// that 64-bit columns are converted to 32 bits. `values` holds one value per entry, or a single
  /// value for all entries. Offsets and columns are checked, except with {.trusted = true}. An
  /// array_view is in host memory. A device_array is in the memory of the context's device and is
  /// checked there. Its contents must be ready, or be written by work enqueued earlier on the queue
  /// that the context borrowed.
  template <array_index Offset, array_index Column = std::uint32_t,
            template <class> class Array = array_view>
    requires detail::array_template<Array>
  static matrix from_csr(const context& where, index_t rows, index_t columns, Array<Offset> offsets,
                         Array<Column> column_indices, Array<T> values,
                         const import_options& options = {}) {
    return matrix(detail::matrix_from_csr(
        where.state(), describe<T>(), rows, columns, detail::given(std::move(offsets)),
        detail::given(std::move(column_indices)), detail::given(std::move(values)), options));
  }
  /// The same from std::vector, std::span, std::array or {...}, with indices of 16, 32 or 64 bits:
  /// vectors that are moved in are kept, everything else is copied.
  template <class Offsets = std::initializer_list<index_t>,
            class Columns = std::initializer_list<index_t>, class Values = std::initializer_list<T>>
    requires(!detail::braces_beside_device<T, Offsets, Values>)
  static matrix from_csr(const context& where, index_t rows, index_t columns, Offsets&& offsets,
                         Columns&& column_indices, Values&& values,
                         const import_options& options = {}) {
    if constexpr (detail::require_host<Offsets, Columns, Values>()) {
      constexpr auto use = detail::given_for::the_container;
      return matrix(detail::matrix_from_csr(
          where.state(), describe<T>(), rows, columns,
          detail::given_indices(std::forward<Offsets>(offsets), use),
          detail::given_indices(std::forward<Columns>(column_indices), use),
          detail::given_values<T>(std::forward<Values>(values), use), options));
    } else {
      return matrix(where, rows, columns);
    }
  }
  /// From CSC arrays (columns + 1 offsets, row indices strictly ascending in each column), which
  /// are read during the call and not kept. To use them without a copy, pass them to from_csr: the
  /// result is the transpose.
  template <array_index Offset, array_index Row = std::uint32_t,
            template <class> class Array = array_view>
    requires detail::array_template<Array>
  static matrix from_csc(const context& where, index_t rows, index_t columns, Array<Offset> offsets,
                         Array<Row> row_indices, Array<T> values,
                         const import_options& options = {}) {
    return matrix(detail::matrix_from_csc(
        where.state(), describe<T>(), rows, columns, detail::given(std::move(offsets)),
        detail::given(std::move(row_indices)), detail::given(std::move(values)), options));
  }
  /// The same from std::vector, std::span, std::array or {...}.
  template <class Offsets = std::initializer_list<index_t>,
            class Rows = std::initializer_list<index_t>, class Values = std::initializer_list<T>>
    requires(!detail::braces_beside_device<T, Offsets, Values>)
  static matrix from_csc(const context& where, index_t rows, index_t columns,
                         const Offsets& offsets, const Rows& row_indices, const Values& values,
                         const import_options& options = {}) {
    if constexpr (detail::require_host<Offsets, Rows, Values>())
      return matrix(detail::matrix_from_csc(
          where.state(), describe<T>(), rows, columns, detail::given_indices(offsets),
          detail::given_indices(row_indices), detail::given_values<T>(values), options));
    else
      return matrix(where, rows, columns);
  }

  index_t rows() const { return base_.rows(); }
  index_t columns() const { return base_.columns(); }
  /// Number of entries.
  index_t nvals() const { return base().nnz; }
  /// Number of entries of the longest row.
  index_t longest_row() const { return base().longest_row; }
  /// Number of rows without entries.
  index_t empty_rows() const { return base().empty_rows; }
  /// All entries share one stored value.
  bool is_iso() const { return base().iso; }
  /// Declares that the matrix equals its transpose, values included. This is not checked. Products
  /// then never build the transpose. Throws usage_error unless the matrix is square.
  void assume_symmetric() {
    if (rows() != columns())
      throw usage_error("matrix: a symmetric matrix is square, this one is " +
                        std::to_string(rows()) + "x" + std::to_string(columns()));
    base().symmetric = true;
  }
  bool is_symmetric() const { return base().symmetric; }
  /// Bytes on host and device together, without conversions to other formats.
  std::size_t bytes() const { return base().bytes(); }
  context where() const { return context(base_.context()); }

  /// The entry at (i, j), if there is one. Synchronises. Throws usage_error past the end.
  std::optional<T> get(index_t i, index_t j) const {
    T value;
    if (!base_.element(i, j, &value)) return std::nullopt;
    return value;
  }
  /// Sets the entry at (i, j), or inserts it. Throws usage_error past the end.
  ///
  /// Changes are recorded. They are merged when the matrix is next read by anything but get(): n
  /// changes and a product cost O(n log n + rows + entries). A matrix with a single value for all
  /// entries (is_iso()) stays so as long as all entries are equal. A changed matrix is no longer
  /// known to be symmetric. Copies keep their contents, and borrowed arrays are not written. If the
  /// merge runs out of memory, the call that reads the matrix throws out_of_memory; entries and
  /// changes are kept. For a matrix on a device, the merge copies the arrays to the host.
  void set(index_t i, index_t j, const T& value) { base_.set(i, j, &value); }
  /// Removes the entry at (i, j), if there is one. Otherwise like set().
  void remove(index_t i, index_t j) { base_.remove(i, j); }
  /// Removes all entries.
  void clear() {
    base_ = detail::changeable_matrix(
        detail::empty_matrix(base_.context(), describe<T>(), rows(), columns()));
  }
  /// The number of the first entry of `row`; offset(rows()) is nvals(). Throws usage_error unless
  /// `row` is from 0 to rows().
  index_t offset(index_t row) const { return detail::offset_at(base(), row); }
  /// The column indices, without a copy.
  array_view<std::uint32_t> column_indices() const {
    return detail::view_of<std::uint32_t>(base().column_indices, entries());
  }
  /// nvals() values, or a single one if is_iso().
  array_view<T> values() const { return detail::view_of<T>(base().values, stored_values()); }
  /// The rows() + 1 stored offsets, without a copy. Empty if the stored offsets do not have the
  /// width of Offset.
  template <class Offset>
  array_view<Offset> offsets() const {
    if ((sizeof(Offset) == 8) != base().wide) return {};
    return detail::view_of<Offset>(base().offsets, static_cast<std::size_t>(rows()) + 1);
  }

  /// In CSR with offsets and columns of these types, on the host. An array stored with that width
  /// is not copied. Throws usage_error if a number does not fit its type.
  template <array_index Offset, array_index Column = std::uint32_t>
  compressed_arrays<array_view<Offset>, array_view<Column>, array_view<T>> to_csr() const {
    return show<Offset, Column>(
        detail::to_csr(base(), detail::index_type_of<Offset>, detail::index_type_of<Column>),
        rows());
  }
  /// In CSC: the arrays of the transpose, which is computed.
  template <array_index Offset, array_index Row = std::uint32_t>
  compressed_arrays<array_view<Offset>, array_view<Row>, array_view<T>> to_csc() const {
    return show<Offset, Row>(
        detail::to_csc(base(), detail::index_type_of<Offset>, detail::index_type_of<Row>),
        columns());
  }
  /// As coordinates, by row and then by column. Columns and values as in to_csr.
  template <array_index Row = std::uint32_t, array_index Column = std::uint32_t>
  coordinate_arrays<Row, Column, T> to_coo() const {
    const auto coo =
        detail::to_coo(base(), detail::index_type_of<Row>, detail::index_type_of<Column>);
    return {detail::view_of<Row>(coo.rows, entries()),
            detail::view_of<Column>(coo.columns, entries()),
            detail::view_of<T>(coo.values, entries())};
  }
  /// The arrays on the context's device, read-only; a single value if is_iso(). They are copied
  /// there if necessary. With {.wait = false} the call does not wait for the device: see
  /// export_options. Throws usage_error if the context has no device, or offsets have the other
  /// width.
  template <array_index Offset, array_index Column = std::uint32_t>
    requires(sizeof(Column) == 4)
  compressed_arrays<device_array<Offset>, device_array<Column>, device_array<T>> to_device_csr(
      const export_options& options = {}) const {
    detail::show_on_device(base(), detail::index_type_of<Offset>, options);
    return {detail::device_view_of<Offset>(base().offsets, static_cast<std::size_t>(rows()) + 1),
            detail::device_view_of<Column>(base().column_indices, entries()),
            detail::device_view_of<T>(base().values, stored_values())};
  }
  /// A copy in another context.
  matrix to(const context& where) const { return matrix(detail::copy_to(where.state(), base())); }

  detail::matrix_base& base() { return base_.base(); }
  const detail::matrix_base& base() const { return base_.base(); }
  const detail::changeable_matrix& changes() const { return base_; }
  explicit matrix(detail::matrix_base base) : base_(std::move(base)) {}

 private:
  static void check_lengths(std::size_t rows, std::size_t columns, std::size_t values) {
    if (rows != columns || rows != values)
      throw usage_error("matrix: " + std::to_string(rows) + " row indices, " +
                        std::to_string(columns) + " column indices, " + std::to_string(values) +
                        " values");
  }
  template <class Offset, class Index>
  compressed_arrays<array_view<Offset>, array_view<Index>, array_view<T>> show(
      const detail::compressed_buffers& from, index_t majors) const {
    return {detail::view_of<Offset>(from.offsets, static_cast<std::size_t>(majors) + 1),
            detail::view_of<Index>(from.indices, entries()),
            detail::view_of<T>(from.values, entries())};
  }
  std::size_t entries() const { return static_cast<std::size_t>(base().nnz); }
  std::size_t stored_values() const {
    return base().iso ? std::min<std::size_t>(entries(), 1) : entries();
  }

  detail::changeable_matrix base_;
};

}  // namespace tropic
