// SPDX-License-Identifier: Apache-2.0
#pragma once

// mxv and vxm over any semiring (GraphBLAS C API 2.0, 4.3.2 and 4.3.3).

#include <tropic/detail/describe_semiring.hpp>
#include <tropic/detail/operations.hpp>

namespace tropic {

namespace detail {
template <class S, class First, class Second>
constexpr void check_operand_types() {
  static_assert(std::is_same_v<typename S::a_type, First>,
                "tropic: the semiring's first type is not that of the product's first operand");
  static_assert(std::is_same_v<typename S::x_type, Second>,
                "tropic: the semiring's second type is not that of the product's second operand");
}
template <class S, class W, class First, class Second>
constexpr void check_types() {
  static_assert(semiring_type<S>, "tropic: the second argument is a semiring<Monoid, Multiply>");
  check_operand_types<S, First, Second>();
  static_assert(std::is_same_v<typename S::z_type, W>,
                "tropic: the output does not hold the semiring's result type");
}
}  // namespace detail

/// w<mask> accum= A u: w(i) = sum over k of multiply(A(i,k), u(k)). w has A.rows() positions, u has
/// A.columns(). A position whose row meets no entry of u gets no entry. Throws usage_error naming
/// both shapes where they do not fit.
template <value_type W, class S, value_type A, value_type U>
void mxv(vector<W>& w, const S& ring, const matrix<A>& a, const vector<U>& u,
         const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::check_types<S, W, A, U>();
  detail::multiply("mxv", w.base(), describe_semiring(ring), a.base(), false, u.base(), false,
                   detail::erase(options));
}
/// w<mask> accum= A' u.
template <value_type W, class S, value_type A, value_type U>
void mxv(vector<W>& w, const S& ring, transposed_view<A> a, const vector<U>& u,
         const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::check_types<S, W, A, U>();
  detail::multiply("mxv", w.base(), describe_semiring(ring), a.of.base(), true, u.base(), false,
                   detail::erase(options));
}
/// w'<mask> accum= u' A: w(j) = sum over k of multiply(u(k), A(k,j)).
template <value_type W, class S, value_type A, value_type U>
void vxm(vector<W>& w, const S& ring, const vector<U>& u, const matrix<A>& a,
         const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::check_types<S, W, U, A>();
  detail::multiply("vxm", w.base(), describe_semiring(ring), a.base(), false, u.base(), true,
                   detail::erase(options));
}
/// w'<mask> accum= u' A'.
template <value_type W, class S, value_type A, value_type U>
void vxm(vector<W>& w, const S& ring, const vector<U>& u, transposed_view<A> a,
         const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::check_types<S, W, U, A>();
  detail::multiply("vxm", w.base(), describe_semiring(ring), a.of.base(), true, u.base(), true,
                   detail::erase(options));
}

/// The plan for `expected_calls` of mxv(w, ring, a, u): the matrix is inspected, every kernel of
/// the device weighed (docs/plan.md); for fewer than 50 calls nothing is looked at. The first one
/// on a device measures it, which takes seconds, once. Products that are given no plan run by it
/// from then on, as long as the matrix stays as it is. Where u has gaps the choice is made at each
/// call, and the plan says what it would be now. Throws usage_error where the product would, and
/// for less than one expected call.
template <class S, value_type A, value_type U>
plan inspect(const S& ring, const matrix<A>& a, const vector<U>& u, index_t expected_calls = 1) {
  static_assert(semiring_type<S>, "tropic: the first argument is a semiring<Monoid, Multiply>");
  detail::check_operand_types<S, A, U>();
  return detail::inspect_product(describe_semiring(ring), a.base(), false, u.base(), false,
                                 expected_calls);
}

}  // namespace tropic
