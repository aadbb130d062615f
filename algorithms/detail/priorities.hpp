// SPDX-License-Identifier: Apache-2.0
#pragma once

// Priorities of vertices for algorithms that take them greedily: unique, the same in every run, on
// every device and in every numbering of the graph. From a number h below 2^32 for every vertex,
// which looks random:
//
//   priority(v) = (h(v) / (1 + degree(v)), rounded; then h(v))
//
// Vertices with few neighbours come first, so that independent sets are large (Luby, "A simple
// parallel algorithm for the maximal independent set problem", SIAM Journal on Computing 15, 1986,
// section 3, with degrees as in LAGraph's score).

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/mix.hpp>
#include <tropic/context.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

// x: the number, y: the degree.
TROPIC_BINARY_OPERATOR(priority_by_degree, ((((x << 32) / (y + 1)) >> 32) << 32) | x);

/// h of every vertex.
inline vector<std::uint64_t> numbers_of_vertices(const context& where, index_t n,
                                                 std::uint64_t seed) {
  const std::uint32_t key =
      mixed(static_cast<std::uint32_t>(seed) ^ mixed(static_cast<std::uint32_t>(seed >> 32)));
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(n));
  for (std::size_t v = 0; v < numbers.size(); ++v)
    numbers[v] = mixed(mixed(static_cast<std::uint32_t>(v)) ^ key);
  return vector<std::uint64_t>::from_array(where, std::move(numbers));
}

/// `edges` as undirected_edges returns them.
inline vector<std::uint64_t> priorities(const matrix<bool>& edges,
                                        const vector<std::uint64_t>& numbers) {
  const context where = edges.where();
  const index_t n = edges.rows();
  vector<std::uint64_t> degree(where, n, 0), result(where, n);
  mxv(degree, plus_pair<std::uint64_t, bool, bool>{}, edges, vector<bool>(where, n, true),
      {.accumulate = plus{}});
  ewise_multiply(result, priority_by_degree{}, numbers, degree);
  return result;
}

}  // namespace tropic::detail
