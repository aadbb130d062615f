// SPDX-License-Identifier: Apache-2.0
#pragma once

// One level of the method of Louvain (include/tropic/detail/communities.hpp), and the search that
// goes through the levels. A level is on the host or on a device.

#include <cstddef>
#include <cstdint>
#include <memory>

#include <tropic/context.hpp>
#include <tropic/detail/communities.hpp>
#include <tropic/detail/community_rule.hpp>

#include "backends/cpu/memory_side.hpp"

namespace tropic::detail {

class community_level {
 public:
  virtual ~community_level() = default;
  virtual std::size_t vertices() const = 0;

  /// Every vertex is alone, or in the community that it has. The sums of these.
  virtual community_sums begin(bool alone) = 0;
  struct sweep_counts {
    std::size_t chose = 0, moved = 0;
  };
  virtual sweep_counts sweep(std::uint32_t number) = 0;
  /// From what `begin` began with. Returns the number of moves.
  virtual std::size_t move_one_by_one() = 0;
  virtual community_sums sums() = 0;

  /// The communities as vertices. May release all but the communities of this level.
  virtual std::unique_ptr<community_level> next() = 0;
  /// Joins communities as `above`, which `next` returned, joins its vertices.
  virtual void join_as(community_level& above) = 0;
  /// A vertex for each vertex: communities have equal ones. Words.
  virtual buffer_pointer communities() = 0;
};

/// Runs both passes on the first level and those that follow from it. The number of levels in which
/// a vertex moved.
index_t search_communities(const context&, community_level& first, const community_rule&);

/// A graph of a level on the host.
struct community_graph {
  std::size_t vertices = 0, longest_row = 0;
  buffer_pointer offsets{}, columns{}, weights{};  // weights: null where each entry is 1
  bool wide = false;                               // offsets of 64 bits
  std::size_t weight_bytes = 0;                    // 0, 4 or 8
  buffer_pointer of_vertices{};                    // sums of rows, 64 bits; null: to be computed

  std::size_t entries(const on_cpu::memory_side& here) const {
    return on_cpu::offsets_view{here.read(offsets), wide}[vertices];
  }
};

std::unique_ptr<community_level> make_host_level(const on_cpu::memory_side&, community_graph,
                                                 const community_rule&);

/// `all` of the rule: the sum of the weights, and the part of it that is on loops.
struct weight_sums {
  std::uint64_t all = 0, loops = 0;
};
weight_sums sum_weights(const on_cpu::memory_side&, const community_graph&);

/// Completes the result of find_communities: the smallest vertex of each community. Their number.
index_t name_communities(const on_cpu::memory_side&, community_level& first,
                         vector_base& community);

}  // namespace tropic::detail
