// SPDX-License-Identifier: Apache-2.0
#pragma once

// From labels that tell sets of vertices apart to the smallest vertex of every set, by a scatter
// with the minimum and a gather:
//
//   smallest(label(v)) min= v        result(v) = smallest(label(v))

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/scatter.hpp>
#include <tropic/array_view.hpp>
#include <tropic/extract.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// `label` is full, and its values are vertices.
inline vector<index_t> smallest_of_label(const char* algorithm, const vector<index_t>& label) {
  const index_t n = label.size();
  std::vector<index_t> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), index_t{0});
  const auto vertices = vector<index_t>::from_array(label.where(), std::move(numbers));
  const array_view<index_t> labels = host_values(algorithm, label);
  vector<index_t> smallest(label.where(), n, n), result(label.where(), n);
  scatter_minimum(smallest, labels, vertices);
  extract(result, smallest, labels.data);
  return result;
}

}  // namespace tropic::detail
