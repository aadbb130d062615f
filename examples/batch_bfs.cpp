// SPDX-License-Identifier: Apache-2.0
// Breadth-first search from several vertices at once: a column of a full matrix for each source.
#include <iostream>
#include <tropic/tropic.hpp>

int main() {
  using tropic::index_t;
  const auto here = tropic::context::automatic();
  const std::vector<std::uint32_t> from{0, 1, 2, 3, 4, 0}, to{1, 2, 3, 4, 5, 3};
  const auto graph = tropic::matrix<bool>::from_pattern(here, 6, 6, from, to, true);
  const std::vector<index_t> sources{0, 2};
  const auto k = static_cast<index_t>(sources.size());

  tropic::full_matrix<index_t> level(here, 6, k);
  tropic::full_matrix<bool> frontier(here, 6, k);
  for (index_t j = 0; j < k; ++j) {
    level.set(sources[static_cast<std::size_t>(j)], j, 0);
    frontier.set(sources[static_cast<std::size_t>(j)], j, true);
  }
  // [batch]
  for (index_t depth = 1; frontier.nvals() > 0; ++depth) {
    // The vertices that an edge leads to and that the same search has not met yet.
    tropic::mxm(frontier, tropic::any_pair<bool>{}, tropic::transpose(graph), frontier,
                {.mask = complement(structure(level)), .replace = true});
    tropic::assign(level, depth, {.mask = structure(frontier)});
  }
  // [batch]
  for (index_t i = 0; i < 6; ++i) {
    for (index_t j = 0; j < k; ++j) std::cout << (j > 0 ? " " : "") << level.get(i, j).value_or(-1);
    std::cout << '\n';
  }
}
