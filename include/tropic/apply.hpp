// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions applied to every entry, and selection of entries (GraphBLAS C API 2.0, 4.3.8, 4.3.9).

#include <tropic/detail/operations.hpp>

namespace tropic {

/// w<mask> accum= op(u). `op`: an operator of x (and of its position i, j), or one bound by
/// bind_first or bind_second. With `identity` it converts between value types.
template <value_type W, class Op, value_type U>
void apply(vector<W>& w, const Op& op, const vector<U>& u,
           const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::apply(w.base(), describe_unary<W, U>(op), u.base(), detail::erase(options));
}
template <value_type W, class Op, value_type A>
void apply(matrix<W>& c, const Op& op, const matrix<A>& a,
           const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::apply(c.base(), describe_unary<W, A>(op), a.base(), detail::erase(options));
}

/// w<mask> accum= the entries of u for which the predicate holds.
template <value_type W, class Predicate, value_type U>
void select(vector<W>& w, const Predicate& predicate, const vector<U>& u,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, U>())
    detail::select(w.base(), describe_unary<bool, W>(predicate), u.base(), detail::erase(options));
}
template <value_type W, class Predicate, value_type A>
void select(matrix<W>& c, const Predicate& predicate, const matrix<A>& a,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::select(c.base(), describe_unary<bool, W>(predicate), a.base(), detail::erase(options));
}

// Operands of other types: an error of one sentence instead of a list of candidates.
template <class W, class Op, class U, class Options = vector_options<bool>>
  requires(!((detail::written_vector<W> && detail::a_vector<U>) ||
             (detail::written_matrix<W> && detail::a_matrix<U>)) &&
           detail::some_of_ours<W, U>)
void apply(W&, const Op&, const U&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: apply(w, operator, u) takes two tropic::vectors or two tropic::matrices; "
                "w is written");
}
template <class W, class Op, class U, class Options = vector_options<bool>>
  requires(!((detail::written_vector<W> && detail::a_vector<U>) ||
             (detail::written_matrix<W> && detail::a_matrix<U>)) &&
           detail::some_of_ours<W, U>)
void select(W&, const Op&, const U&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: select(w, predicate, u) takes two tropic::vectors or two "
                "tropic::matrices; w is written");
}

}  // namespace tropic
