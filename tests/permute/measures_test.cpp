// SPDX-License-Identifier: Apache-2.0

// Measures against values computed by hand and, to 1e-12, against SciPy 1.10.1's, recorded with
//
//   from scipy.stats import entropy; from scipy.spatial.distance import jensenshannon
//   a = [3,0,1,7,2,9,4,4]; b = [1,5,0,2,8,8,3,3]
//   A = [(i*i*7+3) % 101 for i in range(1000)]; B = [(i*13+5) % 57 for i in range(1000)]
//   print(entropy(a, base=2), entropy(b, base=2), jensenshannon(a, b, base=2))   # and of A and B

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <tropic/measures.hpp>

#include "support/cases.hpp"
#include "support/contexts.hpp"

namespace tropic::testing {
namespace {

histogram formula_a() {
  histogram result(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) result[i] = (i * i * 7 + 3) % 101;
  return result;
}
histogram formula_b() {
  histogram result(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) result[i] = (i * 13 + 5) % 57;
  return result;
}
const histogram small_a{3, 0, 1, 7, 2, 9, 4, 4}, small_b{1, 5, 0, 2, 8, 8, 3, 3};

// x x . .
// x . . .
// . . . .
// x . x x
matrix<double> hand_made(const context& where) {
  const std::vector<std::uint32_t> row{0, 0, 1, 3, 3, 3}, column{0, 1, 0, 0, 2, 3};
  return matrix<double>::from_pattern(where, 4, 4, row, column, 1.0);
}

TEST(Measures, EntropyByHand) {
  EXPECT_EQ(entropy(histogram{}), 0);
  EXPECT_EQ(entropy(histogram{0, 0}), 0);
  EXPECT_EQ(entropy(histogram{7}), 0);
  EXPECT_EQ(entropy(histogram{5, 5}), 1);
  EXPECT_EQ(entropy(histogram{1, 0, 1, 2}), 1.5);
  EXPECT_EQ(entropy(histogram(1024, 3)), 10);
}

TEST(Measures, EqualRecordedValuesOfScipy) {
  EXPECT_NEAR(entropy(small_a), 2.542367363290268, 1e-12);
  EXPECT_NEAR(entropy(small_b), 2.53624341298306, 1e-12);
  EXPECT_NEAR(jensen_shannon_distance(small_a, small_b), 0.44547781093184624, 1e-12);
  EXPECT_NEAR(entropy(formula_a()), 9.686551222706365, 1e-12);
  EXPECT_NEAR(entropy(formula_b()), 9.67301171149464, 1e-12);
  EXPECT_NEAR(jensen_shannon_distance(formula_a(), formula_b()), 0.39319504715840364, 1e-12);
}

TEST(Measures, JensenShannonByHand) {
  EXPECT_EQ(jensen_shannon_distance(histogram{1, 0}, histogram{0, 4}), 1);
  EXPECT_EQ(jensen_shannon_distance(histogram{1, 2}, histogram{3, 6}), 0);
  // p = (1, 0), q = (1/2, 1/2), m = (3/4, 1/4): (log2(4/3) + (log2(2/3) + 1) / 2) / 2.
  EXPECT_NEAR(jensen_shannon_distance(histogram{1, 0}, histogram{1, 1}),
              std::sqrt((std::log2(4.0 / 3) + (std::log2(2.0 / 3) + 1) / 2) / 2), 1e-15);
  EXPECT_THROW(jensen_shannon_distance(histogram{1}, histogram{1, 2}), usage_error);
  EXPECT_THROW(jensen_shannon_distance(histogram{0, 0}, histogram{1, 2}), usage_error);
}

TEST(Measures, OfAMatrixByHandInEveryContext) {
  for (const std::string& name : context_names()) {
    const found_context found = make_context(name);
    if (!found.where) continue;
    const matrix<double> a = hand_made(*found.where);
    EXPECT_EQ(row_counts(a), (histogram{2, 1, 0, 3})) << name;
    EXPECT_EQ(column_counts(a), (histogram{3, 1, 1, 1})) << name;
    const auto maps = hierarchical_entropy(a);
    EXPECT_EQ(maps[0].counts, (histogram{3, 0, 1, 2})) << name;
    EXPECT_EQ(maps[0].at(1, 0), 1U);
    EXPECT_NEAR(maps[0].entropy, 0.5 + std::log2(6.0) / 6 + std::log2(3.0) / 3, 1e-14);
    EXPECT_EQ(maps[1].counts, (histogram{1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1}));
    // Every second block is empty: there are more of them than rows.
    EXPECT_EQ(std::accumulate(maps[2].counts.begin(), maps[2].counts.end(), 0U), 6U);
    EXPECT_NEAR(maps[2].entropy, std::log2(6.0), 1e-14);
    EXPECT_EQ(equal_row_imbalance(a, 1), 1);
    EXPECT_EQ(equal_row_imbalance(a, 2), 1);
    EXPECT_EQ(equal_row_imbalance(a, 4), 2);
    EXPECT_EQ(equal_row_imbalance(a, 3), 1.5);  // rows 0, 1, 2 to 3: 2, 1, 3 of 2 on average
  }
}

TEST(Measures, OfEmptyMatricesAreDefined) {
  const context where = context::cpu();
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{0, 0}, {3, 0}, {0, 2}, {2, 5}}) {
    const matrix<float> a(where, rows, columns);
    EXPECT_EQ(row_counts(a).size(), static_cast<std::size_t>(rows));
    EXPECT_EQ(column_counts(a).size(), static_cast<std::size_t>(columns));
    EXPECT_EQ(block_counts(a, 8).entropy, 0);
    EXPECT_EQ(equal_row_imbalance(a, 3), 1);
  }
  EXPECT_THROW(block_counts(matrix<float>(where, 2, 2), 0), usage_error);
  EXPECT_THROW(equal_row_imbalance(matrix<float>(where, 2, 2), 0), usage_error);
}

TEST(Measures, AreTheSameForAnyNumberOfThreads) {
  dice random(7);
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i < 3000; ++i)
    for (std::uint32_t j = 0; j < 400; ++j)
      if (random.chance(i % 7 == 0 ? 0.4 : 0.1)) {
        row.push_back(i);
        column.push_back(j);
      }
  const auto on = [&](int threads) {
    return matrix<double>::from_pattern(context::cpu({.threads = threads}), 3000, 400, row, column,
                                        1.0);
  };
  const matrix<double> one = on(1);
  histogram rows(3000, 0), columns(400, 0), blocks(64, 0);
  for (std::size_t e = 0; e < row.size(); ++e) {
    ++rows[row[e]];
    ++columns[column[e]];
    ++blocks[row[e] / 375 * 8 + column[e] / 50];
  }
  for (const int threads : {1, 2, 3, 8}) {
    const matrix<double> a = on(threads);
    EXPECT_EQ(row_counts(a), rows);
    EXPECT_EQ(column_counts(a), columns);
    EXPECT_EQ(block_counts(a, 8).counts, blocks);
  }
}

TEST(Significance, TellsChanceFromDifference) {
  // Two samples of one distribution, and one of another.
  dice random(3);
  histogram one(64, 0), alike(64, 0), uneven(64, 0);
  for (int n = 0; n < 20000; ++n) {
    ++one[random.next() % 64];
    ++alike[random.next() % 64];
    ++uneven[random.next() % 64 * (random.next() % 64) / 63];
  }
  bootstrap_options options;
  options.resamples = 499;
  EXPECT_GT(entropy_difference(one, alike, options).p_value, 0.02);
  EXPECT_GT(distribution_difference(one, alike, options).p_value, 0.02);
  EXPECT_EQ(entropy_difference(one, uneven, options).p_value, 1 / 500.0);
  EXPECT_EQ(distribution_difference(one, uneven, options).p_value, 1 / 500.0);
  EXPECT_EQ(distribution_difference(one, uneven, options).statistic,
            jensen_shannon_distance(one, uneven));
  EXPECT_EQ(entropy_difference(uneven, one, options).statistic, entropy(one) - entropy(uneven));
  // Equal histograms do not differ.
  EXPECT_EQ(entropy_difference(one, one, options).p_value, 1);
  EXPECT_EQ(distribution_difference(one, one, options).p_value, 1);
}

TEST(Significance, PValuesAreUniformForRandomMatrices) {
  // Under the null hypothesis p-values are uniform: of 200 pairs, 20 below 0.1 on average.
  dice random(11);
  int small = 0;
  for (int trial = 0; trial < 200; ++trial) {
    histogram first(10, 0), second(10, 0);
    for (int n = 0; n < 300; ++n) ++first[random.next() % 10];
    for (int n = 0; n < 500; ++n) ++second[random.next() % 10];
    small += distribution_difference(first, second, {.resamples = 199}).p_value < 0.1;
  }
  EXPECT_GE(small, 8);
  EXPECT_LE(small, 35);
}

TEST(Significance, DependsOnTheSeedAloneNotOnThreads) {
  const auto p_value = [](std::uint64_t seed, int threads) {
    histogram first{90, 110, 95, 105}, second{120, 80, 110, 90};
    return distribution_difference(first, second,
                                   {.resamples = 299, .seed = seed, .threads = threads})
        .p_value;
  };
  EXPECT_EQ(p_value(1, 1), p_value(1, 3));
  EXPECT_NE(p_value(1, 1), p_value(2, 1));
  EXPECT_NEAR(p_value(1, 1), p_value(2, 1), 0.1);
  const histogram two{1, 2};
  EXPECT_THROW(entropy_difference(two, histogram{1}), usage_error);
  EXPECT_THROW(entropy_difference(two, two, {.resamples = 0}), usage_error);
}

}  // namespace
}  // namespace tropic::testing
