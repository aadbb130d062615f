// SPDX-License-Identifier: Apache-2.0
#pragma once

// Element-wise union with values for missing entries (SuiteSparse: GxB_eWiseUnion).

#include <tropic/detail/structure.hpp>
#include <tropic/ewise.hpp>

namespace tropic {

/// w<mask> accum= op(u, v) where either has an entry; `missing_u` is used where u has none,
/// `missing_v` where v has none. Unlike in ewise_add, op is applied at every entry, so the three
/// value types may differ, and minus computes u - v everywhere.
template <value_type W, class Op, value_type U, value_type V>
void ewise_union(vector<W>& w, const Op& op, const vector<U>& u,
                 const std::type_identity_t<U>& missing_u, const vector<V>& v,
                 const std::type_identity_t<V>& missing_v,
                 const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::ewise_union(w.base(), detail::describe_elementwise<W, U, V>(op), u.base(), &missing_u,
                      v.base(), &missing_v, detail::erase(options));
}
template <value_type W, class Op, value_type A, value_type B>
void ewise_union(matrix<W>& c, const Op& op, const matrix<A>& a,
                 const std::type_identity_t<A>& missing_a, const matrix<B>& b,
                 const std::type_identity_t<B>& missing_b,
                 const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::ewise_union(c.base(), detail::describe_elementwise<W, A, B>(op), a.base(), &missing_a,
                      b.base(), &missing_b, detail::erase(options));
}

}  // namespace tropic
