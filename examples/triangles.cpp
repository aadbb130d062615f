// SPDX-License-Identifier: Apache-2.0
// Triangles of an undirected graph, by products of matrices: for each edge, and in all.
#include <iostream>
#include <tropic/tropic.hpp>

int main() {
  const auto here = tropic::context::automatic();
  // The lower triangle of the graph: an edge (i, j) with i > j.
  const std::vector<std::uint32_t> from{1, 2, 2, 3, 3, 4}, to{0, 0, 1, 1, 2, 3};
  const auto lower = tropic::matrix<bool>::from_pattern(here, 5, 5, from, to, true);

  // c(i, j): the number of k < j adjacent to both i and j, for edges (i, j) alone.
  // [triangles]
  using count = tropic::plus_pair<std::int64_t, bool>;
  tropic::matrix<std::int64_t> c(here, 5, 5);
  tropic::mxm(c, count{}, lower, tropic::transpose(lower), {.mask = tropic::structure(lower)});
  // [triangles]
  for (tropic::index_t i = 0; i < 5; ++i)
    for (tropic::index_t j = 0; j < i; ++j)
      if (const auto triangles = c.get(i, j))
        std::cout << "edge " << i << ' ' << j << ": " << *triangles << '\n';

  // The sum of the same product, which is never built.
  std::cout << tropic::reduce_mxm(tropic::plus_monoid<std::int64_t>{}, count{}, lower,
                                  tropic::transpose(lower), tropic::structure(lower))
            << " triangles\n";
}
