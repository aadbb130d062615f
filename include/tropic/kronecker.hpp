// SPDX-License-Identifier: Apache-2.0
#pragma once

// The Kronecker product (GraphBLAS C API 2.1, 4.3.11).

#include <tropic/detail/structure.hpp>

namespace tropic {

/// c<mask> accum= the Kronecker product of A and B, each a matrix or transpose(matrix):
///
///   c(i * B.rows() + k, j * B.columns() + l) = op(A(i,j), B(k,l))
///
/// for every pair of entries. c has A.rows() * B.rows() rows and A.columns() * B.columns() columns.
/// `op` is a binary operator without positions; for a semiring, that is its second template
/// parameter. c may be A, B or the mask. Throws usage_error if c has another shape, or if the
/// product has more than 2^32 rows or columns; out_of_memory. c is then unchanged.
template <value_type C, class Op, matrix_operand A, matrix_operand B>
void kronecker(matrix<C>& c, const Op& op, const A& a, const B& b,
               const std::type_identity_t<matrix_options<C>>& options = {}) {
  detail::kronecker(c.base(), describe_operator<C, operand_value_t<A>, operand_value_t<B>>(op),
                    detail::factor_of(a), detail::factor_of(b), detail::erase(options));
}

}  // namespace tropic
