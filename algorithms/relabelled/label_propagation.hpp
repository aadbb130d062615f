// SPDX-License-Identifier: Apache-2.0
#pragma once

// Label propagation on a relabelled graph. The vertices of the copy begin with their numbers in the
// original as labels, so that ties are resolved by these, and every iteration gives the same
// labels.

#include <cstddef>
#include <utility>
#include <vector>

#include <tropic/algorithms/label_propagation.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// label_propagation(graph.graph(), iterations). Throws as that does.
template <value_type T>
label_propagation_result label_propagation(const relabelled_graph<T>& graph,
                                           index_t iterations = 10) {
  detail::check_square("label_propagation", graph.graph());
  std::vector<index_t> numbers(static_cast<std::size_t>(graph.graph().rows()));
  for (std::size_t v = 0; v < numbers.size(); ++v)
    numbers[static_cast<std::size_t>(graph.order().new_position(static_cast<index_t>(v)))] =
        static_cast<index_t>(v);
  label_propagation_result result = detail::propagate_labels(
      graph.relabelled(), vector<index_t>::from_array(graph.graph().where(), std::move(numbers)),
      iterations);
  result.label = graph.to_given(result.label);
  return result;
}

}  // namespace tropic
