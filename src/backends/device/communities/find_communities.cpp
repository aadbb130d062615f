// SPDX-License-Identifier: Apache-2.0

// The method of Louvain on a device (include/tropic/detail/communities.hpp). The host moves the
// vertices of levels with few of them, and of graphs.

#include <tropic/semirings/monoid.hpp>

#include "backends/device/communities/device_level.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"

namespace tropic::detail {
namespace {

/// Completes the weights of vertices.
bool weigh_vertices(device_context& device, device_graph& graph, bool wide, std::uint32_t& loops) {
  const community_programs programs(device, wide);
  if (!programs.exist()) return false;
  const std::size_t bytes = wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  graph.of_vertices = device.allocate(graph.rows * bytes);
  const buffer_pointer count = device.allocate(sizeof(std::uint32_t));
  const void *offsets = device.read(graph.offsets), *columns = device.read(graph.columns),
             *weights = device.read(graph.weights);
  void *to = device.write(graph.of_vertices), *to_count = device.write(count);
  device.runtime().fill(to, 0, graph.of_vertices->bytes());
  device.runtime().fill(to_count, 0, count->bytes());
  const std::uint32_t lanes = graph.weight_bytes == 0 ? 1 : 32;
  const kernel_argument by_pattern[] = {graph.rows, offsets, graph.wide, columns, to, to_count},
                        by_weights[] = {graph.rows,         offsets, graph.wide, weights,
                                        graph.weight_bytes, lanes,   to};
  const bool by_values = graph.weight_bytes > 0;
  const auto list = by_values ? std::span<const kernel_argument>(by_weights)
                              : std::span<const kernel_argument>(by_pattern);
  device.runtime().launch(community_programs::name, programs.state(),
                          by_values ? "t_weigh_by_weights" : "t_weigh_by_pattern", list,
                          device.groups_over(graph.rows * lanes, community_programs::group, 64),
                          community_programs::group);
  loops = *static_cast<const std::uint32_t*>(count->host());
  return true;
}

}  // namespace

double device_level::modularity() {
  set_partition(community_);  // which join_as has changed
  std::uint64_t loops = 0;
  const community_sums sums{inside(&loops), squares()};
  return sums.modularity(rule_, loops);
}

index_t device_level::name(vector_base& community) {
  const buffer_pointer smallest = zeros(graph_.rows * sizeof(std::uint32_t)),
                       count = zeros(sizeof(std::uint32_t)),
                       names = device_.allocate(graph_.rows * sizeof(index_t));
  const void* const found = device_.read(community_);
  void *to_smallest = device_.write(smallest, access::modify), *to_names = device_.write(names),
       *to_count = device_.write(count, access::modify);
  const kernel_argument find[] = {graph_.rows, found, to_smallest};
  launch(programs_.state(), "t_find_smallest", graph_.rows, find);
  const kernel_argument name[] = {graph_.rows, found, to_smallest, to_names, to_count};
  launch(programs_.state(), "t_name", graph_.rows, name);
  const std::uint32_t communities = *static_cast<const std::uint32_t*>(count->host());
  community.storage = vector_storage::full;
  community.nvals = community.size;
  community.indices = nullptr;
  community.present = nullptr;
  community.values = names;
  return communities;
}

std::optional<found_communities> matrix_operations::find_communities(vector_base& community,
                                                                     const matrix_base& a,
                                                                     bool weighted,
                                                                     double resolution) {
  // 31 bits, so that 1.5 slots for an entry can be counted.
  if (a.rows <= index_t{community_rule::few_vertices} || a.rows >= largest_dimension ||
      a.nnz == 0 || a.nnz > (index_t{1} << 31))
    return std::nullopt;
  device_graph graph{.rows = static_cast<std::uint64_t>(a.rows),
                     .nnz = static_cast<std::uint64_t>(a.nnz),
                     .offsets = a.offsets,
                     .columns = a.column_indices,
                     .wide = a.wide};
  community_rule rule{.resolution = resolution, .all = graph.nnz};
  std::uint32_t loops = 0;
  if (weighted) {
    if (!reduce(&rule.all, describe_monoid(plus_monoid<std::uint64_t>{}), a) || rule.all == 0)
      return std::nullopt;
    graph.weight_bytes = sizeof(std::uint64_t);
    graph.weights = a.values;
    if (a.iso) {
      graph.weights = device_.allocate(graph.nnz * sizeof(std::uint64_t));
      graph.weights->fill(a.values->host(), sizeof(std::uint64_t));
    }
  }
  if (!weigh_vertices(device_, graph, weighted && device_level::is_wide(rule), loops))
    return std::nullopt;
  rule.all += loops;
  if (!weighted && device_level::is_wide(rule)) return std::nullopt;
  device_level first(device_, std::move(graph), rule);
  found_communities result;
  result.levels = search_communities(context(device_.context()), first, rule);
  if (rule.shift() == 0) result.modularity = first.modularity();
  result.communities = first.name(community);
  return result;
}

}  // namespace tropic::detail
