// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations of a backend. Everything that crosses this interface is a run-time value;
// dimensions, types and contexts were checked by the caller. A backend implements each operation
// whole, mask, accumulator and replace included, so that the reference can follow the GraphBLAS
// definition literally while the others fuse what pays.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <tropic/detail/communities.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/detail/peel.hpp>
#include <tropic/permutation.hpp>
#include <tropic/semirings/semiring.hpp>

#include "backends/ordered_rounds.hpp"
#include "backends/product.hpp"
#include "backends/vector_step.hpp"

namespace tropic::detail {

/// Rounds of iterate_until (include/tropic/iterate.hpp), which states what one does.
struct iteration {
  const semiring_description& semiring;
  const matrix_base& matrix;
  const operator_description* improves = nullptr;
  const unary_description* keep = nullptr;
  vector_base* beyond = nullptr;
  vector_base* round = nullptr;                // of index_t
  ordered_rounds* order = nullptr;             // rounds are appended, where a backend lists them
  const scalar_bytes* bucket_width = nullptr;  // of w's type; none: rounds take all of the frontier
  const char* name = "iterate_until";          // in progress reports
};

/// Rounds of iterate_back (include/tropic/iterate.hpp).
struct reverse_iteration {
  const semiring_description& semiring;
  const matrix_base& matrix;
  const vector_base& w;  // full or a bitmap
  const ordered_rounds& order;
  const operator_description& give;
  const operator_description& take;
};

enum class combination { set_union, set_intersection };

/// Positions that assign writes or extract reads: all, or a list in any order; for assign without
/// repetition.
struct positions {
  bool all = true;
  std::span<const index_t> list{};
};

/// Positions on a line of A, or of A' if `transposed`: (rows[n], column + n * step). A column has
/// step 0; a diagonal has step 1.
struct matrix_line {
  const matrix_base& matrix;
  bool transposed = false;
  positions rows;
  index_t column = 0, step = 0;

  index_t size() const {
    if (!rows.all) return static_cast<index_t>(rows.list.size());
    return transposed ? matrix.columns : matrix.rows;
  }
};

/// The operands of kronecker: A or A', B or B'.
struct kronecker_product {
  const operator_description& multiply;
  const matrix_base& a;
  const matrix_base& b;
  bool a_transposed = false;
  bool b_transposed = false;
};

/// op(u, v) at every entry of either; `missing_x` replaces a missing u, `missing_y` a missing v.
struct filled_operator {
  const operator_description& op;
  const void* missing_x;
  const void* missing_y;
};

/// Matrices side by side, by rows of tiles. Those of one row of tiles have equally many rows, those
/// of one column of tiles equally many columns.
struct tile_grid {
  std::span<const matrix_base* const> tiles;
  std::size_t columns;  // tiles in a row

  std::size_t rows() const { return tiles.size() / columns; }
  const matrix_base& operator()(std::size_t row, std::size_t column) const {
    return *tiles[row * columns + column];
  }
};

/// Outputs may be inputs or masks (aliasing): a backend reads all it needs before it writes.
class operations {
 public:
  virtual ~operations() = default;

  /// By a kernel that it has, named as find_kernel takes it.
  virtual void multiply(vector_base& w, const product&, const vector_rule&,
                        std::string_view kernel) = 0;

  /// c<mask> accum= A B. A sum starts with its first product and proceeds in ascending order of k.
  virtual void mxm(matrix_base& c, const matrix_product&, const matrix_rule&) = 0;
  /// The sum of all entries of A B that the mask allows (mask, structural and complemented of the
  /// rule); the identity where there are none. Returns whether there was one.
  virtual bool reduce_mxm(void* result, const monoid_description&, const matrix_product&,
                          const matrix_rule&) = 0;

  /// c<mask> accum= A B, of which one is full: c has the rows of the result one after the other. A
  /// sum starts with its first product and proceeds in ascending order of k.
  virtual void spmm(vector_base& c, const full_product&, const vector_rule&) = 0;

  /// op(u, v) where both have an entry; a union keeps single entries as they are (x = y = z type).
  virtual void ewise(vector_base& w, combination, const operator_description&, const vector_base& u,
                     const vector_base& v, const vector_rule&) = 0;
  virtual void ewise(matrix_base& c, combination, const operator_description&, const matrix_base& a,
                     const matrix_base& b, const matrix_rule&) = 0;

  /// op(u, v) where either has an entry, with the missing operand replaced.
  virtual void ewise_union(vector_base& w, const filled_operator&, const vector_base& u,
                           const vector_base& v, const vector_rule&) = 0;
  virtual void ewise_union(matrix_base& c, const filled_operator&, const matrix_base& a,
                           const matrix_base& b, const matrix_rule&) = 0;

  /// op at every entry; i and j are its position (a vector's: i, and j = 0).
  virtual void apply(vector_base& w, const unary_description&, const vector_base& u,
                     const vector_rule&) = 0;
  virtual void apply(matrix_base& c, const unary_description&, const matrix_base& a,
                     const matrix_rule&) = 0;

  /// Keeps the entries where the predicate (of result type bool) holds.
  virtual void select(vector_base& w, const unary_description&, const vector_base& u,
                      const vector_rule&) = 0;
  virtual void select(matrix_base& c, const unary_description&, const matrix_base& a,
                      const matrix_rule&) = 0;

  /// w(i) = sum of row i (of column i: `transposed`); an empty row gives no entry.
  virtual void reduce(vector_base& w, const monoid_description&, const matrix_base& a,
                      bool transposed, const vector_rule&) = 0;
  /// The sum of all entries; the identity where there are none. Returns whether there was one.
  virtual bool reduce(void* result, const monoid_description&, const vector_base& u) = 0;
  virtual bool reduce(void* result, const monoid_description&, const matrix_base& a) = 0;

  /// w(positions) = value, or = u (u(n) goes to the n-th position; a position without an entry in
  /// u loses its own, unless there is an accumulator). The mask has w's size.
  virtual void assign(vector_base& w, const void* value, const positions&, const vector_rule&) = 0;
  virtual void assign(vector_base& w, const vector_base& u, const positions&,
                      const vector_rule&) = 0;
  virtual void assign(matrix_base& c, const void* value, const positions& rows,
                      const positions& columns, const matrix_rule&) = 0;
  virtual void assign(matrix_base& c, const matrix_base& a, const positions& rows,
                      const positions& columns, const matrix_rule&) = 0;

  /// w(n) = u(from[n]), no entry where u has none.
  virtual void extract(vector_base& w, const vector_base& u, const positions& from,
                       const vector_rule&) = 0;
  /// w(n) = the n-th entry on the line.
  virtual void extract(vector_base& w, const matrix_line&, const vector_rule&) = 0;
  /// c(n, m) = a(rows[n], columns[m]), or a' if `transposed`.
  virtual void extract(matrix_base& c, const matrix_base& a, bool transposed, const positions& rows,
                       const positions& columns, const matrix_rule&) = 0;

  /// c(i * rows of b + k, j * columns of b + l) = multiply(a(i,j), b(k,l)).
  virtual void kronecker(matrix_base& c, const kronecker_product&, const matrix_rule&) = 0;

  /// c, of the grid's shape, = its tiles.
  virtual void concatenate(matrix_base& c, const tile_grid&) = 0;

  /// c = a'.
  virtual void transpose(matrix_base& c, const matrix_base& a, const matrix_rule&) = 0;

  /// The matrix with its rows and columns in new orders. None where that is done on the host.
  virtual std::optional<matrix_base> permute(const matrix_base&, const permutation& /*rows*/,
                                             const permutation& /*columns*/) {
    return std::nullopt;
  }

  /// The rows by descending number of entries, equal ones in their order. None where that is found
  /// on the host.
  virtual std::optional<std::vector<std::uint32_t>> rows_by_entries(const matrix_base&) {
    return std::nullopt;
  }

  /// to(k) = u(order[k]), for two full vectors of one type. `order`: a word for each position of
  /// `to`, each a position of u.
  virtual void gather(vector_base& to, const vector_base& u, const buffer_pointer& order) = 0;

  /// Runs rounds, the first of which is number `first`, at most `max_rounds` of them, as long as
  /// that is faster than one operation after the other. Returns how many it ran; it may be none.
  virtual index_t iterate(vector_base& /*w*/, vector_base& /*frontier*/, const iteration&,
                          index_t /*first*/, index_t /*max_rounds*/) {
    return 0;
  }

  /// The positions of `rounds`, which has entries, sorted by their numbers.
  virtual ordered_rounds order_rounds(const vector_base& rounds) = 0;
  /// Whether `iterate` appends its rounds to iteration::order; otherwise their numbers are sorted.
  virtual bool lists_rounds() const { return false; }
  /// Runs steps of iterate_back, from the positions of round `last` of the order to those of the
  /// one before, and on downwards, as long as that is faster than one operation after the other.
  /// Returns how many it ran; it may be none.
  virtual std::size_t iterate_back(vector_base& /*x*/, const reverse_iteration&,
                                   std::size_t /*last*/) {
    return 0;
  }

  /// The end of round `number`: w takes the sums that are merged into it, and `sums` becomes the
  /// next frontier. False: nothing has changed, and separate operations follow.
  virtual bool take_sums(vector_base& /*w*/, vector_base& /*sums*/, const iteration&,
                         index_t /*number*/) {
    return false;
  }

  /// Leaves in `frontier` the entries below `end` that w has, too, and makes `waiting` those from
  /// it on, for vectors of numbers. False: nothing has changed, and separate operations follow.
  virtual bool divide_frontier(vector_base& /*frontier*/, vector_base& /*waiting*/,
                               const vector_base& /*w*/, const scalar_bytes& /*end*/) {
    return false;
  }

  /// The loop of include/tropic/detail/connect.hpp. Returns the number of different labels; none,
  /// and changes nothing, where one operation after the other is as fast.
  virtual std::optional<index_t> connect(vector_base& /*label*/, const matrix_base&) {
    return std::nullopt;
  }

  /// The loop of include/tropic/detail/peel.hpp. None, and changes nothing, where there is none.
  virtual std::optional<peeling> peel(vector_base& /*level*/, const vector_base& /*count*/,
                                      const matrix_base&) {
    return std::nullopt;
  }

  /// The communities of include/tropic/detail/communities.hpp. None, and changes nothing, where
  /// there is no such operation.
  virtual std::optional<found_communities> find_communities(vector_base& /*community*/,
                                                            const matrix_base&, bool /*weighted*/,
                                                            double /*resolution*/) {
    return std::nullopt;
  }

  /// The triangles of a symmetric matrix, loops left out (include/tropic/detail/triangles.hpp);
  /// none where products are as fast.
  virtual std::optional<std::int64_t> count_triangles(const matrix_base&) { return std::nullopt; }

  /// Whether run_together ever does: a caller need not prepare steps for a backend that never does.
  virtual bool has_passes() const { return false; }
  /// Runs all steps in one pass, with the results of one operation after the other, if it can.
  /// Otherwise changes nothing and returns false.
  virtual bool run_together(std::span<const vector_step>) { return false; }
};

}  // namespace tropic::detail
