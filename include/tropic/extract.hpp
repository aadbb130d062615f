// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of vectors and matrices (GraphBLAS C API 2.1, 4.3.6). Lists of positions (positions.hpp)
// may be in any order and repeat positions. Mask and replace apply to the output, which has the
// lists' shape. Throws usage_error for a position out of range, or an output of another shape.

#include <tropic/detail/structure.hpp>
#include <tropic/positions.hpp>

namespace tropic {

/// w<mask> accum= u(list): w(n) = u(list[n]), no entry where u has none.
template <value_type W, value_type U, detail::listed_positions List>
void extract(vector<W>& w, const vector<U>& u, const List& list,
             const std::type_identity_t<vector_options<W>>& options = {}) {
  const detail::position_argument from("extract", list);
  if constexpr (detail::require_same_value<W, U>())
    detail::extract(w.base(), u.base(), from.get(), detail::erase(options));
}

/// c<mask> accum= A(rows, columns): c(n, m) = A(rows[n], columns[m]). `a` is a matrix or
/// transpose(matrix); c may be that matrix. O(rows of c + listed columns + entries of the listed
/// rows), less for a few columns of long rows; O(log) more if the columns do not ascend.
template <value_type C, matrix_operand A, detail::listed_positions Rows,
          detail::listed_positions Columns>
void extract(matrix<C>& c, const A& a, const Rows& rows, const Columns& columns,
             const std::type_identity_t<matrix_options<C>>& options = {}) {
  const detail::position_argument of_rows("extract", rows), of_columns("extract", columns);
  if constexpr (detail::require_same_value<C, operand_value_t<A>>())
    detail::extract(c.base(), detail::factor_of(a), of_rows.get(), of_columns.get(),
                    detail::erase(options));
}

/// w<mask> accum= A(rows, column): w(n) = A(rows[n], column). A row of A is a column of
/// transpose(A), and found without building it.
template <value_type W, matrix_operand A, detail::listed_positions Rows>
void extract(vector<W>& w, const A& a, const Rows& rows, index_t column,
             const std::type_identity_t<vector_options<W>>& options = {}) {
  const detail::position_argument of_rows("extract", rows);
  if constexpr (detail::require_same_value<W, operand_value_t<A>>())
    detail::extract(w.base(), detail::factor_of(a), of_rows.get(), column, detail::erase(options));
}

}  // namespace tropic
