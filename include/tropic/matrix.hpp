// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <type_traits>

#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic {

/// A sparse matrix in CSR: 32-bit column indices, strictly ascending in each row; offsets of 32 or
/// 64 bits, chosen by the number of entries. Copies are cheap. Products that need the transpose
/// build it once and keep it with the matrix.
template <value_type T>
class matrix {
 public:
  using value_type = T;

  /// No entries. Throws usage_error for a negative dimension or one past 2^32.
  matrix(const context& where, index_t rows, index_t columns)
      : base_(detail::empty_matrix(where.state(), describe<T>(), rows, columns)) {}

  /// From entries in any order; `rule` says what becomes of repeated positions.
  static matrix from_entries(const context& where, index_t rows, index_t columns,
                             std::span<const std::uint32_t> row,
                             std::span<const std::uint32_t> column, std::span<const T> values,
                             duplicates rule = duplicates::error) {
    check_lengths(row.size(), column.size(), values.size());
    return matrix(detail::build_matrix(where.state(), describe<T>(), rows, columns, row, column,
                                       values.data(), false, rule));
  }
  /// A pattern whose entries all have the one `value`, which is stored once.
  static matrix from_pattern(const context& where, index_t rows, index_t columns,
                             std::span<const std::uint32_t> row,
                             std::span<const std::uint32_t> column, const T& value,
                             duplicates rule = duplicates::first) {
    check_lengths(row.size(), column.size(), row.size());
    return matrix(detail::build_matrix(where.state(), describe<T>(), rows, columns, row, column,
                                       &value, true, rule));
  }
  /// Over the caller's own CSR arrays, which are neither copied nor written. `values` holds one
  /// value an entry, or a single one for all. Unless `trusted`, offsets and columns are checked.
  template <class Offset>
    requires(std::is_same_v<Offset, std::uint32_t> || std::is_same_v<Offset, std::uint64_t>)
  static matrix from_csr(const context& where, index_t rows, index_t columns,
                         array_view<Offset> offsets, array_view<std::uint32_t> column_indices,
                         array_view<T> values, bool trusted = false) {
    detail::matrix_base made = detail::empty_matrix(where.state(), describe<T>(), rows, columns);
    if (offsets.size() != static_cast<std::size_t>(rows) + 1)
      throw usage_error("matrix: " + std::to_string(rows) + " rows need " +
                        std::to_string(rows + 1) + " offsets, found " +
                        std::to_string(offsets.size()));
    const std::size_t nnz = column_indices.size();
    made.iso = values.size() == 1 && nnz != 1;
    if (!made.iso && values.size() != nnz)
      throw usage_error("matrix: " + std::to_string(nnz) + " columns, " +
                        std::to_string(values.size()) + " values");
    made.nnz = static_cast<index_t>(nnz);
    made.wide = sizeof(Offset) == 8;
    made.offsets = borrow(where, offsets);
    made.column_indices = borrow(where, column_indices);
    made.values = borrow(where, values);
    detail::inspect_csr(made, trusted);
    return matrix(std::move(made));
  }

  index_t rows() const { return base_.rows; }
  index_t columns() const { return base_.columns; }
  /// Number of entries.
  index_t nvals() const { return base_.nnz; }
  index_t longest_row() const { return base_.longest_row; }
  index_t empty_rows() const { return base_.empty_rows; }
  /// One value stands for all entries.
  bool is_iso() const { return base_.iso; }
  /// Declares that the matrix equals its transpose, values too, which is not checked: products
  /// then never build one.
  void assume_symmetric() {
    if (rows() != columns())
      throw usage_error("matrix: a symmetric matrix is square, this one is " +
                        std::to_string(rows()) + "x" + std::to_string(columns()));
    base_.symmetric = true;
  }
  bool is_symmetric() const { return base_.symmetric; }
  /// Bytes held, on host and device together, without conversions.
  std::size_t bytes() const { return base_.bytes(); }
  context where() const { return context(base_.context); }

  std::optional<T> get(index_t i, index_t j) const {
    T value;
    if (!detail::element(base_, i, j, &value)) return std::nullopt;
    return value;
  }
  /// First entry of `row`; offset(rows()) is nvals().
  index_t offset(index_t row) const { return detail::offset_at(base_, row); }
  /// The arrays themselves, without a copy.
  array_view<std::uint32_t> column_indices() const {
    return view<std::uint32_t>(base_.column_indices, static_cast<std::size_t>(base_.nnz));
  }
  /// nvals() values, or one where is_iso().
  array_view<T> values() const {
    return view<T>(base_.values, base_.iso ? 1 : static_cast<std::size_t>(base_.nnz));
  }
  /// Offsets as they are held; empty where they have the other width.
  template <class Offset>
  array_view<Offset> offsets() const {
    if ((sizeof(Offset) == 8) != base_.wide) return {};
    return view<Offset>(base_.offsets, static_cast<std::size_t>(base_.rows) + 1);
  }
  matrix to(const context& where) const { return matrix(detail::copy_to(where.state(), base_)); }

  detail::matrix_base& base() { return base_; }
  const detail::matrix_base& base() const { return base_; }
  explicit matrix(detail::matrix_base base) : base_(std::move(base)) {}

 private:
  static void check_lengths(std::size_t rows, std::size_t columns, std::size_t values) {
    if (rows != columns || rows != values)
      throw usage_error("matrix: " + std::to_string(rows) + " row indices, " +
                        std::to_string(columns) + " column indices, " + std::to_string(values) +
                        " values");
  }
  template <class U>
  static detail::buffer_pointer borrow(const context& where, const array_view<U>& array) {
    return std::make_shared<detail::buffer>(where.state(), array.data.data(),
                                            array.data.size_bytes(),
                                            array.owner ? array.owner : std::make_shared<int>());
  }
  template <class U>
  static array_view<U> view(const detail::buffer_pointer& from, std::size_t count) {
    if (count == 0) return {};
    return {{static_cast<const U*>(from->host()), count}, from};
  }

  detail::matrix_base base_;
};

}  // namespace tropic
