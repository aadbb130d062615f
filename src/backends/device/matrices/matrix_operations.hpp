// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations on matrices by the device, as long as 32 bits count their entries.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "backends/device/vectors/vector_operations.hpp"
#include "backends/operations.hpp"
#include "backends/pattern_counts.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail {

/// How rows are divided in counting triangles (triangles.kernel), by their entries in the matrix of
/// those that are ahead.
struct triangle_limits {
  /// A group whose hash table holds so many columns, a power of two. Rows of more than `max_length`
  /// go to the next one; those that are too long for the last one are entered in pieces of so many.
  struct table {
    std::uint32_t group, lanes, slots, max_length;
  };
  std::uint32_t most_merged = 16;  // rows of so many entries are merged
  std::array<table, 3> tables{{{64, 16, 512, 128}, {128, 32, 2048, 512}, {256, 32, 4096, 2048}}};
  std::uint32_t chunk = 1024;  // entries of the matrix that a group counts at
  std::uint64_t work_items = std::uint64_t{1} << 26;  // of a launch, between two checkpoints
};

/// The programs that count them: of lists, of merged rows, and of each table.
struct triangle_programs {
  static program_request listing(const device_traits&);
  static program_request merging(const device_traits&);
  static program_request table(const device_traits&, const triangle_limits&,
                               const triangle_limits::table&);
};

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
  std::optional<std::vector<std::uint32_t>> rows_by_entries(const matrix_base&);
  std::optional<index_t> connect(vector_base& label, const matrix_base&);
  std::optional<peeling> peel(vector_base& level, const vector_base& count, const matrix_base&);
  std::optional<std::int64_t> count_triangles(const matrix_base&);
  std::optional<found_communities> find_communities(vector_base& community, const matrix_base&,
                                                    bool weighted, double resolution);
  /// Tests lower them.
  triangle_limits& limits_of_triangles() { return triangle_limits_; }
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
  triangle_limits triangle_limits_;
};

}  // namespace tropic::detail
