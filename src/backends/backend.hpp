// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seam between operations and backends. Everything that crosses it is a run-time value;
// shapes, types and contexts were checked by the operation. A backend implements each operation
// whole, mask, accumulator and replace included, so that the reference can state the GraphBLAS
// definition literally while the others fuse what pays.

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/semirings/semiring.hpp>

#include "backends/kernel_info.hpp"
#include "backends/statistics.hpp"

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

  /// Whether a stored row of `matrix` is an output position (else an input position).
  bool rows_are_output() const { return transposed == vector_first; }
  index_t output_size() const { return rows_are_output() ? matrix.rows : matrix.columns; }
};

/// Whether the sum of a row is soon known: or, and, any.
inline bool stops_early(const semiring_description& semiring) {
  const terminal t = semiring.add.terminal_value;
  return t == terminal::any_value || t == terminal::one || t == terminal::zero ||
         semiring.first_product_wins;
}

/// Whether sums are minima or maxima of floating numbers.
inline bool sums_compare(const semiring_description& semiring) {
  const type_code z = semiring.z().code;
  return semiring.add.exact && (z == type_code::fp32 || z == type_code::fp64);
}

/// Whether a vector of as many positions as a matrix has columns would be most of the work of a
/// product: the matrix has few rows, and few entries.
inline bool is_hypersparse(index_t rows, index_t nnz, index_t columns) {
  return columns / 16 > rows + nnz;
}

/// What is known of a product before it runs, at no more than the cost of looking at u's entries:
/// what src/plan chooses by.
struct product_features {
  index_t output_size = 0, input_size = 0;
  index_t nnz = 0;
  index_t longest_row = 0;  // of the matrix as it is stored
  index_t input_nvals = 0;
  index_t input_edges = 0;    // entries in the rows of u's entries, exact or estimated
  index_t output_wanted = 0;  // positions that the mask lets through
  bool stops_early = false;   // or, and, any: a pulled row ends at its first terminal
  bool pull_needs_transpose = false, push_needs_transpose = false;  // not built yet
  bool on_device = false;
  bool can_push = true;         // a device: sums that are the same in any order
  bool compares = false;        // sums are minima or maxima of floating numbers
  std::uint32_t row_width = 1;  // a device: work-items that csr_vector gives a row
  /// u is full and the rows of the output are at hand.
  bool is_plain_pull() const { return input_nvals == input_size && !pull_needs_transpose; }
  /// So few that a device pushes them whatever the sums are (src/plan/choose.cpp).
  bool is_few_edges() const { return input_edges < nnz / 16; }
  bool transpose_is_due = false;  // pushes made for want of it have cost as much as building it
};

/// What a kernel needs of a matrix that it has run on, and how the matrix suits it.
struct kernel_facts {
  std::size_t format_bytes = 0;  // of the matrix as the kernel reads it
  double conversion_seconds = 0;
  std::optional<double> dirty_share;       // of tiles with an empty row inside (csr_segmented)
  std::optional<double> padding_overhead;  // entries with padding / entries (padded formats)
};

/// Rounds of iterate_until (include/tropic/iterate.hpp), which states what one does.
struct iteration {
  const semiring_description& semiring;
  const matrix_base& matrix;
  const operator_description* improves = nullptr;
  const unary_description* keep = nullptr;
  vector_base* beyond = nullptr;
  vector_base* round = nullptr;                // of index_t
  const scalar_bytes* bucket_width = nullptr;  // of w's type; none: rounds take all of the frontier
};

enum class combination { set_union, set_intersection };

/// Positions that assign writes: all, or a list (ascending or not, without repetition).
struct positions {
  bool all = true;
  std::span<const index_t> list{};
};

/// Outputs may be inputs or masks (aliasing): a backend reads all it needs before it writes.
class backend {
 public:
  virtual ~backend() = default;

  /// Kernels of `multiply`; the first is the one that suits any product.
  virtual kernel_table kernels() const = 0;
  /// The row of the kernel that a user's text names, with or without tuning constants behind a
  /// colon; null where there is none. Throws usage_error where the constants are wrong.
  virtual const kernel_info* find_kernel(std::string_view text) const {
    return find_row(kernels(), text);
  }
  /// Asked only of backends that have several kernels.
  virtual product_features features(const product&, const vector_rule&) { return {}; }
  virtual kernel_facts facts(const matrix_base& a, std::string_view /*kernel*/) const {
    kernel_facts known;
    known.format_bytes = a.bytes();
    return known;
  }
  /// In a product with a full u; `ends` as stops_early says.
  virtual kernel_shape shape_of(const matrix_base& /*a*/, const kernel_info& kernel,
                                std::size_t /*z_bytes*/, bool /*ends*/ = false) const {
    return {.unit = kernel.unit};
  }
  /// The device, its driver and all else that its speed depends on, in one line.
  virtual std::string identity() const = 0;
  /// What a's pattern is like: all rows, and about `wanted` of its entries or all (statistics.hpp).
  virtual matrix_statistics inspect(const matrix_base& a, std::uint64_t wanted) = 0;
  /// Bytes that a copy within the backend's memory reads and writes a second, at best; measured
  /// when first asked for. 0: not known.
  virtual double copy_bandwidth() { return 0; }
  /// By a kernel that it has, named as find_kernel takes it.
  virtual void multiply(vector_base& w, const product&, const vector_rule&,
                        std::string_view kernel) = 0;

  /// op(u, v) where both have an entry; a union keeps single entries as they are (x = y = z type).
  virtual void ewise(vector_base& w, combination, const operator_description&, const vector_base& u,
                     const vector_base& v, const vector_rule&) = 0;
  virtual void ewise(matrix_base& c, combination, const operator_description&, const matrix_base& a,
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

  /// Full vectors of one type, of which one is not the other: to(k) = u(order[k]). `order`: words,
  /// as many as `to` has positions, each a position of u.
  virtual void gather(vector_base& to, const vector_base& u, const buffer_pointer& order) = 0;
  /// The same as the host's (src/permute/hot_columns.hpp); nothing where that is left to it.
  virtual std::optional<hot_columns> to_hot_columns(const matrix_base&) { return {}; }

  virtual void transpose(matrix_base& c, const matrix_base& a, const matrix_rule&) = 0;

  /// As many rounds as are sooner done together than by one operation after the other, from round
  /// `first` on and `most` of them; returns how many those were, none at all where it does not pay.
  virtual index_t iterate(vector_base& /*w*/, vector_base& /*frontier*/, const iteration&,
                          index_t /*first*/, index_t /*most*/) {
    return 0;
  }

  /// Of a matrix whose arrays somebody else put on the device: completes longest_row and
  /// empty_rows; unless `trusted`, checks offsets and columns.
  virtual void examine(matrix_base& m, const csr_words& words, bool trusted);
  /// Indices of 64 bits on the device as those of 32. Throws usage_error where one is not below
  /// `limit`, naming `what` they are.
  virtual buffer_pointer narrowed(const context_pointer&, const buffer_pointer& wide,
                                  std::size_t count, index_t limit, const char* what);

  virtual void synchronize() {}
  /// So far; nothing where the device is the host.
  virtual device_traffic traffic() const { return {}; }
};

}  // namespace tropic::detail
