// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums over a monoid (GraphBLAS C API 2.0, 4.3.10).

#include <tropic/detail/operations.hpp>

namespace tropic {

/// w<mask> accum= the sum of each row of `a`, over the monoid. `a` is a matrix, or
/// transpose(matrix) for the sum of each column. An empty row gives no entry.
template <class M, value_type W, matrix_operand A>
void reduce(vector<W>& w, const M& monoid, const A& a,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_monoid_over<M, W, operand_value_t<A>>())
    detail::reduce(w.base(), describe_monoid(monoid), detail::factor_of(a), detail::erase(options));
}
/// The sum of all entries; the identity if there are none. Synchronises.
template <class M, value_type W>
W reduce(const M& monoid, const vector<W>& u) {
  if constexpr (!detail::require_monoid_over<M, W>()) {
    return {};
  } else {
    W result = M::identity();
    detail::reduce(&result, describe_monoid(monoid), u.base());
    return result;
  }
}
template <class M, value_type W>
W reduce(const M& monoid, const matrix<W>& a) {
  if constexpr (!detail::require_monoid_over<M, W>()) {
    return {};
  } else {
    W result = M::identity();
    detail::reduce(&result, describe_monoid(monoid), a.base());
    return result;
  }
}

// Operands of other types: an error of one sentence instead of a list of candidates.
template <class W, class M, class A, class Options = vector_options<bool>>
  requires(!(detail::written_vector<W> && matrix_operand<A>) && detail::some_of_ours<W, A>)
void reduce(W&, const M&, const A&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: reduce(w, monoid, A) takes a tropic::vector w, which is written, and a "
                "tropic::matrix A or transpose(A); reduce(monoid, u) gives one sum");
}
template <class M, class U>
  requires(!(detail::a_vector<U> || detail::a_matrix<U>) && detail::some_of_ours<M, U>)
int reduce(const M&, const U&) {
  static_assert(
      detail::never<U>,
      "tropic: reduce(monoid, u) takes a monoid and then a tropic::vector or tropic::matrix");
  return 0;
}

}  // namespace tropic
