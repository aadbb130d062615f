// SPDX-License-Identifier: Apache-2.0
#pragma once

// Connected components of a relabelled graph. The copy's labels distinguish components, but are
// smallest in the copy's numbers. A scatter with min finds the smallest original number of each:
//
//   smallest(label(v)) min= v        label(v) = smallest(label(v))

#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/extract.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// connected_components(graph.graph()), except for the number of rounds. Throws as that does.
template <value_type T>
components_result connected_components(const relabelled_graph<T>& graph) {
  components_result result = connected_components(graph.relabelled());
  const vector<index_t> label = graph.to_given(result.label);
  const index_t n = label.size();
  std::vector<index_t> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), index_t{0});
  const auto own_numbers = vector<index_t>::from_array(label.where(), std::move(numbers));
  vector<index_t> smallest(label.where(), n, n);
  detail::scatter_minimum(smallest, label.to_array(), own_numbers);
  extract(result.label, smallest, label.to_array().data);
  return result;
}

}  // namespace tropic
