// SPDX-License-Identifier: Apache-2.0

// From a kind and a matrix to its permutations. Rows and columns use different streams of random
// numbers; the order of the rows depends only on the seed, not on the columns.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <tropic/detail/random_bits.hpp>
#include <tropic/detail/rows_by_entries.hpp>
#include <tropic/measures.hpp>
#include <tropic/permute.hpp>

#include "containers/context_state.hpp"
#include "permute/orders.hpp"

namespace tropic {

namespace {

constexpr std::array kinds{
    permutation_kind::none,
    permutation_kind::random_row,
    permutation_kind::random_row_column,
    permutation_kind::gradient_row,
    permutation_kind::gradient_row_column,
    permutation_kind::degree,
    permutation_kind::rcm,
    permutation_kind::dense_last,
};
constexpr std::array<std::string_view, kinds.size()> names{
    "none",   "random-row", "random-row-column", "gradient-row", "gradient-row-column",
    "degree", "rcm",        "dense-last"};

}  // namespace

std::span<const permutation_kind> permutation_kinds() {
  return kinds;
}

std::string_view name_of(permutation_kind kind) {
  return names[static_cast<std::size_t>(kind)];
}

std::optional<permutation_kind> permutation_kind_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return kinds[static_cast<std::size_t>(found - names.begin())];
}

bool is_random(permutation_kind kind) {
  using enum permutation_kind;
  return kind == random_row || kind == random_row_column || kind == gradient_row ||
         kind == gradient_row_column;
}

bool suits(permutation_kind kind, index_t rows, index_t columns) {
  return kind != permutation_kind::rcm || rows == columns;
}

namespace detail {

namespace {

constexpr double dense_factor = 10;

void check_factor(double factor) {
  if (!(factor > 0))
    throw usage_error("partition_dense: a factor of " + std::to_string(factor) +
                      ", needed a positive one");
}

// A row of `size` positions with more entries than this is dense.
double most_of_sparse(double factor, index_t size) {
  return std::max(16.0, factor * std::sqrt(static_cast<double>(size)));
}

order dense_last_of(const histogram& counts, index_t size) {
  std::uint64_t sparse = 0;
  return dense_last_order(counts, most_of_sparse(dense_factor, size), sparse);
}

// The permutations of one kind, of rows and of columns.
class order_maker {
 public:
  order_maker(const matrix_base& a, std::uint64_t seed)
      : a_(a),
        row_stream_(random_bits(mix(seed), 0)),
        column_stream_(random_bits(mix(seed), 1)),
        threads_(a.context->threads()) {}

  permutation rows(permutation_kind kind) const {
    using enum permutation_kind;
    switch (kind) {
      case random_row:
      case random_row_column:
        return permutation_of(random_order(count(a_.rows), row_stream_, threads_));
      case gradient_row:
      case gradient_row_column:
        return permutation_of(gradient_order(row_counts(a_), row_stream_, threads_));
      case degree: {
        auto of_backend = rows_by_entries(a_);
        return permutation_of(of_backend ? std::move(*of_backend)
                                         : descending_order(row_counts(a_)));
      }
      case rcm: return permutation_of(cuthill_mckee_order(a_));
      case dense_last: return permutation_of(dense_last_of(row_counts(a_), a_.columns));
      case none: break;
    }
    return permutation::identity(a_.rows);
  }
  // `of_rows`: the result of rows(kind).
  permutation columns(permutation_kind kind, const permutation& of_rows) const {
    using enum permutation_kind;
    switch (kind) {
      case random_row_column:
        return permutation_of(random_order(count(a_.columns), column_stream_, threads_));
      case gradient_row_column:
        return permutation_of(gradient_order(column_counts(a_), column_stream_, threads_));
      case degree:
        return a_.rows == a_.columns ? of_rows
                                     : permutation_of(descending_order(column_counts(a_)));
      case rcm: return of_rows;
      case dense_last: return permutation_of(dense_last_of(column_counts(a_), a_.rows));
      case none:
      case random_row:
      case gradient_row: break;
    }
    return permutation::identity(a_.columns);
  }

 private:
  static std::uint64_t count(index_t n) { return static_cast<std::uint64_t>(n); }
  permutation permutation_of(order old_positions) const {
    return permutation::trusted(std::move(old_positions), threads_);
  }

  const matrix_base& a_;
  const std::uint64_t row_stream_, column_stream_;
  const int threads_;
};

std::string shape_of(const matrix_base& a) {
  return std::to_string(a.rows) + "x" + std::to_string(a.columns);
}

}  // namespace

row_column_permutation make_permutation(const matrix_base& a, permutation_kind kind,
                                        std::uint64_t seed) {
  if (!suits(kind, a.rows, a.columns))
    throw usage_error("permutation: " + std::string(name_of(kind)) +
                      " orders square matrices, this one is " + shape_of(a));
  if (a.context->is_cancelled()) throw cancelled();
  const order_maker from(a, seed);
  permutation rows = from.rows(kind);
  permutation columns = from.columns(kind, rows);
  return {std::move(rows), std::move(columns)};
}

permutation make_relabelling(const matrix_base& graph, permutation_kind kind, std::uint64_t seed) {
  if (graph.rows != graph.columns)
    throw usage_error("permutation: a graph's matrix is square, this one is " + shape_of(graph));
  if (graph.context->is_cancelled()) throw cancelled();
  if (kind != permutation_kind::dense_last) return order_maker(graph, seed).rows(kind);
  histogram counts = row_counts(graph);
  if (!graph.symmetric) {
    const histogram of_columns = column_counts(graph);
    for (std::size_t v = 0; v < counts.size(); ++v) counts[v] = std::max(counts[v], of_columns[v]);
  }
  return permutation::trusted(dense_last_of(counts, graph.columns), graph.context->threads());
}

dense_partition partition_dense(const matrix_base& a, double factor) {
  check_factor(factor);
  std::uint64_t rows = 0, columns = 0;
  dense_partition result;
  result.rows =
      permutation::trusted(dense_last_order(row_counts(a), most_of_sparse(factor, a.columns), rows),
                           a.context->threads());
  result.columns = permutation::trusted(
      dense_last_order(column_counts(a), most_of_sparse(factor, a.rows), columns),
      a.context->threads());
  result.sparse_rows = static_cast<index_t>(rows);
  result.sparse_columns = static_cast<index_t>(columns);
  return result;
}

}  // namespace detail
}  // namespace tropic
