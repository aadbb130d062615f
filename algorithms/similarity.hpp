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
// A (A' 1). Counts and values are on the host from then on. Without `top` little more than one half
// of C is computed, which is symmetric (similarity_rows.hpp).
//
// Values are the same on every device: counts are integers, a quotient of two integers is rounded
// once, and the cosine is sqrt(C^2 / (|N(u)| |N(v)|)). So equal quotients are equal values, which
// `top` breaks by the number of the vertex.
//
// Work: for given pairs the smaller of their degrees at least; for all pairs the sum of the squares
// of the numbers of edges into each vertex. Space: the pattern if it has loops, the transpose of a
// matrix that is not known to be symmetric; for all pairs `chunk` entries of 8 bytes, twice on a
// device, and 12 bytes for every pair that is kept, four times that at the end.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/undirected.hpp>
#include <tropic/algorithms/detail/vertex_pairs.hpp>
#include <tropic/algorithms/similarity_rows.hpp>
#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
inline void check(const similar_pairs_options& o) {
  if (!(o.threshold >= 0 && o.threshold <= 1))
    throw usage_error("similarity: threshold " + detail::number_text(o.threshold) +
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
  detail::check_pairs("similarity", n, from, to);
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
  where.checkpoint("similarity");
  const matrix<bool> edges = detail::without_loops(detail::edges_of(graph));
  detail::similar_rows rows(edges, options);
  for (index_t r = 0; r < rows.ranges(); ++r) {
    where.checkpoint("similarity", static_cast<double>(r) / static_cast<double>(rows.ranges()));
    rows.add(r);
  }
  return {rows.take_result(), rows.ranges()};
}

}  // namespace tropic
