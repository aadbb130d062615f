// SPDX-License-Identifier: Apache-2.0
#pragma once

// Partitions as matrices.

#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/error.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// true at (v, label(v)) for every v. `label` is full, its values are below `columns`. Errors begin
/// with the algorithm's name.
inline matrix<bool> membership(const char* algorithm, const vector<index_t>& label,
                               index_t columns) {
  const auto n = static_cast<std::size_t>(label.size());
  std::vector<index_t> offsets(n + 1);
  std::iota(offsets.begin(), offsets.end(), index_t{0});
  const auto one = std::make_shared<const bool>(true);
  try {
    return matrix<bool>::from_csr(label.where(), label.size(), columns, adopt(std::move(offsets)),
                                  label.to_array(), array_view<bool>{{one.get(), n > 0}, one},
                                  {.trusted = true});
  } catch (const out_of_memory& cause) {
    throw out_of_memory(algorithm, cause);
  }
}

}  // namespace tropic::detail
