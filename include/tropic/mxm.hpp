// SPDX-License-Identifier: Apache-2.0
#pragma once

// mxm over any semiring (GraphBLAS C API 2.1, 4.3.1), and its sum over a monoid.

#include <string_view>

#include <tropic/detail/cpu/mxm_kernels.hpp>
#include <tropic/plan.hpp>
#include <tropic/product.hpp>

namespace tropic {

namespace detail {
/// The semiring with the CPU kernels of products of matrices.
template <semiring_type S>
semiring_description describe_for_mxm(const S& semiring) {
  semiring_description result = describe_semiring(semiring);
  result.cpu_mxm_kernels = &cpu_mxm_kernels<S>::table;
  return result;
}
}  // namespace detail

/// c<mask> accum= A B: c(i,j) = sum over k of multiply(A(i,k), B(k,j)), in ascending order of k.
/// `a` and `b` are matrices or transpose(matrix); c may be one of them, or the mask. c has
/// a.rows() x b.columns() positions. Where no k has an entry in both, there is no entry. Columns of
/// every row ascend. Throws usage_error naming both dimensions if they do not match, out_of_memory
/// with the size of the result if that exceeds the memory or the context's limit; c is unchanged
/// then. docs/products.md: how it is computed.
template <value_type C, class S, matrix_operand A, matrix_operand B>
void mxm(matrix<C>& c, const S& semiring, const A& a, const B& b,
         const std::type_identity_t<matrix_options<C>>& options = {}) {
  if constexpr (detail::require_types<S, C, operand_value_t<A>, operand_value_t<B>>())
    detail::mxm(c.base(), detail::describe_for_mxm(semiring), detail::factor_of(a),
                detail::factor_of(b), detail::erase(options));
}

/// As mxm above, but runs the kernel named `kernel` instead of the one that the library chooses
/// (docs/products.md#kernels-and-why-one-is-chosen); "" leaves the choice to the library. The
/// result has the same bits. Also throws usage_error if the backend has no such kernel, naming
/// those that it has, and if the kernel computes the entries of a mask but no mask is given, or a
/// complemented one.
template <value_type C, class S, matrix_operand A, matrix_operand B>
void mxm(matrix<C>& c, const S& semiring, const A& a, const B& b,
         const std::type_identity_t<matrix_options<C>>& options, std::string_view kernel) {
  if constexpr (detail::require_types<S, C, operand_value_t<A>, operand_value_t<B>>()) {
    plan forced;
    forced.kernel = kernel;
    auto output = detail::erase(options);
    output.forced = &forced;
    detail::mxm(c.base(), detail::describe_for_mxm(semiring), detail::factor_of(a),
                detail::factor_of(b), output);
  }
}

/// The sum over a monoid of the entries of A B that the mask allows, without building the product;
/// the identity if there are none. On a CPU the order of the sum depends only on where the entries
/// are, not on threads, methods or kept transposes (docs/products.md). Counting the triangles of an
/// undirected graph whose lower triangle is L:
///
///   reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, T>{}, L, transpose(L),
///              structure(L))
template <class M, class S, matrix_operand A, matrix_operand B>
detail::result_type<S> reduce_mxm(const M& monoid, const S& semiring, const A& a, const B& b,
                                  const matrix_mask& mask = {}) {
  using Z = detail::result_type<S>;
  if constexpr (!detail::require_types<S, Z, operand_value_t<A>, operand_value_t<B>>()) {
    return {};
  } else if constexpr (!detail::require_monoid_over<M, Z>()) {
    return {};
  } else {
    if (mask.changes != nullptr) mask.changes->base();  // merges recorded changes
    Z result = M::identity();
    detail::reduce_mxm(&result, describe_monoid(monoid), detail::describe_for_mxm(semiring),
                       detail::factor_of(a), detail::factor_of(b), mask);
    return result;
  }
}

// Operands of other types: an error of one sentence instead of a list of candidates.
template <class C, class S, class A, class B, class Options = matrix_options<bool>>
  requires(!(detail::written_matrix<C> && matrix_operand<A> && matrix_operand<B>) &&
           detail::some_of_ours<C, A, B>)
void mxm(C&, const S&, const A&, const B&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: mxm(c, semiring, A, B) takes a tropic::matrix c, which is written, and A "
                "and B that are each a tropic::matrix or transpose(matrix)");
}

}  // namespace tropic
