// SPDX-License-Identifier: Apache-2.0
#pragma once

// Assignment to positions, and the transpose (GraphBLAS C API 2.0, 4.3.7 and 4.3.12).
// GrB_assign semantics: mask and replace apply to the whole output.

#include <tropic/detail/operations.hpp>
#include <tropic/positions.hpp>

namespace tropic {

/// w<mask>(everywhere) accum= value.
template <value_type W>
void assign(vector<W>& w, const std::type_identity_t<W>& value,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::assign(w.base(), &value, nullptr, detail::erase(options));
}
/// w<mask>(list) accum= value. Throws usage_error for a position out of range or listed twice.
template <value_type W>
void assign(vector<W>& w, const std::type_identity_t<W>& value, std::span<const index_t> list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::assign(w.base(), &value, &list, detail::erase(options));
}
/// The same for a list of another integer type, a range, or `all` (positions.hpp).
template <value_type W, detail::listed_positions List>
void assign(vector<W>& w, const std::type_identity_t<W>& value, const List& list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  const detail::position_argument positions("assign", list);
  detail::assign(w.base(), &value, positions.get(), detail::erase(options));
}
/// w<mask> accum= u.
template <value_type W, value_type U>
void assign(vector<W>& w, const vector<U>& u,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, U>())
    detail::assign(w.base(), u.base(), nullptr, detail::erase(options));
}
/// w<mask>(list) accum= u: u(n) goes to position list[n]. Throws usage_error if u does not have one
/// position per element of the list, or if a position is out of range or listed twice.
template <value_type W, value_type U>
void assign(vector<W>& w, const vector<U>& u, std::span<const index_t> list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, U>())
    detail::assign(w.base(), u.base(), &list, detail::erase(options));
}
template <value_type W, value_type U, detail::listed_positions List>
void assign(vector<W>& w, const vector<U>& u, const List& list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  const detail::position_argument positions("assign", list);
  if constexpr (detail::require_same_value<W, U>())
    detail::assign(w.base(), u.base(), positions.get(), detail::erase(options));
}
/// c<mask> accum= value at every position that the mask allows. Needs memory for an entry at each
/// of them. The overloads with lists of rows and columns also need up to 10 bytes for every row and
/// every column of c.
template <value_type W>
void assign(matrix<W>& c, const std::type_identity_t<W>& value,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::assign(c.base(), &value, nullptr, nullptr, detail::erase(options));
}
template <value_type W>
void assign(matrix<W>& c, const std::type_identity_t<W>& value, std::span<const index_t> rows,
            std::span<const index_t> columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::assign(c.base(), &value, &rows, &columns, detail::erase(options));
}
template <value_type W, detail::listed_positions Rows, detail::listed_positions Columns>
void assign(matrix<W>& c, const std::type_identity_t<W>& value, const Rows& rows,
            const Columns& columns, const std::type_identity_t<matrix_options<W>>& options = {}) {
  const detail::position_argument in_rows("assign", rows);
  const detail::position_argument in_columns("assign", columns);
  detail::assign(c.base(), &value, in_rows.get(), in_columns.get(), detail::erase(options));
}
/// c<mask>(rows, columns) accum= a: a(n, m) goes to (rows[n], columns[m]). Throws usage_error if a
/// does not have the lists' shape, or if a row or a column is out of range or listed twice.
template <value_type W, value_type A>
void assign(matrix<W>& c, const matrix<A>& a, std::span<const index_t> rows,
            std::span<const index_t> columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::assign(c.base(), a.base(), &rows, &columns, detail::erase(options));
}
template <value_type W, value_type A, detail::listed_positions Rows,
          detail::listed_positions Columns>
void assign(matrix<W>& c, const matrix<A>& a, const Rows& rows, const Columns& columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  const detail::position_argument in_rows("assign", rows);
  const detail::position_argument in_columns("assign", columns);
  if constexpr (detail::require_same_value<W, A>())
    detail::assign(c.base(), a.base(), in_rows.get(), in_columns.get(), detail::erase(options));
}
template <value_type W, value_type A>
void assign(matrix<W>& c, const matrix<A>& a,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::assign(c.base(), a.base(), nullptr, nullptr, detail::erase(options));
}

/// c<mask> accum= a'.
template <value_type W, value_type A>
void transpose(matrix<W>& c, const matrix<A>& a,
               const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::transpose(c.base(), a.base(), detail::erase(options));
}

}  // namespace tropic
