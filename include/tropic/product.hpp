// SPDX-License-Identifier: Apache-2.0
#pragma once

// mxv and vxm over any semiring (GraphBLAS C API 2.0, 4.3.2 and 4.3.3).

#include <tropic/detail/describe_semiring.hpp>
#include <tropic/detail/operations.hpp>

namespace tropic {

namespace detail {
template <class S>
struct result_of_semiring {
  using type = bool;  // not a semiring: a placeholder, so that there is only one error
};
template <semiring_type S>
struct result_of_semiring<S> {
  using type = typename S::z_type;
};
template <class S>
using result_type = typename result_of_semiring<S>::type;

/// True if the semiring's types are those of the operands; else a compile error of one sentence.
template <class S, class W, class First, class Second>
constexpr bool require_types() {
  if constexpr (!semiring_type<S>) {
    static_assert(never<S>,
                  "tropic: the second argument is a semiring<Monoid, Multiply>, as "
                  "plus_times<double>{}");
    return false;
  } else if constexpr (!require_semiring<typename S::monoid, typename S::operation,
                                         typename S::a_type, typename S::x_type>()) {
    return false;
  } else {
    constexpr bool first = std::is_same_v<typename S::a_type, First>;
    constexpr bool second = std::is_same_v<typename S::x_type, Second>;
    constexpr bool output = std::is_same_v<typename S::z_type, W>;
    static_assert(first,
                  "tropic: the semiring's first type is not that of the product's first operand");
    static_assert(!first || second,
                  "tropic: the semiring's second type is not that of the product's second operand");
    static_assert(!first || !second || output,
                  "tropic: the output does not hold the semiring's result type");
    return first && second && output;
  }
}
}  // namespace detail

/// w<mask> accum= A u: w(i) = sum over k of multiply(A(i,k), u(k)). `a` is a matrix or
/// transpose(matrix). w has a.rows() positions, u has a.columns(). A row that shares no position
/// with the entries of u gives no entry. Throws usage_error naming both dimensions if they do not
/// match.
template <value_type W, class S, matrix_operand A, value_type U>
void mxv(vector<W>& w, const S& semiring, const A& a, const vector<U>& u,
         const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_types<S, W, operand_value_t<A>, U>())
    detail::multiply("mxv", w.base(), detail::describe_for_mxv(semiring), detail::factor_of(a),
                     u.base(), detail::factor_order::matrix_first, detail::erase(options));
}
/// w'<mask> accum= u' A: w(j) = sum over k of multiply(u(k), A(k,j)). Otherwise like mxv.
template <value_type W, class S, matrix_operand A, value_type U>
void vxm(vector<W>& w, const S& semiring, const vector<U>& u, const A& a,
         const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_types<S, W, U, operand_value_t<A>>())
    detail::multiply("vxm", w.base(), detail::describe_for_vxm(semiring), detail::factor_of(a),
                     u.base(), detail::factor_order::vector_first, detail::erase(options));
}

/// The plan for `expected_calls` calls of mxv(w, semiring, a, u): inspects the matrix and estimates
/// every kernel of the device (docs/plan.md); below 50 calls the matrix is not inspected. The first
/// inspection on a device calibrates it, once, which may take a minute. Later products without a
/// plan use the result until the matrix changes. If u is not full, the kernel is chosen at each
/// call, and the plan contains the current choice. Throws usage_error if the product would, or for
/// less than one expected call.
template <class S, value_type A, value_type U>
plan inspect(const S& semiring, const matrix<A>& a, const vector<U>& u,
             index_t expected_calls = 1) {
  if constexpr (!detail::require_types<S, detail::result_type<S>, A, U>())
    return {};
  else
    return detail::inspect_product(describe_semiring(semiring), detail::factor_of(a), u.base(),
                                   detail::factor_order::matrix_first, expected_calls);
}

// Operands of other types: an error of one sentence instead of a list of candidates.
template <class W, class S, class A, class U, class Options = vector_options<bool>>
  requires(!(detail::written_vector<W> && matrix_operand<A> && detail::a_vector<U>) &&
           detail::some_of_ours<W, A, U>)
void mxv(W&, const S&, const A&, const U&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: mxv(w, semiring, A, u) takes tropic::vectors w and u, and a "
                "tropic::matrix A or transpose(A); w is written");
}
template <class W, class S, class U, class A, class Options = vector_options<bool>>
  requires(!(detail::written_vector<W> && detail::a_vector<U> && matrix_operand<A>) &&
           detail::some_of_ours<W, U, A>)
void vxm(W&, const S&, const U&, const A&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: vxm(w, semiring, u, A) takes tropic::vectors w and u, and a "
                "tropic::matrix A or transpose(A); w is written");
}

}  // namespace tropic
