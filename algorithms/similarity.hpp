// SPDX-License-Identifier: Apache-2.0
#pragma once

// Similarity of vertices: how many neighbours two vertices share. With N(v), the vertices that v
// has an edge to, loops left out,
//
//   jaccard(u, v) = |N(u) & N(v)| / |N(u) | N(v)|
//   overlap(u, v) = |N(u) & N(v)| / min(|N(u)|, |N(v)|)
//   cosine(u, v)  = |N(u) & N(v)| / sqrt(|N(u)| |N(v)|)
//
// and 0 where a divisor is 0 (Liben-Nowell and Kleinberg, "The link-prediction problem for social
// networks", JASIST 58, 2007, section 3; Salton and McGill, 1983, section 6). All three need the
// number of shared neighbours, a product of the pattern A over (plus, pair):
//
//   C<P> = A A'          of given pairs, which are the entries of the mask P
//   C = A(rows) A'       of all pairs with a shared neighbour, one range of rows after the other
//
// A range has so many rows that the number of its products, which bounds the entries of its part of
// C, is at most `chunk`, or one row; its values are computed, and those below the threshold or not
// among the `top` of their row are dropped before the next range. The numbers of products are
// A (A' 1). Counts and values are on the host from then on.
//
// Values are the same on every device: counts are integers, a quotient of two integers is rounded
// once, and the cosine is sqrt(C^2 / (|N(u)| |N(v)|)). So equal quotients are equal values, which
// `top` breaks by the number of the vertex.
//
// Work: for given pairs the smaller of their degrees at least; for all pairs the sum of the squares
// of the numbers of edges into each vertex. Space: the pattern if it has loops, the transpose of a
// matrix that is not known to be symmetric; for all pairs `chunk` entries of 8 bytes, twice on a
// device, and 12 bytes for every pair that is kept.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
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
  /// Products of a range of rows, at least 1: the memory in between.
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

/// The first rows of the ranges, and the number of rows.
inline std::vector<index_t> ranges_of_rows(const matrix<bool>& edges, index_t chunk) {
  const context where = edges.where();
  const index_t n = edges.rows();
  vector<std::int64_t> into(where, n, 0), products(where, n, 0);
  mxv(into, plus_pair<std::int64_t, bool, bool>{}, transpose(edges), vector<bool>(where, n, true),
      {.accumulate = plus{}});
  mxv(products, plus_second<std::int64_t, bool, std::int64_t>{}, edges, into,
      {.accumulate = plus{}});
  const array_view<std::int64_t> of_row = host_values("similarity", products);
  std::vector<index_t> first{0};
  index_t sum = 0;
  for (index_t row = 0; row < n; ++row) {
    const index_t more = of_row[static_cast<std::size_t>(row)];
    if (row > first.back() && sum + more > chunk) {
      first.push_back(row);
      sum = 0;
    }
    sum += more;
  }
  if (n > 0) first.push_back(n);
  return first;
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

inline void check_pairs(index_t n, std::span<const index_t> from, std::span<const index_t> to) {
  if (from.size() != to.size())
    throw usage_error("similarity: " + std::to_string(from.size()) + " first vertices of pairs, " +
                      std::to_string(to.size()) + " second ones");
  for (const auto& list : {from, to})
    for (const index_t v : list)
      if (v < 0 || v >= n)
        throw usage_error("similarity: vertex " + std::to_string(v) + ", the graph has " +
                          std::to_string(n) + " vertices");
}

inline void check(const similar_pairs_options& o) {
  if (!(o.threshold >= 0 && o.threshold <= 1))
    throw usage_error("similarity: threshold " + std::to_string(o.threshold) +
                      ", needed a number from 0 to 1");
  if (o.top < 0)
    throw usage_error("similarity: top " + std::to_string(o.top) + ", needed 0 or more");
  if (o.chunk < 1)
    throw usage_error("similarity: chunk " + std::to_string(o.chunk) + ", needed 1 or more");
}
}  // namespace detail

/// The similarity of from[k] and to[k] for every k, a full vector. An entry (i, j) of `graph` makes
/// j a neighbour of i, whatever its value, unless i = j. Pairs may repeat; a vertex with neighbours
/// has similarity 1 with itself. Throws usage_error if the matrix is not square, the lists differ
/// in length or name what is no vertex; cancelled; out_of_memory.
template <value_type T>
vector<double> similarity(const matrix<T>& graph, std::span<const index_t> from,
                          std::span<const index_t> to,
                          similarity_measure measure = similarity_measure::jaccard) {
  detail::check_square("similarity", graph);
  const context where = graph.where();
  const index_t n = graph.rows();
  detail::check_pairs(n, from, to);
  where.checkpoint("similarity");
  const matrix<bool> edges = detail::without_loops(detail::edges_of(graph));
  const auto pairs = matrix<bool>::from_pattern(where, n, n, from, to, true);
  matrix<double> shared(where, n, n);
  mxm(shared, plus_pair<double, bool, bool>{}, edges, transpose(edges), {.mask = structure(pairs)});
  const array_view<double> degree = detail::degrees_of(edges);
  const auto counts = detail::reading_for("similarity", [&] { return shared.to_csr<index_t>(); });
  std::vector<double> value(from.size());
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (k % 65536 == 0) where.checkpoint("similarity");
    const auto u = static_cast<std::size_t>(from[k]), v = static_cast<std::size_t>(to[k]);
    const auto begin = counts.indices.begin() + counts.offsets[u];
    const auto end = counts.indices.begin() + counts.offsets[u + 1];
    const auto at = std::lower_bound(begin, end, static_cast<std::uint32_t>(v));
    if (at == end || *at != v) continue;
    value[k] = detail::similarity_of(
        measure, counts.values[static_cast<std::size_t>(at - counts.indices.begin())], degree[u],
        degree[v]);
  }
  return vector<double>::from_array(where, std::move(value));
}

/// The similarities of all pairs of different vertices with a shared neighbour, as the options
/// select them. Without `top` the matrix is known to be symmetric. Throws usage_error if the matrix
/// is not square, or an option is out of range; cancelled; out_of_memory.
template <value_type T>
similar_pairs_result similar_pairs(const matrix<T>& graph,
                                   const similar_pairs_options& options = {}) {
  detail::check_square("similarity", graph);
  detail::check(options);
  const context where = graph.where();
  const index_t n = graph.rows();
  where.checkpoint("similarity");
  const matrix<bool> edges = detail::without_loops(detail::edges_of(graph));
  const array_view<double> degree = detail::degrees_of(edges);
  const std::vector<index_t> first = detail::ranges_of_rows(edges, options.chunk);
  std::vector<index_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  std::vector<std::pair<double, std::uint32_t>> row;
  const auto ranges = static_cast<index_t>(first.size()) - 1;
  for (index_t r = 0; r < ranges; ++r) {
    where.checkpoint("similarity", static_cast<double>(r) / static_cast<double>(ranges));
    const index_t begin = first[static_cast<std::size_t>(r)];
    const index_t count = first[static_cast<std::size_t>(r) + 1] - begin;
    matrix<std::uint32_t> shared(where, count, n);
    if (ranges == 1) {
      mxm(shared, plus_pair<std::uint32_t, bool, bool>{}, edges, transpose(edges));
    } else {
      matrix<bool> part(where, count, n);
      extract(part, edges, range(begin, begin + count), all);
      mxm(shared, plus_pair<std::uint32_t, bool, bool>{}, part, transpose(edges));
    }
    const auto counts = detail::reading_for("similarity", [&] { return shared.to_csr<index_t>(); });
    for (index_t i = 0; i < count; ++i) {
      const index_t u = begin + i;
      row.clear();
      for (index_t e = counts.offsets[static_cast<std::size_t>(i)];
           e < counts.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
        const std::uint32_t v = counts.indices[static_cast<std::size_t>(e)];
        if (static_cast<index_t>(v) == u) continue;
        const double value = detail::similarity_of(
            options.measure, static_cast<double>(counts.values[static_cast<std::size_t>(e)]),
            degree[static_cast<std::size_t>(u)], degree[v]);
        if (value >= options.threshold) row.emplace_back(value, v);
      }
      detail::keep_largest(row, options.top);
      for (const auto& [value, v] : row) {
        columns.push_back(v);
        values.push_back(value);
      }
      offsets.push_back(static_cast<index_t>(columns.size()));
    }
  }
  similar_pairs_result result{
      detail::reading_for("similarity",
                          [&] {
                            return matrix<double>::from_csr(
                                where, n, n, adopt(std::move(offsets)), adopt(std::move(columns)),
                                adopt(std::move(values)), {.trusted = true});
                          }),
      ranges};
  if (options.top == 0) result.value.assume_symmetric();
  return result;
}

}  // namespace tropic
