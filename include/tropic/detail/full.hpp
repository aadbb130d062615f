// SPDX-License-Identifier: Apache-2.0
#pragma once

// Full matrices with their type erased: a vector of rows x columns positions, row-major. Operations
// on single positions are those of vectors, which have the kernels already
// (src/operations/full.cpp).

#include <memory>

#include <tropic/detail/arrays.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/detail/operations.hpp>

namespace tropic::detail {

/// Borrowed rows that are further apart than their number of columns, and the packed copy that
/// operations on vectors need, made at the first of them.
struct strided_cells;  // src/containers/full.hpp

/// Position (i, j) is number i * columns + j of `cells`. A moved-from full matrix is 0x0.
struct TROPIC_API full_base {
  index_t rows = 0, columns = 0;
  /// While `strided` is set, only context, type and size are valid.
  vector_base cells;
  std::shared_ptr<strided_cells> strided;

  full_base() = default;
  full_base(const full_base&) = default;
  full_base(full_base&&) noexcept;
  full_base& operator=(const full_base&) = default;
  full_base& operator=(full_base&&) noexcept;
  ~full_base() = default;

  /// The cells without gaps between rows. Several threads may call the const one at once.
  const vector_base& flat() const;
  vector_base& flat();
  index_t nvals() const;
  std::size_t bytes() const;
};

/// Throws usage_error if there would be more than 2^32 positions.
TROPIC_API full_base empty_full(const context_pointer&, const type_description&, index_t rows,
                                index_t columns);
TROPIC_API full_base filled_full(const context_pointer&, const type_description&, index_t rows,
                                 index_t columns, const void* value);
/// `leading`: the distance between the beginnings of two rows, at least `columns`; 0: `columns`.
TROPIC_API full_base full_from_array(const context_pointer&, const type_description&, index_t rows,
                                     index_t columns, given_array values, index_t leading);
/// `present`: a byte a position, 0 or 1.
TROPIC_API full_base full_from_bitmap(const context_pointer&, const type_description&, index_t rows,
                                      index_t columns, given_array present, given_array values);
/// The entries of a matrix or a vector (as a column, as a row).
TROPIC_API full_base full_of(const matrix_base&);
enum class vector_place : std::uint8_t { column, row };
TROPIC_API full_base full_of(const vector_base&, vector_place);
/// The entries in CSR.
TROPIC_API matrix_base matrix_of(const full_base&);
/// A row or a column.
TROPIC_API vector_base row_of(const full_base&, index_t i);
TROPIC_API vector_base column_of(const full_base&, index_t j);
/// Throws usage_error past the end; otherwise the number of the position.
TROPIC_API index_t cell_of(const full_base&, index_t i, index_t j);
TROPIC_API full_base copy_to(const context_pointer&, const full_base&);

// --- operations (src/operations/full.cpp) --------------------------------------------------------

/// The mask is full, or a sparse matrix.
struct full_output {
  mask_base<full_base> mask;
  mask_base<matrix_base> sparse_mask;
  const operator_description* accumulator = nullptr;
  bool replace = false;
};
/// c<mask> accum= A B.
TROPIC_API void mxm(full_base& c, const semiring_description&, matrix_factor a, const full_base& b,
                    const full_output&);
TROPIC_API void mxm(full_base& c, const semiring_description&, const full_base& a, matrix_factor b,
                    const full_output&);
TROPIC_API void mxm(full_base& c, const semiring_description&, const full_base& a,
                    const full_base& b, const full_output&);
TROPIC_API void ewise(const char* name, full_base& c, ewise_positions, const operator_description&,
                      const full_base& a, const full_base& b, const full_output&);
TROPIC_API void apply(full_base& c, const unary_description&, const full_base& a,
                      const full_output&);
TROPIC_API void select(full_base& c, const unary_description&, const full_base& a,
                       const full_output&);
TROPIC_API void assign(full_base& c, const void* value, const full_output&);
TROPIC_API void assign(full_base& c, const full_base& a, const full_output&);
/// Row i or column j of c becomes u.
TROPIC_API void assign_row(full_base& c, index_t i, const vector_base& u);
TROPIC_API void assign_column(full_base& c, index_t j, const vector_base& u);
/// The sum of each row, or of each column.
TROPIC_API void reduce(vector_base& w, const monoid_description&, const full_base& a,
                       bool transposed, const output_options<vector_base>&);

}  // namespace tropic::detail
