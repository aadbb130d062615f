// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rows of all pairs in similarity.hpp, one range of them after the other.
//
// Without `top` the result is symmetric, and only pairs (u, v) with u < v are computed: the columns
// of a range are those of vertices from some row at or before its first one on. Rows before are
// dropped from the second operand at most 16 times, the more products there are for every edge,
// since a copy and its transpose cost a few passes over the edges.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/concatenate.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/extract.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

enum class similarity_measure { jaccard, overlap, cosine };

struct similar_pairs_options {
  similarity_measure measure = similarity_measure::jaccard;
  /// Only pairs with this value or more, above 0 in any case.
  double threshold = 0;
  /// For every vertex only the pairs with the largest values, of equal ones those with the smallest
  /// vertices; 0: all.
  index_t top = 0;
  /// The maximum number of products in a range of rows, unless a single row has more; at least 1.
  /// It limits the memory for intermediate results.
  index_t chunk = index_t{1} << 24;
};

struct similar_pairs_result {
  matrix<double> value;  // (u, v): the similarity of u and v, u != v
  index_t chunks = 0;    // ranges of rows
};

namespace detail {
inline double similarity_of(similarity_measure measure, double shared, double of_first,
                            double of_second) {
  if (shared == 0) return 0;
  if (measure == similarity_measure::jaccard) return shared / (of_first + of_second - shared);
  if (measure == similarity_measure::overlap) return shared / std::min(of_first, of_second);
  return std::sqrt(shared * shared / (of_first * of_second));
}

/// The numbers of neighbours, on the host.
inline array_view<double> degrees_of(const matrix<bool>& edges) {
  vector<double> degree(edges.where(), edges.rows(), 0.0);
  mxv(degree, plus_pair<double, bool, bool>{}, edges,
      vector<bool>(edges.where(), edges.columns(), true), {.accumulate = plus{}});
  return host_values("similarity", degree);
}

/// Keeps the `top` largest values of a row, in the order of the vertices.
inline void keep_largest(std::vector<std::pair<double, std::uint32_t>>& row, index_t top) {
  if (top == 0 || static_cast<index_t>(row.size()) <= top) return;
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(top);
  std::nth_element(row.begin(), end, row.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  row.erase(end, row.end());
  std::sort(row.begin(), row.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// The rows of a range on the host, in CSR.
struct similar_entries {
  std::vector<index_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  void add_row(const std::vector<std::pair<double, std::uint32_t>>& row) {
    for (const auto& [value, v] : row) {
      columns.push_back(v);
      values.push_back(value);
    }
    offsets.push_back(static_cast<index_t>(columns.size()));
  }
};

/// The symmetric matrix of entries above the diagonal.
inline matrix<double> with_lower_half(const matrix<double>& upper) {
  const context where = upper.where();
  const index_t n = upper.rows();
  matrix<double> lower(where, n, n), all(where, n, n);
  transpose(lower, upper);
  ewise_add(all, plus{}, upper, lower);
  all.assume_symmetric();
  return all;
}

class similar_rows {
 public:
  similar_rows(const matrix<bool>& edges, const similar_pairs_options& options)
      : edges_(edges), options_(options), degree_(degrees_of(edges)), others_(edges) {
    find_ranges();
  }

  index_t ranges() const { return static_cast<index_t>(first_.size()) - 1; }

  /// Adds the rows of the r-th range; r is one more in every call.
  void add(index_t r) {
    const index_t n = edges_.rows(), begin = first_[static_cast<std::size_t>(r)];
    const index_t count = first_[static_cast<std::size_t>(r) + 1] - begin;
    const context where = edges_.where();
    if (before_[static_cast<std::size_t>(r)] >= next_drop_) {
      next_drop_ += step_;
      first_other_ = begin;
      others_ = matrix<bool>(where, n - begin, n);
      extract(others_, edges_, range(begin, n), all);
    }
    matrix<std::uint32_t> shared(where, count, others_.rows());
    const plus_pair<std::uint32_t, bool, bool> number;
    if (ranges() == 1) {
      mxm(shared, number, edges_, transpose(others_));
    } else {
      matrix<bool> part(where, count, n);
      extract(part, edges_, range(begin, begin + count), all);
      mxm(shared, number, part, transpose(others_));
    }
    const auto counts = reading_for("similarity", [&] { return shared.to_csr<index_t>(); });
    similar_entries found;
    for (index_t i = 0; i < count; ++i) {
      const index_t u = begin + i;
      row_.clear();
      for (auto e = static_cast<std::size_t>(counts.offsets[static_cast<std::size_t>(i)]);
           e < static_cast<std::size_t>(counts.offsets[static_cast<std::size_t>(i) + 1]); ++e) {
        const index_t v = first_other_ + counts.indices[e];
        if (is_half() ? v <= u : v == u) continue;
        const double value = similarity_of(options_.measure, static_cast<double>(counts.values[e]),
                                           degree_[static_cast<std::size_t>(u)],
                                           degree_[static_cast<std::size_t>(v)]);
        if (value >= options_.threshold) row_.emplace_back(value, static_cast<std::uint32_t>(v));
      }
      keep_largest(row_, options_.top);
      found.add_row(row_);
    }
    // Copied, so that the memory of all ranges counts against the context's limit.
    found_.push_back(reading_for("similarity", [&] {
      return matrix<double>::from_csr(where, count, n, found.offsets, found.columns, found.values,
                                      {.trusted = true});
    }));
  }

  /// The matrix of all rows; afterwards there are none.
  matrix<double> take_result() {
    return reading_for("similarity", [&] {
      std::vector<const matrix<double>*> ranges;
      for (const matrix<double>& part : found_) ranges.push_back(&part);
      matrix<double> rows(edges_.where(), edges_.rows(), edges_.rows());
      if (found_.size() == 1) rows = found_.front();
      if (found_.size() > 1) rows = concatenate<double>(ranges, 1);
      found_.clear();
      return is_half() ? with_lower_half(rows) : rows;
    });
  }

 private:
  bool is_half() const { return options_.top == 0; }

  /// Divides the rows into ranges, and the products into steps.
  void find_ranges() {
    const context where = edges_.where();
    const index_t n = edges_.rows();
    vector<std::int64_t> into(where, n, 0), products(where, n, 0);
    mxv(into, plus_pair<std::int64_t, bool, bool>{}, transpose(edges_),
        vector<bool>(where, n, true), {.accumulate = plus{}});
    mxv(products, plus_second<std::int64_t, bool, std::int64_t>{}, edges_, into,
        {.accumulate = plus{}});
    const array_view<std::int64_t> of_row = host_values("similarity", products);
    const index_t total = std::accumulate(of_row.begin(), of_row.end(), index_t{0});
    index_t max_products = options_.chunk;
    if (is_half() && total > 0) {
      const double of_edge = static_cast<double>(total) / static_cast<double>(edges_.nvals());
      const auto steps = static_cast<index_t>(std::clamp(std::sqrt(of_edge / 4), 1.0, 16.0));
      step_ = next_drop_ = (total + steps - 1) / steps;
      max_products = std::min(max_products, step_);
    }
    index_t sum = 0, all_before = 0;
    first_.assign(1, 0);
    before_.assign(1, 0);
    for (index_t row = 0; row < n; ++row) {
      const index_t row_products = of_row[static_cast<std::size_t>(row)];
      if (row > first_.back() && sum + row_products > max_products) {
        first_.push_back(row);
        before_.push_back(all_before);
        sum = 0;
      }
      sum += row_products;
      all_before += row_products;
    }
    if (n > 0) first_.push_back(n);
  }

  matrix<bool> edges_;
  similar_pairs_options options_;
  array_view<double> degree_;
  std::vector<index_t> first_, before_;  // row of a range, and the products of the rows before
  matrix<bool> others_;                  // the second operand: rows of edges_ from first_other_ on
  index_t first_other_ = 0;
  // The number of products before a range from which on rows are dropped, and between two drops.
  index_t next_drop_ = std::numeric_limits<index_t>::max(), step_ = 0;
  std::vector<std::pair<double, std::uint32_t>> row_;
  std::vector<matrix<double>> found_;  // the rows of each range
};
}  // namespace detail

}  // namespace tropic
