// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by the tests of Boost.Graph.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/interop/boost_graph.hpp>
#include <tropic/tropic.hpp>

#include "support/cases.hpp"

namespace tropic::testing {

inline const context& here() {
  static const context result = context::cpu();
  return result;
}

template <class T>
using entry_map = std::map<std::pair<index_t, index_t>, T>;

template <class T>
entry_map<T> entries_of(const matrix<T>& m) {
  entry_map<T> found;
  const auto columns = m.column_indices();
  const auto values = m.values();
  for (index_t i = 0; i < m.rows(); ++i)
    for (index_t e = m.offset(i); e < m.offset(i + 1); ++e)
      found[{i, columns[static_cast<std::size_t>(e)]}] =
          values[m.is_iso() ? 0 : static_cast<std::size_t>(e)];
  return found;
}

/// 5 x 5, a loop, empty rows between and at the end.
inline matrix<float> small_matrix() {
  const std::vector<std::uint32_t> row{1, 1, 0, 3, 3, 3}, column{4, 0, 1, 3, 0, 2};
  const std::vector<float> value{1.5F, 2, 3, 4, 5, 6};
  return matrix<float>::from_entries(here(), 5, 5, row, column, value);
}

/// The same matrix over offsets of 64 bits.
inline matrix<float> with_wide_offsets(const matrix<float>& m) {
  const auto offsets = std::make_shared<std::vector<std::uint64_t>>();
  for (index_t i = 0; i <= m.rows(); ++i)
    offsets->push_back(static_cast<std::uint64_t>(m.offset(i)));
  return matrix<float>::from_csr(m.where(), m.rows(), m.columns(),
                                 array_view<std::uint64_t>{*offsets, offsets}, m.column_indices(),
                                 m.values());
}

/// About that many entries with integer values from 1 to 20.
inline matrix<double> random_matrix(dice& random, int vertices, int entries) {
  std::vector<std::uint32_t> row, column;
  std::vector<double> value;
  for (int e = 0; e < entries; ++e) {
    row.push_back(static_cast<std::uint32_t>(random.roll(vertices)));
    column.push_back(static_cast<std::uint32_t>(random.roll(vertices)));
    value.push_back(static_cast<double>(1 + random.roll(20)));
  }
  return matrix<double>::from_entries(here(), vertices, vertices, row, column, value,
                                      duplicates::minimum);
}

}  // namespace tropic::testing
