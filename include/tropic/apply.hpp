// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function of every entry, and the selection of entries (GraphBLAS C API 2.0, 4.3.8, 4.3.9).

#include <tropic/detail/operations.hpp>

namespace tropic {

/// w<mask> accum= op(u). `op`: an operator of x (and of its position i, j), or one bound by
/// bind_first or bind_second. With `identity` it converts between value types.
template <value_type W, unary_operator_type Op, value_type U>
void apply(vector<W>& w, const Op& op, const vector<U>& u,
           const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::apply(w.base(), describe_unary<W, U>(op), u.base(), detail::erase(options));
}
template <value_type W, unary_operator_type Op, value_type A>
void apply(matrix<W>& c, const Op& op, const matrix<A>& a,
           const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::apply(c.base(), describe_unary<W, A>(op), a.base(), detail::erase(options));
}

/// w<mask> accum= the entries of u for which the predicate holds.
template <value_type W, unary_operator_type Predicate>
void select(vector<W>& w, const Predicate& predicate, const vector<W>& u,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::select(w.base(), describe_unary<bool, W>(predicate), u.base(), detail::erase(options));
}
template <value_type W, unary_operator_type Predicate>
void select(matrix<W>& c, const Predicate& predicate, const matrix<W>& a,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::select(c.base(), describe_unary<bool, W>(predicate), a.base(), detail::erase(options));
}

}  // namespace tropic
