// SPDX-License-Identifier: Apache-2.0
#pragma once

// Distances between pairs on a relabelled graph: the same, as those of sssp are
// (relabelled/sssp.hpp).

#include <span>
#include <type_traits>

#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/algorithms/sssp_between.hpp>

namespace tropic {

/// sssp_between<D>(graph.graph(), from, to, options). Throws as that does.
template <class D = void, value_type T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
sssp_between_result<detail::distances_asked<D, T>> sssp_between(const relabelled_graph<T>& graph,
                                                                std::span<const index_t> from,
                                                                std::span<const index_t> to,
                                                                sssp_options options = {}) {
  using distance = detail::distances_asked<D, T>;
  detail::check_pairs("sssp", graph.graph().rows(), from, to);
  options.parents = false;
  return detail::searches_between<distance>(
      graph.graph(), graph.relabelled(), [&](index_t v) { return graph.order().new_position(v); },
      from, to, options, [&](index_t source) { return sssp<distance>(graph, source, options); });
}

}  // namespace tropic
