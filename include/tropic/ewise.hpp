// SPDX-License-Identifier: Apache-2.0
#pragma once

// Element-wise union and intersection (GraphBLAS C API 2.0, 4.3.4 and 4.3.5).

#include <tropic/detail/operations.hpp>

namespace tropic {

namespace detail {
/// `op` with the position of an entry as i and j; there is no index of summation.
template <class Z, class X, class Y, class Op>
operator_description describe_elementwise([[maybe_unused]] const Op& op) {
  if constexpr (!require_operator<Op>()) {
    return {};
  } else {
    static_assert(!Op::tropic_syntax.uses_k, "tropic: k is an index of products; use i and j here");
    return describe_operator<Z, X, Y>(op);
  }
}
}  // namespace detail

/// w<mask> accum= u + v: op where both have an entry, the entry itself where only one has. All
/// three have one value type; ewise_multiply allows different ones.
template <value_type W, class Op, value_type U, value_type V>
void ewise_add(vector<W>& w, const Op& op, const vector<U>& u, const vector<V>& v,
               const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, U, V>())
    detail::ewise("ewise_add", w.base(), detail::ewise_positions::set_union,
                  detail::describe_elementwise<W, W, W>(op), u.base(), v.base(),
                  detail::erase(options));
}
template <value_type W, class Op, value_type A, value_type B>
void ewise_add(matrix<W>& c, const Op& op, const matrix<A>& a, const matrix<B>& b,
               const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A, B>())
    detail::ewise("ewise_add", c.base(), detail::ewise_positions::set_union,
                  detail::describe_elementwise<W, W, W>(op), a.base(), b.base(),
                  detail::erase(options));
}
/// w<mask> accum= u * v: op where both have an entry, nothing elsewhere.
template <value_type W, class Op, value_type U, value_type V>
void ewise_multiply(vector<W>& w, const Op& op, const vector<U>& u, const vector<V>& v,
                    const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::ewise("ewise_multiply", w.base(), detail::ewise_positions::intersection,
                detail::describe_elementwise<W, U, V>(op), u.base(), v.base(),
                detail::erase(options));
}
template <value_type W, class Op, value_type A, value_type B>
void ewise_multiply(matrix<W>& c, const Op& op, const matrix<A>& a, const matrix<B>& b,
                    const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::ewise("ewise_multiply", c.base(), detail::ewise_positions::intersection,
                detail::describe_elementwise<W, A, B>(op), a.base(), b.base(),
                detail::erase(options));
}

// Operands of other types: an error of one sentence instead of a list of candidates.
template <class W, class Op, class U, class V, class Options = vector_options<bool>>
  requires(!((detail::written_vector<W> && detail::a_vector<U> && detail::a_vector<V>) ||
             (detail::written_matrix<W> && detail::a_matrix<U> && detail::a_matrix<V>)) &&
           detail::some_of_ours<W, U, V>)
void ewise_add(W&, const Op&, const U&, const V&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: ewise_add(w, operator, u, v) takes three tropic::vectors or three "
                "tropic::matrices; w is written");
}
template <class W, class Op, class U, class V, class Options = vector_options<bool>>
  requires(!((detail::written_vector<W> && detail::a_vector<U> && detail::a_vector<V>) ||
             (detail::written_matrix<W> && detail::a_matrix<U> && detail::a_matrix<V>)) &&
           detail::some_of_ours<W, U, V>)
void ewise_multiply(W&, const Op&, const U&, const V&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: ewise_multiply(w, operator, u, v) takes three tropic::vectors or three "
                "tropic::matrices; w is written");
}

}  // namespace tropic
