// SPDX-License-Identifier: Apache-2.0

// The passes and levels of the method of Louvain (include/tropic/detail/communities.hpp).

#include <vector>

#include "backends/cpu/communities/community_level.hpp"

namespace tropic::detail {
namespace {

/// Whether a vertex moved.
bool move_vertices(community_level& level, const community_rule& rule, bool alone,
                   std::size_t one_in) {
  const community_sums before = level.begin(alone);
  if (level.vertices() <= community_rule::few_vertices) return level.move_one_by_one() > 0;
  bool moved = false;
  std::size_t first = 0;
  for (std::uint32_t number = 0; number < community_rule::most_sweeps; ++number) {
    const community_level::sweep_counts counts = level.sweep(number);
    if (number == 0) first = counts.chose;
    if (counts.moved == 0) break;
    moved = true;
    if (one_in > 0 && counts.moved * one_in <= first) break;
  }
  if (moved && !(level.sums().modularity(rule) > before.modularity(rule)))
    return level.move_one_by_one() > 0;
  return moved;
}

}  // namespace

index_t search_communities(const context& where, community_level& first,
                           const community_rule& rule) {
  index_t levels = 0;
  for (const bool alone : {true, false}) {
    std::vector<std::unique_ptr<community_level>> above;
    community_level* level = &first;
    where.checkpoint("louvain");
    while (move_vertices(*level, rule, alone || level != &first,
                         alone ? community_rule::first_one_in : 0)) {
      ++levels;
      above.push_back(level->next());
      level = above.back().get();
      where.checkpoint("louvain");
    }
    if (above.empty()) break;
    while (!above.empty()) {
      const std::unique_ptr<community_level> top = std::move(above.back());
      above.pop_back();
      (above.empty() ? first : *above.back()).join_as(*top);
    }
  }
  return levels;
}

}  // namespace tropic::detail
