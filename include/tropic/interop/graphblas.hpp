// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices and vectors from and to SuiteSparse:GraphBLAS 7 or newer, and its mxv and mxm on a
// device of ours (docs/interop.md). Opt-in: include it beside tropic/tropic.hpp and link
// Tropic::graphblas.
//
//   GraphBLAS -> Tropic   copy<T>(context, A)   A stays as it is
//                         take<T>(context, A)   moves: A has no entries afterwards. Arrays are not
//                                               copied where widths allow it
//   Tropic -> GraphBLAS   copy(m)               m stays as it is
//                         give(std::move(m))    moves: arrays that came by take() are not copied
//                         lend(m)               shares the arrays (GraphBLAS >= 10)
//
// T must be exactly the type that the object holds: nothing is typecast. Every function is all or
// nothing: if it throws, both sides are unchanged. Functions throw usage_error for a wrong type, an
// absent object, or a dimension greater than 2^32; out_of_memory if the context's limit is
// exceeded; and graphblas_error, with the text of GraphBLAS, if one of its functions fails.
// GraphBLAS must be initialised. Arrays that were taken may outlive GrB_finalize; GraphBLAS objects
// may not.

#include <tropic/interop/graphblas/matrix_product.hpp>
#include <tropic/interop/graphblas/product.hpp>
#include <tropic/interop/graphblas/standard.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::graphblas {

/// The entries of `a`, copied through the standard's export in that format; by default in the one
/// that GraphBLAS hints at.
template <builtin_value_type T>
matrix<T> copy(const context& where, GrB_Matrix a, std::optional<GrB_Format> format = {}) {
  return matrix<T>(internal::export_matrix(where.state(), a, describe<T>(), format));
}
/// The entries of `v`, copied.
template <builtin_value_type T>
vector<T> copy(const context& where, GrB_Vector v) {
  return vector<T>(internal::export_vector(where.state(), v, describe<T>()));
}

/// A new GraphBLAS matrix, made by the standard's import in that format, which checks it.
template <builtin_value_type T>
owned_matrix copy(const matrix<T>& m, GrB_Format format = GrB_CSR_FORMAT) {
  return internal::import_matrix(m.base(), format);
}
/// A new GraphBLAS vector.
template <builtin_value_type T>
owned_vector copy(const vector<T>& v) {
  return internal::import_vector(v.base());
}

/// Moves the contents of `a` to a new matrix: `a` keeps its type and shape, has no entries
/// afterwards, and is still the caller's to free. Not copied: values held by row in order (sparse,
/// hypersparse or full); offsets of a sparse matrix; from GraphBLAS 10 on its 32-bit columns. All
/// else is converted within the context's memory limit. Arrays that GraphBLAS holds read-only are
/// copied.
template <builtin_value_type T>
matrix<T> take(const context& where, GrB_Matrix a) {
  internal::check_object("take: the matrix", a, &describe<T>());
  internal::taken_out<GrB_Matrix> out(a);
  if (out.all.entries == 0)
    return matrix<T>(where, static_cast<index_t>(out.all.rows),
                     static_cast<index_t>(out.all.columns));
  matrix<T> result(internal::to_csr(where.state(), describe<T>(), out.all));
  out.keep();
  return result;
}
/// Moves the contents of `v` to a new vector, as for a matrix. Not copied: values, unless all
/// share one; the bitmap; from GraphBLAS 10 on its 32-bit indices.
template <builtin_value_type T>
vector<T> take(const context& where, GrB_Vector v) {
  internal::check_object("take: the vector", v, &describe<T>());
  internal::taken_out<GrB_Vector> out(v);
  if (out.all.entries == 0) return vector<T>(where, static_cast<index_t>(out.all.rows));
  vector<T> result(internal::to_vector(where.state(), describe<T>(), out.all));
  out.keep();
  return result;
}

/// Moves the contents of `m` to a new GraphBLAS matrix, by row. Arrays that came
/// by take() are returned without a copy unless they have other users or their width is not
/// GraphBLAS's (before version 10: 64-bit offsets go back, columns are copied).
template <builtin_value_type T>
owned_matrix give(matrix<T>&& m) {
  owned_matrix result = internal::new_matrix(describe<T>(), m.rows(), m.columns());
  internal::outgoing out;
  m.base().derived = tropic::detail::make_derived_copies();  // which may share its arrays
  internal::write_matrix(out, m.base(), internal::transfer::move);
  out.go(result.get());
  const matrix<T> gone = std::move(m);
  return result;
}
/// Moves the contents of `v` to a new GraphBLAS vector, as for a matrix.
template <builtin_value_type T>
owned_vector give(vector<T>&& v) {
  owned_vector result = internal::new_vector(describe<T>(), v.size());
  internal::outgoing out;
  internal::write_vector(out, v.base(), internal::transfer::move);
  out.go(result.get());
  const vector<T> gone = std::move(v);
  return result;
}

}  // namespace tropic::graphblas

#if GxB_IMPLEMENTATION_MAJOR >= 10
#include <tropic/interop/graphblas/lend.hpp>
#endif
