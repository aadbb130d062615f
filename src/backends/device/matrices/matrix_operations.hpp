// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations on matrices by the device, as long as 32 bits count their entries.

#include <optional>

#include "backends/device/vectors/vector_operations.hpp"
#include "backends/operations.hpp"
#include "backends/pattern_counts.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail {

class matrix_operations {
 public:
  matrix_operations(device_context& device, vector_operations& vectors)
      : device_(device), vectors_(vectors) {}

  // As in backends/backend.hpp. False, or nothing: the device cannot do it, and nothing has
  // changed.
  bool ewise(matrix_base& c, combination, const operator_description&, const matrix_base& a,
             const matrix_base& b, const matrix_rule&);
  bool apply(matrix_base& c, const unary_description&, const matrix_base& a, const matrix_rule&);
  bool select(matrix_base& c, const unary_description&, const matrix_base& a, const matrix_rule&);
  bool reduce(void* result, const monoid_description&, const matrix_base& a);
  bool assign(matrix_base& c, const void* value, const positions& rows, const positions& columns,
              const matrix_rule&);
  bool assign(matrix_base& c, const matrix_base& a, const positions& rows, const positions& columns,
              const matrix_rule&);
  void transpose(matrix_base& c, const matrix_base& a, const matrix_rule&);
  bool extract(vector_base& w, const matrix_line&, const vector_rule&);

  std::optional<hot_columns> to_hot_columns(const matrix_base&);
  std::optional<pattern_counts> inspect(const matrix_base&, std::uint64_t wanted);
  std::optional<matrix_base> permute(const matrix_base&, const permutation& rows,
                                     const permutation& columns);
  std::optional<index_t> connect(vector_base& label, const matrix_base&);
  std::optional<peeling> peel(vector_base& level, const vector_base& count, const matrix_base&);
  bool examine(matrix_base& m, const csr_words& words, bool trusted);
  /// Null also where an index is not below `limit`.
  buffer_pointer narrowed(const buffer_pointer& wide, std::size_t count, index_t limit);

  // --- steps of products -------------------------------------------------------------------------

  /// The transpose, made once and kept with the matrix.
  std::shared_ptr<const matrix_base> transpose_of(const matrix_base&);
  /// The entries of m in the rows of u's entries (u full or a bitmap), transposed.
  matrix_base pushed_part(std::string_view operation, const matrix_base& m, const vector_base& u);
  /// The epilogue: c<mask> accum= t, on the host if the device cannot do it.
  void write_back(matrix_base& c, matrix_base&& t, const matrix_rule&);

 private:
  matrix_base transposed(const matrix_base&);
  struct entry_call;
  void over_entries(std::string_view operation, const entry_call&, const char* kernel,
                    const matrix_base& a, std::uint64_t entries, void* to);
  // Of assign.
  struct listing;
  matrix_base moved(const matrix_base& c, const matrix_base& a, const listing& rows,
                    const listing& columns);
  buffer_pointer in_lists(const matrix_base& m, const listing& rows, const listing& columns,
                          bool wanted);
  std::optional<matrix_base> spread_value(const matrix_base& c, const void* value,
                                          const listing& rows, const listing& columns,
                                          const matrix_rule&);
  matrix_base cross_product(const matrix_base& c, const buffer_pointer& value, const listing& rows,
                            const listing& columns);
  bool write_listed(matrix_base& c, matrix_base&& t, const listing& rows, const listing& columns,
                    const matrix_rule&);

  device_context& device_;
  vector_operations& vectors_;
};

}  // namespace tropic::detail
