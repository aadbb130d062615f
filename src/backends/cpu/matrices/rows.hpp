// SPDX-License-Identifier: Apache-2.0
#pragma once

// What operations on matrices share: blocks of rows with about equal work, results built row by row
// in two passes (count, fill), and the merge of two matrices under a mask.

#include <vector>

#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/product.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

/// Marks a result as a new matrix: fresh versions, no conversions, no statistics.
void renew(matrix_base& m);
matrix_base matrix_shell(const memory_side& here, const type_description& type, index_t rows,
                         index_t columns);

/// Rows divided so that every block has about equal work: its entries in up to three matrices, and
/// its rows.
class row_blocks {
 public:
  explicit row_blocks(const matrix_view& a, const matrix_view* b = nullptr,
                      const matrix_view* c = nullptr);
  /// `work_before(row)`: that of all rows before it.
  template <class WorkBefore>
  row_blocks(std::size_t rows, const WorkBefore& work_before) {
    const std::size_t blocks = chunks_of(work_before(rows));
    first_.resize(blocks + 1, rows);
    first_[0] = 0;
    for (std::size_t block = 1; block < blocks; ++block) {
      const std::size_t wanted = block * chunk_size;
      first_[block] = partition_point(first_[block - 1], rows,
                                      [&](std::size_t row) { return work_before(row) < wanted; });
    }
  }
  std::size_t count() const { return first_.size() - 1; }
  std::size_t begin(std::size_t block) const { return first_[block]; }

 private:
  std::vector<std::size_t> first_;
};

/// Turns the row lengths in length[0 .. rows) into m's offsets, its nnz, longest and empty rows,
/// and allocates its columns, and its values unless it is iso.
void lay_out(const memory_side& here, matrix_base& m, const buffer_pointer& length);

/// How two matrices are merged. At every position that the mask allows and the scope covers:
///   union         op(a, b) where both have an entry, otherwise the existing one;
///   intersection  op(a, b) where both have one;
///   op null       b's entry or none.
/// Elsewhere a keeps its entries, except that `replace` deletes those that the mask excludes.
struct row_rule {
  const operator_description* op = nullptr;
  bool is_intersection = false;
  const matrix_base* mask = nullptr;
  bool structural = false, complemented = false, replace = false;
  // One flag per row and column: where `op null` may delete a's entries. Null: everywhere.
  const std::uint8_t* row_scope = nullptr;
  const std::uint8_t* column_scope = nullptr;
};
matrix_base merge_rows(const memory_side& here, const type_description& type, const matrix_base& a,
                       const matrix_base& b, const row_rule& rule);

/// c<mask> accum= t, with the scope of an assign. c is unchanged if this throws.
void write_matrix(const memory_side& here, matrix_base& c, matrix_base t, const matrix_rule& rule,
                  const std::uint8_t* row_scope = nullptr,
                  const std::uint8_t* column_scope = nullptr);

/// The transpose of a in CSR.
matrix_base transposed(const memory_side& here, const matrix_base& a);

}  // namespace tropic::detail::on_cpu
