// SPDX-License-Identifier: Apache-2.0

// The method of Louvain on the host (include/tropic/detail/communities.hpp).

#include <algorithm>
#include <atomic>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/communities/host_level.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

using namespace on_cpu;

std::unique_ptr<community_level> make_host_level(const memory_side& here, community_graph graph,
                                                 const community_rule& rule) {
  return std::make_unique<host_level>(here, std::move(graph), rule);
}

weight_sums sum_weights(const memory_side& here, const community_graph& graph) {
  const offsets_view offsets{here.read(graph.offsets), graph.wide};
  const auto* const column = here.read_as<std::uint32_t>(graph.columns);
  const auto* const weight = here.read_as<std::uint64_t>(graph.weights);
  cancel_watch watch(here.context());
  std::atomic<std::uint64_t> loops = 0;
  constexpr std::size_t at_once = 1024;
  weight_sums result;
  result.all =
      sum_over_blocks(here.threads(), divide_up(graph.vertices, at_once), [&](std::size_t block) {
        std::size_t sum = 0, on_loops = 0;
        if (watch.is_cancelled()) return sum;
        for (std::size_t v = block * at_once; v < std::min(graph.vertices, (block + 1) * at_once);
             ++v)
          for (std::size_t e = offsets[v]; e < offsets[v + 1]; ++e) {
            const std::uint64_t of = weight != nullptr ? weight[e] : column[e] == v ? 2 : 1;
            sum += of;
            if (column[e] == v) on_loops += of;
          }
        loops.fetch_add(on_loops, std::memory_order_relaxed);
        return sum;
      });
  watch.check();
  result.loops = loops;
  return result;
}

index_t name_communities(const memory_side& here, community_level& first, vector_base& community) {
  const std::size_t n = first.vertices();
  const buffer_pointer smallest_buffer = here.allocate(n, sizeof(std::uint32_t));
  const auto* const found = here.read_as<std::uint32_t>(first.communities());
  auto* const smallest = here.write_as<std::uint32_t>(smallest_buffer);
  vector_base result = shell(here, *community.type, community.size);
  result.storage = vector_storage::full;
  result.nvals = result.size;
  result.values = here.allocate(n, sizeof(index_t));
  auto* const names = here.write_as<index_t>(result.values);
  std::fill_n(smallest, n, host_level::none);
  for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::atomic_ref least(smallest[found[v]]);
      std::uint32_t seen = least.load(std::memory_order_relaxed);
      while (v < seen && !least.compare_exchange_weak(seen, static_cast<std::uint32_t>(v),
                                                      std::memory_order_relaxed))
        ;
    }
  });
  const std::size_t count =
      sum_over_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
        std::size_t first_vertices = 0;
        for (std::size_t v = begin; v < end; ++v) {
          names[v] = smallest[found[v]];
          first_vertices += smallest[found[v]] == v;
        }
        return first_vertices;
      });
  community = std::move(result);
  return static_cast<index_t>(count);
}

std::optional<found_communities> cpu_backend::find_communities(vector_base& community,
                                                               const matrix_base& a, bool weighted,
                                                               double resolution) {
  const memory_side here(context_, on_host_);
  if (a.rows > index_t{host_level::none}) return std::nullopt;
  community_graph graph{.vertices = as_size(a.rows),
                        .longest_row = as_size(a.longest_row),
                        .offsets = a.offsets,
                        .columns = a.column_indices,
                        .wide = a.wide};
  if (weighted) {
    graph.weight_bytes = sizeof(std::uint64_t);
    graph.weights = a.values;
    if (a.iso) {
      graph.weights = here.allocate(as_size(a.nnz), sizeof(std::uint64_t));
      std::fill_n(here.write_as<std::uint64_t>(graph.weights), as_size(a.nnz),
                  *here.read_as<std::uint64_t>(a.values));
    }
  }
  const weight_sums sums = sum_weights(here, graph);
  const community_rule rule{resolution, sums.all};
  const std::unique_ptr<community_level> first = make_host_level(here, std::move(graph), rule);
  found_communities result;
  if (sums.all == 0) {
    first->begin(true);
  } else {
    result.levels = search_communities(context(here.context()), *first, rule);
    if (rule.shift() == 0) result.modularity = first->begin(false).modularity(rule, sums.loops);
  }
  result.communities = name_communities(here, *first, community);
  return result;
}

}  // namespace tropic::detail
