// SPDX-License-Identifier: Apache-2.0
#pragma once

// Element-wise union and intersection (GraphBLAS C API 2.0, 4.3.4 and 4.3.5).

#include <tropic/detail/operations.hpp>

namespace tropic {

namespace detail {
/// `op` for entries at a position: i and j are the entry's, and there is nothing to sum over.
template <class Z, class X, class Y, operator_type Op>
operator_description describe_elementwise(const Op& op) {
  static_assert(!Op::tropic_syntax.uses_k, "tropic: k is an index of products; here are i and j");
  return describe_operator<Z, X, Y>(op);
}
}  // namespace detail

/// w<mask> accum= u + v: op where both have an entry, the entry itself where one has.
template <value_type W, operator_type Op>
void ewise_add(vector<W>& w, const Op& op, const vector<W>& u, const vector<W>& v,
               const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::ewise("ewise_add", w.base(), true, detail::describe_elementwise<W, W, W>(op), u.base(),
                v.base(), detail::erase(options));
}
template <value_type W, operator_type Op>
void ewise_add(matrix<W>& c, const Op& op, const matrix<W>& a, const matrix<W>& b,
               const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::ewise("ewise_add", c.base(), true, detail::describe_elementwise<W, W, W>(op), a.base(),
                b.base(), detail::erase(options));
}
/// w<mask> accum= u * v: op where both have an entry, nothing elsewhere.
template <value_type W, operator_type Op, value_type U, value_type V>
void ewise_multiply(vector<W>& w, const Op& op, const vector<U>& u, const vector<V>& v,
                    const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::ewise("ewise_multiply", w.base(), false, detail::describe_elementwise<W, U, V>(op),
                u.base(), v.base(), detail::erase(options));
}
template <value_type W, operator_type Op, value_type A, value_type B>
void ewise_multiply(matrix<W>& c, const Op& op, const matrix<A>& a, const matrix<B>& b,
                    const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::ewise("ewise_multiply", c.base(), false, detail::describe_elementwise<W, A, B>(op),
                a.base(), b.base(), detail::erase(options));
}

}  // namespace tropic
