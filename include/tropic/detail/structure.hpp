// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations on the structure of containers with their types erased (src/operations), like
// those of detail/operations.hpp. A null list means all positions.

#include <tropic/detail/operations.hpp>

namespace tropic::detail {

/// w(n) = u(list[n]).
TROPIC_API void extract(vector_base& w, const vector_base& u, const std::span<const index_t>* list,
                        const output_options<vector_base>&);
/// w(n) = A(rows[n], column).
TROPIC_API void extract(vector_base& w, matrix_factor a, const std::span<const index_t>* rows,
                        index_t column, const output_options<vector_base>&);
/// c(n, m) = A(rows[n], columns[m]).
TROPIC_API void extract(matrix_base& c, matrix_factor a, const std::span<const index_t>* rows,
                        const std::span<const index_t>* columns,
                        const output_options<matrix_base>&);

/// The length of the k-th diagonal of A; throws usage_error if it is outside of A.
TROPIC_API index_t diagonal_length(matrix_factor a, index_t k);
/// w(n) = the n-th entry of the k-th diagonal of A.
TROPIC_API void extract_diagonal(vector_base& w, matrix_factor a, index_t k,
                                 const output_options<vector_base>&);
/// The square matrix with the entries of v on its k-th diagonal.
TROPIC_API matrix_base diagonal_matrix(const vector_base& v, index_t k);

/// op(u, v) where either has an entry.
TROPIC_API void ewise_union(vector_base& w, const operator_description&, const vector_base& u,
                            const void* missing_u, const vector_base& v, const void* missing_v,
                            const output_options<vector_base>&);
TROPIC_API void ewise_union(matrix_base& c, const operator_description&, const matrix_base& a,
                            const void* missing_a, const matrix_base& b, const void* missing_b,
                            const output_options<matrix_base>&);

/// C<mask> accum= the Kronecker product of A and B.
TROPIC_API void kronecker(matrix_base& c, const operator_description&, matrix_factor a,
                          matrix_factor b, const output_options<matrix_base>&);

/// Matrices side by side, `columns` of them in each row of tiles.
TROPIC_API matrix_base concatenate(std::span<const matrix_base* const> tiles, std::size_t columns);
/// Vectors one after the other.
TROPIC_API vector_base concatenate(std::span<const vector_base* const> parts);
/// Parts of these heights and widths, by rows of tiles; those of a vector.
TROPIC_API std::vector<matrix_base> split(const matrix_base& a, std::span<const index_t> heights,
                                          std::span<const index_t> widths);
TROPIC_API std::vector<vector_base> split(const vector_base& u, std::span<const index_t> sizes);

/// Another number of positions; entries past the end are removed.
TROPIC_API void resize(vector_base& v, index_t size);
TROPIC_API void resize(matrix_base& a, index_t rows, index_t columns);

}  // namespace tropic::detail
