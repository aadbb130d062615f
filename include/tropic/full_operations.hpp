// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations whose result is a full matrix (docs/products.md#full-matrices): products with sparse
// matrices, and everything between two products of a loop over batches. Masks are full or sparse
// matrices, or structure() and complement() of one; shapes are those of the result. Each throws
// usage_error naming both shapes if they do not match.
//
//   tropic::mxm(next, tropic::any_secondi<bool>{}, tropic::transpose(graph), frontier,
//               {.mask = complement(structure(parent)), .replace = true});

#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/detail/cpu/spmm_kernels.hpp>
#include <tropic/ewise.hpp>
#include <tropic/full_matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/reduce.hpp>

namespace tropic {

/// A mask over a full matrix: a full matrix or a matrix, which must outlive the call. Entries that
/// are zero or false are ignored unless it is structural. Records need structure().
struct full_mask {
  detail::mask_base<detail::full_base> full;
  detail::mask_base<detail::matrix_base> sparse;

  full_mask() = default;
  template <value_type T>
  full_mask(const full_matrix<T>& m) : full{&m.base(), false, false, nullptr} {
    static_assert(!record_traits<T>::is_record,
                  "tropic: a record is neither zero nor true, so this mask counts entries alone: "
                  "write structure(mask)");
  }
  template <value_type T>
  full_mask(const matrix<T>& m) : sparse(matrix_mask(m)) {}
  full_mask(const matrix_mask& m) : sparse(m) {}
};
template <value_type T>
full_mask structure(const full_matrix<T>& m) {
  full_mask result;
  result.full = {&m.base(), true, false, nullptr};
  return result;
}
inline full_mask complement(full_mask m) {
  bool& complemented = m.sparse.container != nullptr ? m.sparse.complemented : m.full.complemented;
  complemented = !complemented;
  return m;
}
template <value_type T>
full_mask complement(const full_matrix<T>& m) {
  return complement(full_mask(m));
}

/// Options of an operation whose output is a full_matrix<T>.
template <value_type T>
struct full_options {
  full_mask mask{};
  accumulator<T> accumulate{};
  bool replace = false;
};

/// The transpose of a full matrix as the operand of reduce.
template <value_type T>
struct transposed_full_view {
  const full_matrix<T>& of;
};
template <value_type T>
transposed_full_view<T> transpose(const full_matrix<T>& a) {
  return {a};
}

namespace detail {
template <value_type T>
full_output erase(const full_options<T>& o) {
  if (o.mask.sparse.changes != nullptr) o.mask.sparse.changes->base();  // merges recorded changes
  return {o.mask.full, o.mask.sparse, o.accumulate.get(), o.replace};
}
/// The semiring with the CPU kernels of products with full matrices.
template <semiring_type S>
semiring_description describe_for_spmm(const S& semiring) {
  semiring_description result = describe_semiring(semiring);
  result.cpu_spmm_kernels = &cpu_spmm_kernels<S>::table;
  return result;
}
}  // namespace detail

/// c<mask> accum= A B (GraphBLAS C API 2.1, 4.3.1): c(i,j) = sum over k of multiply(A(i,k),
/// B(k,j)), in ascending order of k, where both have an entry. `a` is a matrix or
/// transpose(matrix). Column j of c is the mxv of A with column j of B. c may be b or the mask.
/// Throws out_of_memory, with c unchanged.
template <value_type C, class S, matrix_operand A, value_type B>
void mxm(full_matrix<C>& c, const S& semiring, const A& a, const full_matrix<B>& b,
         const std::type_identity_t<full_options<C>>& options = {}) {
  if constexpr (detail::require_types<S, C, operand_value_t<A>, B>())
    detail::mxm(c.base(), detail::describe_for_spmm(semiring), detail::factor_of(a), b.base(),
                detail::erase(options));
}
/// The same with the full matrix first: row i of c is the vxm of row i of `a` with B.
template <value_type C, class S, value_type A, matrix_operand B>
void mxm(full_matrix<C>& c, const S& semiring, const full_matrix<A>& a, const B& b,
         const std::type_identity_t<full_options<C>>& options = {}) {
  if constexpr (detail::require_types<S, C, A, operand_value_t<B>>())
    detail::mxm(c.base(), detail::describe_for_spmm(semiring), a.base(), detail::factor_of(b),
                detail::erase(options));
}
/// The same of two full matrices. A has column numbers in the meantime, 4 bytes a position: this is
/// for small ones, and no replacement of a BLAS.
template <value_type C, class S, value_type A, value_type B>
void mxm(full_matrix<C>& c, const S& semiring, const full_matrix<A>& a, const full_matrix<B>& b,
         const std::type_identity_t<full_options<C>>& options = {}) {
  if constexpr (detail::require_types<S, C, A, B>())
    detail::mxm(c.base(), detail::describe_for_spmm(semiring), a.base(), b.base(),
                detail::erase(options));
}

/// c<mask> accum= a + b: op where both have an entry, the entry itself where only one has.
/// Operators that use positions are slower here and in the next three: they run over CSR.
template <value_type C, class Op, value_type A, value_type B>
void ewise_add(full_matrix<C>& c, const Op& op, const full_matrix<A>& a, const full_matrix<B>& b,
               const std::type_identity_t<full_options<C>>& options = {}) {
  if constexpr (detail::require_same_value<C, A, B>())
    detail::ewise("ewise_add", c.base(), detail::ewise_positions::set_union,
                  detail::describe_elementwise<C, C, C>(op), a.base(), b.base(),
                  detail::erase(options));
}
/// c<mask> accum= a * b: op where both have an entry, nothing elsewhere.
template <value_type C, class Op, value_type A, value_type B>
void ewise_multiply(full_matrix<C>& c, const Op& op, const full_matrix<A>& a,
                    const full_matrix<B>& b,
                    const std::type_identity_t<full_options<C>>& options = {}) {
  detail::ewise("ewise_multiply", c.base(), detail::ewise_positions::intersection,
                detail::describe_elementwise<C, A, B>(op), a.base(), b.base(),
                detail::erase(options));
}
/// c<mask> accum= op(a), as apply of matrices.
template <value_type C, class Op, value_type A>
void apply(full_matrix<C>& c, const Op& op, const full_matrix<A>& a,
           const std::type_identity_t<full_options<C>>& options = {}) {
  detail::apply(c.base(), describe_unary<C, A>(op), a.base(), detail::erase(options));
}
/// c<mask> accum= the entries of a for which the predicate holds.
template <value_type C, class Predicate, value_type A>
void select(full_matrix<C>& c, const Predicate& predicate, const full_matrix<A>& a,
            const std::type_identity_t<full_options<C>>& options = {}) {
  if constexpr (detail::require_same_value<C, A>())
    detail::select(c.base(), describe_unary<bool, C>(predicate), a.base(), detail::erase(options));
}
/// c<mask> accum= value, at every position that the mask allows.
template <value_type C>
void assign(full_matrix<C>& c, const std::type_identity_t<C>& value,
            const std::type_identity_t<full_options<C>>& options = {}) {
  detail::assign(c.base(), &value, detail::erase(options));
}
/// c<mask> accum= a.
template <value_type C, value_type A>
void assign(full_matrix<C>& c, const full_matrix<A>& a,
            const std::type_identity_t<full_options<C>>& options = {}) {
  if constexpr (detail::require_same_value<C, A>())
    detail::assign(c.base(), a.base(), detail::erase(options));
}
/// The sum of all entries; the identity if there are none. Synchronises.
template <class M, value_type T>
T reduce(const M& monoid, const full_matrix<T>& a) {
  if constexpr (!detail::require_monoid_over<M, T>()) {
    return {};
  } else {
    T result = M::identity();
    detail::reduce(&result, describe_monoid(monoid), a.base().flat());
    return result;
  }
}
/// w<mask> accum= the sum of each row of a; of each column for transpose(a). A row without entries
/// gives none.
template <value_type W, class M>
void reduce(vector<W>& w, const M& monoid, const full_matrix<W>& a,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_monoid_over<M, W>())
    detail::reduce(w.base(), describe_monoid(monoid), a.base(), false, detail::erase(options));
}
template <value_type W, class M>
void reduce(vector<W>& w, const M& monoid, const transposed_full_view<W>& a,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_monoid_over<M, W>())
    detail::reduce(w.base(), describe_monoid(monoid), a.of.base(), true, detail::erase(options));
}

// Operands of other types: an error of one sentence instead of a list of candidates.
template <class C, class S, class A, class B, class Options = full_options<bool>>
  requires(detail::a_full_matrix<C> || detail::a_full_matrix<A> || detail::a_full_matrix<B>)
void mxm(C&, const S&, const A&, const B&, const Options& = {}) {
  static_assert(detail::never<Options>,
                "tropic: with a full matrix, mxm(c, semiring, A, B) takes a tropic::full_matrix c, "
                "which is written, and A and B of which one is a tropic::full_matrix and the other "
                "one that, too, or a tropic::matrix or transpose(matrix)");
}

}  // namespace tropic
