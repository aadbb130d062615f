// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices and vectors with their positions in another order, and the orders that are worth it
// (docs/permutation.md). In y = A x a permuted matrix takes permuted vectors:
//
//   permute(y, p.rows) = permute(A, p.rows, p.columns) permute(x, p.columns)
//
// (Jain et al., "Entropy maximization in sparse matrix by vector multiplication", 2021, equation
// 1).

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <tropic/matrix.hpp>
#include <tropic/permutation.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// How rows and columns are ordered.
enum class permutation_kind {
  none,
  random_row,           ///< rows at random
  random_row_column,    ///< rows at random, columns at random
  gradient_row,         ///< sparse and dense rows dealt in turns, each side at random (the paper's)
  gradient_row_column,  ///< the same for rows, and for columns
  degree,               ///< rows, or vertices, of many entries first
  rcm,                  ///< reverse Cuthill-McKee: a small bandwidth; square matrices alone
  dense_last,           ///< dense rows and columns last, else as they were
};

/// All of them, in that order.
TROPIC_API std::span<const permutation_kind> permutation_kinds();
/// As the command line has it: "random-row".
TROPIC_API std::string_view name_of(permutation_kind kind);
/// The kind of that name, if there is one.
TROPIC_API std::optional<permutation_kind> permutation_kind_named(std::string_view name);
/// Whether its order depends on the seed.
TROPIC_API bool is_random(permutation_kind kind);
/// Whether the kind is there for a matrix of that shape.
TROPIC_API bool suits(permutation_kind kind, index_t rows, index_t columns);

/// An order of a matrix's rows and one of its columns.
struct row_column_permutation {
  permutation rows, columns;
};

/// Rows and columns with their dense ones last.
struct dense_partition {
  permutation rows, columns;
  index_t sparse_rows = 0, sparse_columns = 0;  ///< what stands before the dense ones
};

namespace detail {
TROPIC_API row_column_permutation make_permutation(const matrix_base&, permutation_kind,
                                                   std::uint64_t seed);
TROPIC_API permutation make_relabelling(const matrix_base& graph, permutation_kind,
                                        std::uint64_t seed);
TROPIC_API dense_partition partition_dense(const matrix_base&, double factor);
TROPIC_API matrix_base permute(const matrix_base&, const permutation& rows,
                               const permutation& columns);
TROPIC_API vector_base permute(const vector_base&, const permutation&);
}  // namespace detail

/// The kind's order of a's rows and of its columns; the same for every number of threads. `degree`
/// of a square matrix and `rcm` give both the same order. Throws usage_error for `rcm` of a
/// rectangle; cancelled. O(rows + columns + entries).
template <value_type T>
row_column_permutation make_permutation(const matrix<T>& a, permutation_kind kind,
                                        std::uint64_t seed = 0) {
  return detail::make_permutation(a.base(), kind, seed);
}
/// The kind's order of a graph's vertices: its order of the matrix's rows, which columns then
/// follow. Under `dense_last` a vertex is dense where its row or its column is. Throws usage_error
/// for a rectangle; cancelled.
template <value_type T>
permutation make_relabelling(const matrix<T>& graph, permutation_kind kind,
                             std::uint64_t seed = 0) {
  return detail::make_relabelling(graph.base(), kind, seed);
}
/// Splits dense from sparse. A row is dense where it has more than max(16, factor * sqrt(columns))
/// entries, a column likewise: COLAMD's rule and its factor (Davis, Gilbert, Larimore and Ng,
/// "Algorithm 836", TOMS 2004). Throws usage_error unless the factor is positive.
template <value_type T>
dense_partition partition_dense(const matrix<T>& a, double factor = 10) {
  return detail::partition_dense(a.base(), factor);
}

/// Row i of `a` becomes row rows.new_position(i), column j column columns.new_position(j); values
/// are copied bit by bit. In a's context, by way of the host. A matrix that knows that it is
/// symmetric still does where both orders are one. Throws usage_error where sizes do not fit;
/// cancelled; out_of_memory. O(rows + entries).
template <value_type T>
matrix<T> permute(const matrix<T>& a, const permutation& rows, const permutation& columns) {
  return matrix<T>(detail::permute(a.base(), rows, columns));
}
template <value_type T>
matrix<T> permute(const matrix<T>& a, const row_column_permutation& order) {
  return permute(a, order.rows, order.columns);
}
/// The entry at i of `u` goes to p.new_position(i), bit by bit; permute(u, p.inverse()) takes it
/// back. On a device nothing of u comes to the host. Throws usage_error where the sizes differ.
template <value_type T>
vector<T> permute(const vector<T>& u, const permutation& p) {
  return vector<T>(detail::permute(u.base(), p));
}

}  // namespace tropic
