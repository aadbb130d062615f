// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths as in GraphBLAST's example, rounds of vxm over (min, +) until nothing changes
// (docs/migration.md), followed by two shorter versions.

#include <cstdint>
#include <iostream>
#include <vector>

#include <tropic/algorithms/sssp.hpp>
#include <tropic/tropic.hpp>

int main() {
  const auto gpu = tropic::context::automatic();
  const std::vector<std::uint32_t> from{0, 0, 1, 2, 2, 3}, to{1, 2, 3, 1, 3, 4};
  const std::vector<float> length{7, 2, 1, 3, 8, 2};
  const auto graph = tropic::matrix<float>::from_entries(gpu, 5, 5, from, to, length);

  // [graphblast]
  tropic::vector<float> distance(gpu, graph.rows()), before(gpu, graph.rows());
  distance.set(0, 0);
  bool has_changed = true;
  while (has_changed) {
    before = distance;
    tropic::vxm(distance, tropic::min_plus<float>{}, distance, graph,
                {.accumulate = tropic::minimum{}});
    tropic::vector<bool> differs(gpu, graph.rows());
    tropic::ewise_multiply(differs, tropic::not_equal{}, distance, before);
    has_changed =
        distance.nvals() > before.nvals() || tropic::reduce(tropic::or_monoid<bool>{}, differs);
  }
  // [graphblast]

  // As one operation, many rounds a launch where few vertices change in each:
  tropic::vector<float> reached(gpu, graph.rows()), frontier(gpu, graph.rows());
  reached.set(0, 0);
  frontier.set(0, 0);
  tropic::iterate_until(reached, tropic::min_plus<float>{}, frontier, graph,
                        {.improves = tropic::less{}});
  // And as the algorithm, with parents:
  const auto paths = tropic::sssp(graph, 0);

  for (const auto& [vertex, d] : distance.entries()) {
    if (*reached.get(vertex) != d || *paths.distance.get(vertex) != d) return 1;
    std::cout << vertex << ' ' << d << '\n';
  }
}
