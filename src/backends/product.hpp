// SPDX-License-Identifier: Apache-2.0
#pragma once

// A product as operations, plans and backends pass it on, and the rule by which a result is
// written.

#include <string_view>

#include <tropic/detail/containers.hpp>
#include <tropic/detail/full.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

/// w<mask> accum= t. A structural mask counts every stored entry, a valued one those that are not
/// zero; `replace` deletes what the mask leaves out.
template <class Container>
struct output_rule {
  const Container* mask = nullptr;
  bool structural = false, complemented = false;
  bool replace = false;
  const operator_description* accumulator = nullptr;
};
using vector_rule = output_rule<vector_base>;
using matrix_rule = output_rule<matrix_base>;

/// w = A u or w' = u' A. `transposed`: with A' for A. `vector_first`: vxm, multiply(u, a).
struct product {
  const semiring_description& semiring;
  const matrix_base& matrix;
  const vector_base& input;
  bool transposed = false;
  bool vector_first = false;
  bool neutral_is_none = false;  // sums that are the add's neutral value may be stored or left out

  /// The operation's name, in messages and logs.
  const char* operation() const { return vector_first ? "vxm" : "mxv"; }
  /// Whether a stored row of `matrix` is an output position (else an input position).
  bool rows_are_output() const { return transposed == vector_first; }
  index_t output_size() const { return rows_are_output() ? matrix.rows : matrix.columns; }
  /// The semiring's CPU kernels for this order of operands; null: the evaluator runs it.
  const cpu_kernel_table* cpu_kernels() const { return semiring.cpu_kernels[vector_first]; }
};

/// C = A B, or with A' for A, B' for B. `mask` of the rule may bound the work.
struct matrix_product {
  const semiring_description& semiring;
  const matrix_base& a;
  const matrix_base& b;
  bool a_transposed = false;
  bool b_transposed = false;
  std::string_view kernel{};  // of mxm_kernels; empty: the backend chooses

  index_t rows() const { return a_transposed ? a.columns : a.rows; }
  index_t inner() const { return a_transposed ? a.rows : a.columns; }
  index_t columns() const { return b_transposed ? b.rows : b.columns; }
};

/// C = A B with a sparse A and a full B, or a full A and a sparse B (`full_first`). `transposed`:
/// with the transpose of the sparse matrix.
struct full_product {
  const semiring_description& semiring;
  const matrix_base& sparse;
  const full_base& full;
  bool transposed = false;
  bool full_first = false;

  index_t sparse_rows() const { return transposed ? sparse.columns : sparse.rows; }
  index_t sparse_columns() const { return transposed ? sparse.rows : sparse.columns; }
  index_t rows() const { return full_first ? full.rows : sparse_rows(); }
  index_t columns() const { return full_first ? sparse_columns() : full.columns; }
};

/// Whether a vector of as many positions as a matrix has columns would be most of the work of a
/// product: the matrix has few rows, and few entries.
inline bool is_hypersparse(index_t rows, index_t nnz, index_t columns) {
  return columns / 16 > rows + nnz;
}

/// Whether a row is likely to exit early: or, and, any.
inline bool exits_early(const semiring_description& semiring) {
  const terminal t = semiring.add.terminal_value;
  return t == terminal::any_value || t == terminal::one || t == terminal::zero ||
         semiring.exits_at_first_product;
}

/// Whether sums are minima or maxima of floating numbers.
inline bool sums_compare(const semiring_description& semiring) {
  const type_code z = semiring.z().code;
  return semiring.add.exact && (z == type_code::fp32 || z == type_code::fp64);
}

}  // namespace tropic::detail
