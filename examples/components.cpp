// SPDX-License-Identifier: Apache-2.0

// Connected components by label propagation: an algorithm of one's own over the public interface
// (docs/extending.md). tropic/algorithms/connected_components.hpp has a faster one.

#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

#include <tropic/tropic.hpp>

// [components]
/// The smallest vertex of every vertex's component. `graph`: n x n, symmetric; an entry (i, j) is
/// an edge, whatever its value. Rounds: at most the longest shortest path within a component, plus
/// one.
template <tropic::value_type T>
tropic::vector<tropic::index_t> components(const tropic::matrix<T>& graph) {
  using tropic::index_t;
  std::vector<index_t> numbers(static_cast<std::size_t>(graph.rows()));
  std::iota(numbers.begin(), numbers.end(), index_t{0});
  auto label = tropic::vector<index_t>::from_array(graph.where(), numbers);
  auto frontier = label;
  // Each vertex sends its label along its edges; the smallest one that arrives counts.
  tropic::iterate_until(label, tropic::min_first<index_t, index_t, T>{}, frontier, graph,
                        {.improves = tropic::less{}, .name = "components"});
  return label;
}
// [components]

int main() {
  const std::vector<std::uint32_t> from{0, 2, 2, 4, 5, 3}, to{2, 0, 4, 2, 3, 5};
  const std::vector<float> lengths(from.size(), 1);
  const auto graph =
      tropic::matrix<float>::from_entries(tropic::context::cpu(), 7, 7, from, to, lengths);
  for (const auto& e : components(graph).entries()) std::cout << e.index << " " << e.value << "\n";
}
