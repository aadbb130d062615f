// SPDX-License-Identifier: Apache-2.0
#pragma once

// Diagonals (GraphBLAS C API 2.1, 4.2.5.3: GrB_Matrix_diag; SuiteSparse: GxB_Vector_diag). The k-th
// diagonal consists of the positions (i, i + k).

#include <tropic/detail/structure.hpp>

namespace tropic {

/// The square matrix with v(n) at (n, n + k), or at (n - k, n) if k is negative, and no other
/// entries. It has v.size() + |k| rows and columns; usage_error if those are more than 2^32.
template <value_type T>
matrix<T> diagonal_matrix(const vector<T>& v, index_t k = 0) {
  return matrix<T>(detail::diagonal_matrix(v.base(), k));
}

/// w<mask> accum= the k-th diagonal of `a`, a matrix or transpose(matrix). w has one position per
/// position of the diagonal. Throws usage_error if w has another size, or if k is below -rows or
/// above the columns of `a`.
template <value_type W, matrix_operand A>
void extract_diagonal(vector<W>& w, const A& a, index_t k = 0,
                      const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, operand_value_t<A>>())
    detail::extract_diagonal(w.base(), detail::factor_of(a), k, detail::erase(options));
}

/// The k-th diagonal of `a` as a new vector.
template <matrix_operand A>
vector<operand_value_t<A>> diagonal_of(const A& a, index_t k = 0) {
  using T = operand_value_t<A>;
  const detail::matrix_factor factor = detail::factor_of(a);
  vector<T> result(detail::empty_vector(factor.matrix.context, describe<T>(),
                                        detail::diagonal_length(factor, k)));
  detail::extract_diagonal(result.base(), factor, k, {});
  return result;
}

}  // namespace tropic
