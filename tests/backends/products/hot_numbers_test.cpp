// SPDX-License-Identifier: Apache-2.0

// Pulls on the CPU with hot columns (src/backends/cpu/matrices/hot_columns.hpp): the same bits as
// before, the reference's results, only where columns differ in frequency, given up where calls
// with them take longer and under memory pressure. And extrema that are kept with a matrix.

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"
#include "support/cases.hpp"

namespace tropic::testing {
namespace hot_numbers_test {
namespace {

TROPIC_BINARY_OPERATOR(product_by_column, x* y + k);
template <class T>
using plus_by_column = semiring<plus_monoid<T>, product_by_column, T, T>;

constexpr index_t rows = 30'000, columns = 200'000;  // 1.5 MB of eight bytes each

// Five of six entries are in 20,000 columns, each in a cache line of its own, if `skewed`.
template <class T>
matrix<T> scattered(const context& where, bool skewed) {
  dice random(hash_text("hot columns"));
  std::vector<std::uint32_t> row, column;
  std::vector<T> value;
  for (index_t i = 0; i < rows; ++i)
    for (int n = 0; n < 12; ++n) {
      const auto any = static_cast<std::uint32_t>(random.roll(columns));
      row.push_back(static_cast<std::uint32_t>(i));
      column.push_back(skewed && n % 6 != 0 ? any / 10 * 10 : any);
      value.push_back(static_cast<T>(random.roll(1000)) / static_cast<T>(8));
    }
  return matrix<T>::from_entries(where, rows, columns, row, column, value, duplicates::maximum);
}

template <class T>
vector<T> input(const context& where, index_t n) {
  dice random(hash_text("input"));
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& v : values) v = static_cast<T>(random.roll(100'000)) / static_cast<T>(7);
  return vector<T>::from_array(where, values);
}

context cpu_with(int threads) {
  context_options options;
  options.threads = threads;
  return context::cpu(options);
}

bool has_hot_numbers(const detail::matrix_base& a) {
  return a.derived->hot_numbers != nullptr;
}

// Six calls: the first ones without hot columns.
template <class T, class S>
void check_calls(const S& semiring, int threads, bool expected) {
  const context where = cpu_with(threads), reference = context::reference();
  const auto a = scattered<T>(where, true);
  const auto u = input<T>(where, columns);
  vector<T> expected_w(reference, rows);
  mxv(expected_w, semiring, scattered<T>(reference, true), input<T>(reference, columns));
  vector<T> first(where, rows), w(where, rows);
  mxv(first, semiring, a, u);
  const std::vector<T> bits = first.dense(T{});
  for (int call = 1; call < 6; ++call) {
    mxv(w, semiring, a, u);
    const std::vector<T> found = w.dense(T{});
    ASSERT_EQ(std::memcmp(found.data(), bits.data(), bits.size() * sizeof(T)), 0) << call;
  }
  EXPECT_EQ(has_hot_numbers(a.base()), expected);
  const std::vector<T> wanted = expected_w.dense(T{});
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_NEAR(static_cast<double>(bits[i]), static_cast<double>(wanted[i]),
                1e-12 * static_cast<double>(wanted[i]))
        << i;
}

TEST(HotNumbers, KeepEveryBit) {
  for (const int threads : {1, 2, 3}) {
    check_calls<double>(plus_times<double>{}, threads, true);
    check_calls<double>(min_plus<double>{}, threads, true);
    check_calls<std::int64_t>(plus_times<std::int64_t>{}, threads, true);
  }
}

// The times of calls decide whether hot numbers are kept. The trial is given one time of almost
// zero, so that the result is known.
TEST(HotNumbers, StayWhereCallsWithThemAreFaster) {
  const context where = cpu_with(2);
  const auto u = input<double>(where, columns);
  const vector<double> mask(where, rows, 1.0);
  for (const detail::call_way faster : {detail::call_way::usual, detail::call_way::other}) {
    const auto a = scattered<double>(where, true);
    vector<double> w(where, rows), first(where, rows);
    mxv(first, plus_times<double>{}, a, u);
    detail::call_trial& trial = a.base().derived->hot_calls;
    const void* const kind = &detail::cpu_kernels<plus_times<double>>::of_mxv;
    EXPECT_EQ(trial.next(kind), detail::call_way::other);
    const auto winner = [&] { return trial.record(nullptr, detail::call_way::usual, 0); };
    EXPECT_EQ(trial.record(kind, faster, 1e-12), std::nullopt);
    int calls = 0;
    for (; winner() == std::nullopt && calls < 20; ++calls) {
      mxv(w, plus_times<double>{}, a, u, {.mask = mask});  // not measured
      if (calls < 2) mxv(w, max_times<double>{}, a, u);    // another kind
      mxv(w, plus_times<double>{}, a, u);
      EXPECT_EQ(w.dense(0), first.dense(0)) << calls;
    }
    EXPECT_GE(calls, 2 * detail::call_trial::tries - 1);
    EXPECT_EQ(winner(), faster);
    for (int call = 0; call < 2; ++call) {
      EXPECT_EQ(has_hot_numbers(a.base()), faster == detail::call_way::other);
      mxv(w, plus_times<double>{}, a, u);
      EXPECT_EQ(w.dense(0), first.dense(0));
    }
  }
}

TEST(CallTrial, TakesTheWayOfTheShortestCall) {
  const int kinds[2] = {};
  for (const auto& [usual, other, expected] : {std::tuple{1.0, 0.9, detail::call_way::other},
                                               {0.9, 1.0, detail::call_way::usual},
                                               {1.0, 1.0, detail::call_way::usual}}) {
    detail::call_trial trial;
    int calls = 0;
    for (std::optional<detail::call_way> winner; !winner; ++calls) {
      ASSERT_LT(calls, 100);
      EXPECT_EQ(trial.next(nullptr), detail::call_way::usual);
      EXPECT_EQ(trial.record(nullptr, detail::call_way::usual, 0.01), std::nullopt);
      // A kind whose calls by the losing way are shorter than all of the other kind, but never
      // measured often enough.
      if (calls == 1) {
        const auto way = trial.next(&kinds[1]);
        EXPECT_EQ(trial.record(&kinds[1], way, 0.1), std::nullopt);
      }
      const auto way = trial.next(&kinds[0]);
      // Other programs delay some of the calls, never the last one.
      const double delay = calls < 2 ? 5 : 0;
      winner =
          trial.record(&kinds[0], way, (way == detail::call_way::usual ? usual : other) + delay);
    }
    EXPECT_EQ(calls, 2 * detail::call_trial::tries);
    EXPECT_EQ(trial.next(nullptr), expected);
    EXPECT_EQ(trial.next(&kinds[1]), expected);
  }
}

TEST(CallTrial, ForgetsTheOldestKind) {
  detail::call_trial trial;
  const int kinds[6] = {};
  for (int round = 0; round < 100; ++round)
    for (const int& kind : kinds)
      EXPECT_EQ(trial.record(&kind, trial.next(&kind), 1), std::nullopt) << round;
  // A call that began before its kind was forgotten counts for none.
  EXPECT_EQ(trial.record(&kinds[0], detail::call_way::other, 1), std::nullopt);
  for (int call = 0; call < 2 * detail::call_trial::tries - 1; ++call)
    EXPECT_EQ(trial.record(&kinds[0], trial.next(&kinds[0]), 1), std::nullopt);
  EXPECT_EQ(trial.record(&kinds[0], trial.next(&kinds[0]), 1), detail::call_way::usual);
}

TEST(HotNumbers, AreOnlyUsedForLargeInputsWithoutPositions) {
  check_calls<double>(plus_by_column<double>{}, 2, false);
  check_calls<std::int32_t>(plus_times<std::int32_t>{}, 2, false);  // 0.8 MB
}

TEST(HotNumbers, NeedColumnsOfDifferentFrequency) {
  const context where = cpu_with(2);
  const auto a = scattered<double>(where, false);
  const auto u = input<double>(where, columns);
  vector<double> w(where, rows);
  for (int call = 0; call < 5; ++call) mxv(w, plus_times<double>{}, a, u);
  EXPECT_FALSE(has_hot_numbers(a.base()));
}

TEST(HotNumbers, AreBuiltAgainAfterAChangeOrAnEviction) {
  const context where = cpu_with(2);
  auto a = scattered<double>(where, true);
  const auto u = input<double>(where, columns);
  vector<double> w(where, rows), fresh(where, rows);
  const auto calls = [&] {
    for (int call = 0; call < 3; ++call) mxv(w, plus_times<double>{}, a, u);
    EXPECT_TRUE(has_hot_numbers(a.base()));
  };
  calls();
  EXPECT_GT(detail::evict_derived(*where.state()), 0U);
  EXPECT_FALSE(has_hot_numbers(a.base()));
  calls();
  for (index_t i = 0; i < rows; i += 3) a.set(i, (i * 7) % columns, 2.5);
  calls();
  const auto copy = a.to(context::reference());
  vector<double> expected(copy.where(), rows);
  mxv(expected, plus_times<double>{}, copy, u.to(copy.where()));
  for (index_t i = 0; i < rows; ++i) ASSERT_NEAR(*w.get(i), *expected.get(i), 1e-9) << i;
}

TEST(HotNumbers, DoWithoutWhereThereIsNoMemory) {
  const context unlimited = cpu_with(1);
  const auto given = scattered<double>(unlimited, true);
  const auto arrays = given.to_csr<std::uint32_t, std::uint32_t>();
  const std::vector<double> elements = input<double>(unlimited, columns).dense(0);
  std::vector<double> expected;
  int with = 0, without = 0;
  for (std::size_t limit = 2'500'000; limit < 10'000'000; limit += 250'000) {
    context_options options;
    options.threads = 1;
    options.memory_limit = limit;
    const context where = context::cpu(options);
    // Borrowed arrays, which do not count.
    const auto a = matrix<double>::from_csr(where, rows, columns, arrays.offsets, arrays.indices,
                                            arrays.values);
    const auto u = vector<double>::from_array(where, elements);
    vector<double> w(where, rows);
    for (int call = 0; call < 5; ++call) mxv(w, plus_times<double>{}, a, u);
    if (expected.empty()) expected = w.dense(0);
    EXPECT_EQ(w.dense(0), expected) << limit;
    ++(has_hot_numbers(a.base()) ? with : without);
  }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0);
}

TEST(KnownExtrema, AreThoseOfEveryTypeAndChange) {
  for (const context& where : {cpu_with(2), context::fake_device()}) {
    auto a = matrix<double>::from_entries(where, 3, 3, std::vector<std::uint32_t>{0, 1, 2},
                                          std::vector<std::uint32_t>{1, 2, 0},
                                          std::vector<double>{2, -1, 5});
    for (int call = 0; call < 2; ++call) {
      EXPECT_EQ(reduce(minimum_monoid<double>{}, a), -1);
      EXPECT_EQ(reduce(maximum_monoid<double>{}, a), 5);
      EXPECT_EQ(reduce(plus_monoid<double>{}, a), 6);
    }
    const auto copy = a;
    a.set(0, 0, -7.5);
    EXPECT_EQ(reduce(minimum_monoid<double>{}, a), -7.5);
    EXPECT_EQ(reduce(minimum_monoid<double>{}, copy), -1);
    apply(a, bind_second(times{}, 2.0), a);
    EXPECT_EQ(reduce(minimum_monoid<double>{}, a), -15);
    EXPECT_EQ(reduce(maximum_monoid<double>{}, a), 10);
    const matrix<double> empty(where, 3, 3);
    EXPECT_EQ(reduce(minimum_monoid<double>{}, empty), minimum_monoid<double>::identity());
  }
}

}  // namespace
}  // namespace hot_numbers_test
}  // namespace tropic::testing
