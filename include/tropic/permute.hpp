// SPDX-License-Identifier: Apache-2.0
#pragma once

// Permutations of matrices and vectors, and useful orders (docs/permutation.md). For y = A x:
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
  random_row,         ///< rows at random
  random_row_column,  ///< rows at random, columns at random
  gradient_row,       ///< sparse and dense rows alternate, each group in random order (the paper's)
  gradient_row_column,  ///< the same for rows, and for columns
  degree,               ///< rows, or vertices, of many entries first
  rcm,                  ///< reverse Cuthill-McKee: a small bandwidth; only for square matrices
  dense_last,           ///< dense rows and columns last, the others in their original order
};

/// All of them, in that order.
TROPIC_API std::span<const permutation_kind> permutation_kinds();
/// The name on the command line: "random-row".
TROPIC_API std::string_view name_of(permutation_kind kind);
/// The kind of that name, if there is one.
TROPIC_API std::optional<permutation_kind> permutation_kind_named(std::string_view name);
/// Whether the order depends on the seed.
TROPIC_API bool is_random(permutation_kind kind);
/// Whether the kind is defined for a matrix of these dimensions.
TROPIC_API bool suits(permutation_kind kind, index_t rows, index_t columns);

/// An order of a matrix's rows and one of its columns.
struct row_column_permutation {
  permutation rows, columns;
};

/// Rows and columns with their dense ones last.
struct dense_partition {
  permutation rows, columns;
  index_t sparse_rows = 0, sparse_columns = 0;  ///< their number, before the dense ones
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

/// The orders of a's rows and columns of this kind; the same for every number of threads. `degree`
/// of a square matrix and `rcm` order rows and columns alike. Throws usage_error for `rcm` of a
/// rectangular matrix; cancelled. O(rows + columns + entries).
template <value_type T>
row_column_permutation make_permutation(const matrix<T>& a, permutation_kind kind,
                                        std::uint64_t seed = 0) {
  return detail::make_permutation(a.base(), kind, seed);
}
/// Makes an order of this kind for a graph's vertices: the order of the matrix's rows, applied to
/// the columns as well. For `dense_last`, a vertex is dense if its row or its column is dense.
/// Throws usage_error for a rectangular matrix; cancelled.
template <value_type T>
permutation make_relabelling(const matrix<T>& graph, permutation_kind kind,
                             std::uint64_t seed = 0) {
  return detail::make_relabelling(graph.base(), kind, seed);
}
/// Separates dense from sparse rows and columns. A row is dense if it has more than
/// max(16, factor * sqrt(columns)) entries, a column correspondingly: COLAMD's rule and its factor
/// (Davis, Gilbert, Larimore and Ng, "Algorithm 836", TOMS 2004). Throws usage_error unless the
/// factor is positive.
template <value_type T>
dense_partition partition_dense(const matrix<T>& a, double factor = 10) {
  return detail::partition_dense(a.base(), factor);
}

/// Moves row i of `a` to row rows.new_position(i), and column j to column columns.new_position(j).
/// Values are copied unchanged. Runs on a's device, except for 2^32 entries or more. A matrix known
/// to be symmetric remains so if both permutations are equal. Throws usage_error if sizes do not
/// match; cancelled; out_of_memory. O(rows + entries), on devices O(rows + entries log columns).
template <value_type T>
matrix<T> permute(const matrix<T>& a, const permutation& rows, const permutation& columns) {
  return matrix<T>(detail::permute(a.base(), rows, columns));
}
template <value_type T>
matrix<T> permute(const matrix<T>& a, const row_column_permutation& order) {
  return permute(a, order.rows, order.columns);
}
/// Moves the entry at i of `u` to p.new_position(i), unchanged; permute(u, p.inverse()) is the
/// inverse. Computed on the context's device. Throws usage_error if the sizes differ.
template <value_type T>
vector<T> permute(const vector<T>& u, const permutation& p) {
  return vector<T>(detail::permute(u.base(), p));
}

}  // namespace tropic
