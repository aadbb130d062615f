// SPDX-License-Identifier: Apache-2.0

// The order by degree on every context: the most entries first, equal rows in their order.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <tropic/tropic.hpp>

#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class DegreeOrder : public OnContext {
 protected:
  /// Row i has lengths[i] entries.
  void agrees(const std::vector<index_t>& lengths) {
    const auto n = static_cast<index_t>(lengths.size());
    std::vector<std::uint32_t> rows, columns, expected(lengths.size());
    for (std::size_t row = 0; row < lengths.size(); ++row)
      for (index_t column = 0; column < lengths[row]; ++column) {
        rows.push_back(static_cast<std::uint32_t>(row));
        columns.push_back(static_cast<std::uint32_t>(column));
      }
    std::iota(expected.begin(), expected.end(), 0U);
    std::ranges::stable_sort(expected, std::ranges::greater{},
                             [&](std::uint32_t row) { return lengths[row]; });
    const auto graph = matrix<bool>::from_pattern(where(), n, n, rows, columns, true);
    EXPECT_EQ(make_relabelling(graph, permutation_kind::degree),
              permutation::from_old_positions(expected));
    EXPECT_EQ(make_permutation(graph, permutation_kind::degree).rows,
              permutation::from_old_positions(expected));
  }
};

TEST_P(DegreeOrder, IsStable) {
  std::mt19937 random(3);
  for (const std::size_t n : {1U, 2U, 40U, 1500U})
    for (const unsigned longest : {0U, 1U, 3U, 17U, 300U}) {
      SCOPED_TRACE(std::to_string(n) + " rows of up to " + std::to_string(longest));
      std::vector<index_t> lengths(n);
      for (index_t& length : lengths)
        length = std::min<index_t>(random() % (longest + 1), static_cast<index_t>(n));
      agrees(lengths);
    }
}

TEST_P(DegreeOrder, OfNoRowsIsEmpty) {
  EXPECT_EQ(make_relabelling(matrix<bool>(where(), 0, 0), permutation_kind::degree).size(), 0);
}

TROPIC_ON_EVERY_CONTEXT(DegreeOrder);

}  // namespace
}  // namespace tropic::testing
