// SPDX-License-Identifier: Apache-2.0

// Vectors of equal values on the CPU: an array knows that its elements are equal until it is
// written, and writes them when it is first accessed (buffer::fill, buffer::equal_element).
// Products whose sums are all one value fill their result.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tropic/tropic.hpp>

#include "support/cases.hpp"

namespace tropic::testing {
namespace {

class EqualValues : public ::testing::Test {
 protected:
  static constexpr index_t n = 5;
  const context where = context::cpu({.threads = 2});
  // Rows of one to three entries; none is empty.
  const std::vector<std::uint32_t> row{0, 1, 1, 2, 2, 2, 3, 4}, column{1, 0, 2, 0, 3, 4, 3, 1};

  template <class T>
  matrix<T> of(const std::vector<T>& values) const {
    return matrix<T>::from_entries(where, n, n, row, column, values);
  }
  template <class T>
  matrix<T> all(T value) const {
    return of(std::vector<T>(row.size(), value));
  }
  template <class T>
  static bool is_full_of(const vector<T>& v, T value) {
    return v.nvals() == n && v.dense(T{}) == std::vector<T>(n, value);
  }
};

TEST_F(EqualValues, FillTheResult) {
  const auto a = all(true);
  for (const bool value : {false, true}) {
    vector<bool> w(where, n);
    for (int call = 0; call < 3; ++call) {
      mxv(w, or_and<bool>{}, a, vector<bool>(where, n, value));
      EXPECT_EQ(w.nvals(), n);
      for (index_t i = 0; i < n; ++i) EXPECT_EQ(w.get(i), value);
    }
  }
  vector<double> shortest(where, n);
  mxv(shortest, min_plus<double>{}, all(2.0), vector<double>(where, n, 3.0));
  EXPECT_TRUE(is_full_of(shortest, 5.0));
  // All columns have entries, too.
  vxm(shortest, min_plus<double>{}, vector<double>(where, n, 4.0), all(2.0));
  EXPECT_TRUE(is_full_of(shortest, 6.0));
  vector<float> any(where, n);
  mxv(any, any_pair<float>{}, of(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}),
      vector<float>::from_array(where, std::vector<float>{1, 2, 3, 4, 5}));
  EXPECT_TRUE(is_full_of(any, 1.0f));
}

TEST_F(EqualValues, AreWrittenBeforeTheyChange) {
  const auto a = all(std::int32_t{1});
  vector<std::int32_t> u(where, n, 7), w(where, n);
  u.set(2, 3);
  EXPECT_EQ(u.dense(0), (std::vector<std::int32_t>{7, 7, 3, 7, 7}));
  mxv(w, min_plus<std::int32_t>{}, a, vector<std::int32_t>(where, n, 4));
  w.set(0, 9);
  EXPECT_EQ(w.dense(0), (std::vector<std::int32_t>{9, 5, 5, 5, 5}));
  mxv(w, min_plus<std::int32_t>{}, a, vector<std::int32_t>(where, n, 4));
  apply(w, bind_second(plus{}, 1), w);
  EXPECT_TRUE(is_full_of(w, 6));
  mxv(w, min_plus<std::int32_t>{}, a, vector<std::int32_t>(where, n, 4));
  vector<std::int32_t> copy = w;
  assign(w, 8, std::vector<index_t>{1});
  EXPECT_EQ(w.dense(0), (std::vector<std::int32_t>{5, 8, 5, 5, 5}));
  EXPECT_TRUE(is_full_of(copy, 5));
}

TEST_F(EqualValues, AreForgottenWhenTheVectorChanges) {
  const auto a = all(1.0);
  vector<double> u(where, n, 2.0), w(where, n);
  for (int change = 0; change < 3; ++change) {
    mxv(w, min_plus<double>{}, a, u);
    EXPECT_TRUE(is_full_of(w, change == 0 ? 3.0 : 0.5)) << change;
    if (change == 0) {
      apply(u, bind_second(times{}, -0.25), u);
    } else {
      u.set(3, -4.0);
      mxv(w, min_plus<double>{}, a, u);
      EXPECT_EQ(w.dense(0), (std::vector<double>{0.5, 0.5, -3, -3, 0.5})) << change;
      u.set(3, -0.5);
    }
  }
}

// Its owner should keep it unchanged, but arrays of other languages change easily.
TEST_F(EqualValues, OfABorrowedArrayAreThoseOfTheCall) {
  const auto a = all(1.0);
  std::vector<double> values(n, 2.0);
  const auto u = vector<double>::from_array(where, array_view<double>{values, nullptr});
  vector<double> w(where, n);
  mxv(w, min_plus<double>{}, a, u);
  EXPECT_TRUE(is_full_of(w, 3.0));
  values[1] = -1;
  mxv(w, min_plus<double>{}, a, u);
  EXPECT_EQ(w.dense(0), (std::vector<double>{0, 3, 3, 3, 0}));
}

// 5 or 5 is 1: a row of one entry has the sum 5.
TEST_F(EqualValues, WhoseSumIsAnotherValueAreSummed) {
  const context reference = context::reference();
  vector<std::int32_t> w(where, n), expected(reference, n);
  const semiring<or_monoid<std::int32_t>, first> s{};
  mxv(w, s, all(5), vector<std::int32_t>(where, n, 1));
  mxv(expected, s,
      matrix<std::int32_t>::from_entries(reference, n, n, row, column,
                                         std::vector<std::int32_t>(row.size(), 5)),
      vector<std::int32_t>(reference, n, 1));
  EXPECT_EQ(w.dense(0), expected.dense(0));
  EXPECT_NE(*w.get(0), *w.get(1));
  // Values that differ, and a sum whose neutral value is not 0.
  const std::vector<std::int32_t> values{5, 2, 0, 3, 4, 5, 6, 7}, unequal{1, 2, 3, 4, 5};
  const auto check = [&](const auto& over, const char* what) {
    const auto on = [&](const context& here) {
      vector<std::int32_t> result(here, n);
      mxv(result, over, matrix<std::int32_t>::from_entries(here, n, n, row, column, values),
          vector<std::int32_t>::from_array(here, std::vector<std::int32_t>(unequal)));
      return result.dense(-1);
    };
    EXPECT_EQ(on(where), on(reference)) << what;
  };
  check(s, "or");
  check(semiring<and_monoid<std::int32_t>, first>{}, "and");
  check(semiring<xor_monoid<std::int32_t>, first>{}, "xor");
}

TEST_F(EqualValues, DoNotFillWhatTheProductLeavesOut) {
  const std::vector<std::uint32_t> rows{0, 3}, columns{1, 1};
  const auto gaps = matrix<bool>::from_pattern(where, n, n, rows, columns, true);
  const vector<bool> u(where, n, true);
  vector<bool> w(where, n);
  mxv(w, or_and<bool>{}, gaps, u);
  EXPECT_EQ(w.nvals(), 2);
  vector<bool> mask(where, n);
  mask.set(4, true);
  vector<bool> masked(where, n);
  mxv(masked, or_and<bool>{}, all(true), u, {.mask = mask});
  EXPECT_EQ(masked.nvals(), 1);
  vector<double> sum(where, n, 1.0);
  mxv(sum, min_plus<double>{}, all(2.0), vector<double>(where, n, 3.0), {.accumulate = plus{}});
  EXPECT_TRUE(is_full_of(sum, 6.0));
}

// Results have their entries where rows do. They share the flags of the rows with the matrix, until
// they change.
TEST_F(EqualValues, FillTheRowsWithEntries) {
  const std::vector<std::uint32_t> rows{0, 0, 3}, columns{1, 2, 1};
  const auto gaps = matrix<float>::from_pattern(where, n, n, rows, columns, 2.0f);
  const auto gaps_back = matrix<float>::from_pattern(where, n, n, columns, rows, 2.0f);
  const vector<float> u(where, n, 3.0f);
  const std::vector<float> expected{5, -1, -1, 5, -1};
  vector<float> w(where, n, 9.0f);
  for (int call = 0; call < 2; ++call) {
    mxv(w, min_plus<float>{}, gaps, u);
    EXPECT_EQ(w.nvals(), 2);
    EXPECT_EQ(w.dense(-1), expected);
    const vector<float> before = w;
    w.set(1, 7);
    w.remove(3);
    EXPECT_EQ(w.dense(-1), (std::vector<float>{5, 7, -1, -1, -1}));
    EXPECT_EQ(before.dense(-1), expected);
    assign(w, 4.0f, {.mask = structure(before)});
    EXPECT_EQ(w.dense(-1), (std::vector<float>{4, 7, -1, 4, -1}));
  }
  vector<float> back(where, n);
  vxm(back, min_plus<float>{}, u, gaps_back);
  EXPECT_EQ(back.dense(-1), expected);
  mxv(back, any_pair<float>{}, gaps_back, u);
  EXPECT_EQ(back.dense(-1), (std::vector<float>{-1, 1, 1, -1, -1}));
  ewise_add(back, plus{}, back, w);
  EXPECT_EQ(back.dense(-1), (std::vector<float>{4, 8, 1, 4, -1}));
  mxv(back, any_pair<float>{}, gaps_back, u);
  EXPECT_EQ(back.dense(-1), (std::vector<float>{-1, 1, 1, -1, -1}));
}

// So do those of any other values.
TEST_F(EqualValues, AreNotNeededToShareTheFlagsOfTheRows) {
  auto gaps = matrix<float>::from_entries(where, n, n, {0, 0, 3}, {1, 2, 1}, {2.0f, 8.0f, 4.0f});
  const auto u = vector<float>::from_array(where, std::vector<float>{9, 1, 2, 9, 9});
  const std::vector<float> expected{18, -1, -1, 4, -1};
  vector<float> w(where, n, 9.0f), masked(where, n);
  for (int call = 0; call < 2; ++call) {
    mxv(w, plus_times<float>{}, gaps, u);
    EXPECT_EQ(w.nvals(), 2);
    EXPECT_EQ(w.dense(-1), expected);
    const vector<float> before = w;
    w.set(1, 7);
    w.remove(3);
    EXPECT_EQ(w.dense(-1), (std::vector<float>{18, 7, -1, -1, -1}));
    EXPECT_EQ(before.dense(-1), expected);
    mxv(masked, plus_times<float>{}, gaps, u, {.mask = structure(w), .replace = true});
    EXPECT_EQ(masked.dense(-1), (std::vector<float>{18, -1, -1, -1, -1}));
    mxv(w, plus_times<float>{}, gaps, u, {.accumulate = plus{}});
    EXPECT_EQ(w.dense(-1), (std::vector<float>{36, 7, -1, 4, -1}));
  }
  assign(gaps, 1.0f, std::vector<index_t>{4}, std::vector<index_t>{1, 2});
  mxv(w, plus_times<float>{}, gaps, u);
  EXPECT_EQ(w.dense(-1), (std::vector<float>{18, -1, -1, 4, 3}));

  constexpr std::uint32_t many = 400;  // enough for loops that read entries behind their rows
  std::vector<std::uint32_t> even;
  std::vector<float> value;
  for (std::uint32_t i = 0; i < many; i += 2) {
    even.push_back(i);
    value.push_back(static_cast<float>(i));
  }
  const auto every_other = matrix<float>::from_entries(where, many, many, even, even, value);
  vector<float> found(where, many);
  mxv(found, plus_times<float>{}, every_other,
      vector<float>::from_array(where, std::vector<float>(many, 2.0f)));
  EXPECT_EQ(found.nvals(), index_t{many / 2});
  for (std::uint32_t i = 0; i < many; ++i)
    EXPECT_EQ(found.get(i),
              i % 2 == 0 ? std::optional(2.0f * static_cast<float>(i)) : std::nullopt);
}

TEST_F(EqualValues, FillAnyNumberOfRows) {
  const context reference = context::reference();
  for (const index_t rows : {1, 63, 5000, 200'001}) {
    std::vector<std::uint32_t> i, j;
    for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(rows); row += 1 + row % 3) {
      i.push_back(row);
      j.push_back(row % 7);
    }
    const auto on = [&](const context& here) {
      vector<bool> w(here, rows);
      mxv(w, or_and<bool>{}, matrix<bool>::from_pattern(here, rows, 7, i, j, true),
          vector<bool>(here, 7, true));
      return w;
    };
    const vector<bool> w = on(where);
    EXPECT_EQ(w.nvals(), static_cast<index_t>(i.size()));
    EXPECT_EQ(w.dense(false), on(reference).dense(false));
  }
}

// By the lengths of the rows alone, in large parts: with rows without entries and rows longer than
// a part; and sums that are not exact, which are taken entry by entry.
TEST_F(EqualValues, CountTheEntriesOfRows) {
  const context reference = context::reference();
  constexpr std::uint32_t rows = 300'001, columns = 70'000;
  std::vector<std::uint32_t> i, j;
  for (std::uint32_t row = 0; row < rows; row += 1 + row % 3)
    for (std::uint32_t column = 0; column < (row % 100'000 == 0 ? columns : 1 + row % 4);
         ++column) {
      i.push_back(row);
      j.push_back(column);
    }
  for (const int threads : {1, 2, 3})
    for (const float value : {1.0f, 0.1f}) {
      const auto on = [&](const context& here) {
        vector<float> counts(here, rows), sums(here, rows);
        const auto a = matrix<float>::from_pattern(here, rows, columns, i, j, value);
        mxv(counts, plus_pair<float>{}, a, vector<float>(here, columns, 3.0f));
        mxv(sums, plus_first<float>{}, a, vector<float>(here, columns, 3.0f));
        return std::pair(counts.dense(-1), sums.dense(-1));
      };
      const context where = context::cpu({.threads = threads});
      const auto [counts, sums] = on(where);
      const auto [wanted, inexact] = on(reference);
      vector<float> by_entries(where, rows);  // of values that are stored one by one
      mxv(by_entries, plus_first<float>{},
          matrix<float>::from_entries(where, rows, columns, i, j,
                                      std::vector<float>(i.size(), value)),
          vector<float>(where, columns, 3.0f));
      EXPECT_EQ(sums, by_entries.dense(-1)) << threads;
      EXPECT_EQ(counts, wanted) << threads;
      for (std::size_t row = 0; row < rows; ++row) {
        const float expected = inexact[row] < 0 ? -1 : wanted[row] * value;
        ASSERT_NEAR(sums[row], expected, 1e-5f * std::abs(expected)) << row << ' ' << threads;
      }
    }
}

TEST_F(EqualValues, MayBeTheResultAndTheOperand) {
  const auto a = all(1.0);
  vector<double> w(where, n, 0.0);
  for (int call = 1; call < 5; ++call) {
    mxv(w, min_plus<double>{}, a, w);
    if (call % 2 == 0) {
      EXPECT_TRUE(is_full_of(w, static_cast<double>(call)));
    }
  }
}

TEST_F(EqualValues, MayBeReadByThreadsAtOnce) {
  const index_t size = 100'000;
  for (int round = 0; round < 20; ++round) {
    const vector<std::int64_t> v(where, size, round);
    std::vector<std::int64_t> sums(4);
    std::vector<std::thread> readers;
    for (std::int64_t& sum : sums)
      readers.emplace_back([&] { sum = reduce(plus_monoid<std::int64_t>{}, v); });
    for (std::thread& reader : readers) reader.join();
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, size * round);
  }
}

}  // namespace
}  // namespace tropic::testing
