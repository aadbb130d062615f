// SPDX-License-Identifier: Apache-2.0

// iterate_back and the order of rounds that it follows, on every context: against a serial loop
// over arrays, along paths and over rows of every length, and what does not fit together.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include <tropic/tropic.hpp>

#include "backends/ordered_rounds.hpp"
#include "backends/rounds/iterate_loops.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace iterate_back_test {
namespace {

TROPIC_BINARY_OPERATOR(first_and_twice, x + 2 * y);
TROPIC_BINARY_OPERATOR(less_second, x - y);
TROPIC_BINARY_OPERATOR(share_of, (1 + y) / x);

class IterateBack : public OnContext {};

// Integers, whose sums have one value on every context.
TEST_P(IterateBack, GoesBackThroughTheRounds) {
  using T = std::uint64_t;
  for (const char* spec : graphs_of_loops) {
    auto l = loop_over<T>(spec, 4);
    l.add = [](T x, T y) { return x + y; };
    l.multiply = [](index_t, T x, T) { return x; };
    l.w[1] = l.frontier[1] = 1;
    const auto a = matrix<T>::from_entries(where(), l.n, l.n, l.from, l.to, l.weight);
    vector<T> w = make(where(), l.w), frontier = make(where(), l.frontier);
    round_order rounds;
    iterate_until(w, plus_first<T>{}, frontier, a, {.order = &rounds});
    vector<T> x(where(), l.n, 3);
    const vector<T> also = x;  // who else holds it sees no change
    iterate_back(x, plus_times<T>{}, a, w, rounds, first_and_twice{}, less_second{});
    l.run();
    const auto expected = l.back(
        std::vector<T>(static_cast<std::size_t>(l.n), 3), [](T c, T y) { return c + 2 * y; },
        [](T sum, T c) { return sum - c; });
    EXPECT_EQ(x.dense(0), expected) << spec;
    EXPECT_EQ(also.dense(0), std::vector<T>(static_cast<std::size_t>(l.n), 3)) << spec;
    // Again, in an x that shares no array.
    iterate_back(x, plus_times<T>{}, a, w, rounds, first_and_twice{}, less_second{});
    EXPECT_EQ(x.dense(0),
              l.back(
                  expected, [](T c, T y) { return c + 2 * y; }, [](T sum, T c) { return sum - c; }))
        << spec << ", again";
  }
}

TEST_P(IterateBack, GoesBackOnlyWhereEverythingFits) {
  const matrix<double> a(where(), 3, 3), wide(where(), 3, 4);
  vector<double> x(where(), 3, 0.0), partial(where(), 3), longer(where(), 4, 0.0);
  const vector<index_t> all(where(), 3, 7), all_of_longer(where(), 4, 7);
  const round_order rounds(all), of_longer(all_of_longer), none, empty(vector<index_t>(where(), 3));
  const auto back = [&](vector<double>& to, const matrix<double>& of, const vector<double>& w,
                        const round_order& order) {
    iterate_back(to, plus_times<double>{}, of, w, order, share_of{}, times{});
  };
  EXPECT_NO_THROW(back(x, a, x, rounds));
  EXPECT_NO_THROW(back(x, a, partial, none));
  EXPECT_NO_THROW(back(x, a, partial, empty));
  EXPECT_THROW(back(x, wide, x, rounds), usage_error);
  EXPECT_THROW(back(longer, a, x, rounds), usage_error);
  EXPECT_THROW(back(partial, a, x, rounds), usage_error);
  EXPECT_THROW(back(x, a, longer, rounds), usage_error);
  EXPECT_THROW(back(x, a, x, of_longer), usage_error);
  partial.set(1, 2.0), partial.set(2, 2.0);
  EXPECT_THROW(back(x, a, partial, rounds), usage_error);  // w has to have what the rounds changed
  const context other = context::reference();
  EXPECT_THROW(back(x, a, x, round_order(vector<index_t>(other, 3, 7))), usage_error);
}

// As many rounds as positions at greatest, however they are numbered.
TEST_P(IterateBack, OrdersRounds) {
  const index_t least = std::numeric_limits<index_t>::min(),
                greatest = std::numeric_limits<index_t>::max();
  vector<index_t> rounds(where(), 5);
  EXPECT_EQ(round_order(rounds).rounds(), 0);
  rounds.set(3, least);
  EXPECT_EQ(round_order(rounds).rounds(), 1);
  rounds.set(0, least + 4);
  rounds.set(1, least + 2);
  rounds.set(4, least + 4);
  const round_order five(rounds);
  EXPECT_EQ(five.rounds(), 5);
  EXPECT_EQ(five.size_of(0), 1);
  EXPECT_EQ(five.size_of(1), 0);
  EXPECT_EQ(five.size_of(2), 1);
  EXPECT_EQ(five.size_of(4), 2);
  rounds.set(2, least + 5);
  EXPECT_THROW(round_order{rounds}, usage_error);
  rounds.set(2, greatest);
  EXPECT_THROW(round_order{rounds}, usage_error);
  const vector<index_t> last(where(), 3, greatest);
  EXPECT_EQ(round_order(last).rounds(), 1);
  EXPECT_EQ(round_order(last).size_of(0), 3);
}

// Rounds whose positions are far apart, and rounds of neighbours from high numbers to low ones.
TEST_P(IterateBack, OrdersRoundsOfManyPositions) {
  constexpr index_t n = 150'000;
  for (const bool shared : {true, false}) {
    std::vector<index_t> numbers(n);
    std::vector<std::vector<std::uint32_t>> expected(1000);
    for (index_t j = 0; j < n; ++j) {
      const index_t k = shared ? j * 7919 % 1000 : 999 - j / 150;
      numbers[static_cast<std::size_t>(j)] = k - 500;
      expected[static_cast<std::size_t>(k)].push_back(static_cast<std::uint32_t>(j));
    }
    const round_order order(vector<index_t>::from_array(where(), std::move(numbers)));
    ASSERT_EQ(order.rounds(), 1000);
    const detail::ordered_rounds& found = order.base();
    const auto* const listed = static_cast<const std::uint32_t*>(found.positions->host());
    for (std::size_t k = 0; k < 1000; ++k)
      ASSERT_EQ(std::vector(listed + found.starts[k], listed + found.starts[k + 1]), expected[k])
          << shared << ": round " << k;
  }
}

TEST_P(IterateBack, OrdersWhatChangesOnce) {
  const matrix<double> a(where(), 3, 3);
  vector<double> w(where(), 3), frontier(where(), 3);
  vector<index_t> rounds(where(), 3);
  round_order order;
  EXPECT_THROW(
      iterate_until(w, plus_times<double>{}, frontier, a, {.improves = less{}, .order = &order}),
      usage_error);
  EXPECT_THROW(
      iterate_until(w, plus_times<double>{}, frontier, a, {.rounds = &rounds, .order = &order}),
      usage_error);
  EXPECT_NO_THROW(iterate_until(w, plus_times<double>{}, frontier, a, {.order = &order}));
  EXPECT_EQ(order.rounds(), 0);
}

// The order is that of the numbers, also of rounds that keep only some of their entries.
TEST_P(IterateBack, ListsTheRoundsByTheirNumbers) {
  for (const char* spec : graphs_of_loops)
    for (const bool keeps : {false, true}) {
      auto l = loop_over<index_t>(spec, 3);
      l.add = [](index_t x, index_t y) { return std::min(x, y); };
      l.multiply = [](index_t k, index_t, index_t) { return k; };
      l.w[1] = l.frontier[1] = 1;
      if (keeps) l.keep = [](index_t x) { return x < 60; };
      const auto a = matrix<index_t>::from_entries(where(), l.n, l.n, l.from, l.to, l.weight);
      vector<index_t> w = make(where(), l.w), frontier = make(where(), l.frontier);
      l.run();
      round_order order;
      iterate_options<index_t> options;
      options.order = &order;
      if (keeps) options.keep = bind_second(less{}, index_t{60});
      EXPECT_EQ(iterate_until(w, min_secondi<index_t, index_t>{}, frontier, a, options), l.done)
          << spec;
      EXPECT_EQ(entries_of(w), l.w) << spec;
      ASSERT_EQ(order.rounds(), static_cast<index_t>(l.changes.size())) << spec << keeps;
      const auto* const listed =
          l.changes.empty() ? nullptr
                            : static_cast<const std::uint32_t*>(order.base().positions->host());
      for (std::size_t k = 0; k < l.changes.size(); ++k) {
        std::vector<std::uint32_t> expected;
        for (std::size_t j = 0; j < l.changes[k].size(); ++j)
          if (l.changes[k][j]) expected.push_back(static_cast<std::uint32_t>(j));
        ASSERT_EQ(std::vector(listed + order.base().starts[k], listed + order.base().starts[k + 1]),
                  expected)
            << spec << keeps << ": round " << k;
      }
    }
}

// Rounds without positions are between others: what goes back stops there.
TEST_P(IterateBack, GoesBackThroughRoundsWithoutPositions) {
  // 0 -> 1 -> 2 -> 3 -> 4 in rounds 1, 2, 4, 5, 6.
  const auto a =
      matrix<double>::from_entries(where(), 6, 6, {0, 1, 2, 3}, {1, 2, 3, 4}, {1.0, 1.0, 1.0, 1.0});
  vector<double> w(where(), 6, 2.0), x(where(), 6, 1.0);
  vector<index_t> rounds(where(), 6);
  const index_t numbers[] = {1, 2, 4, 5, 6};
  for (index_t j = 0; j < 5; ++j) rounds.set(j, numbers[j]);
  iterate_back(x, plus_times<double>{}, a, w, round_order(rounds), share_of{}, times{});
  // share = (1 + x) / 2: x(3) = 2 (1 + 1) / 2, x(2) = 2 (1 + 2) / 2.
  EXPECT_EQ(x.dense(0), (std::vector<double>{2, 1, 3, 2, 1, 1}));
}

// Longer than the list of a launch, and short enough for tests.
TEST_P(IterateBack, GoesBackAlongAPath) {
  constexpr index_t n = 1500;
  std::vector<std::uint32_t> from, to;
  for (std::uint32_t j = 0; j + 1 < n; ++j) from.push_back(j), to.push_back(j + 1);
  const auto a = matrix<bool>::from_pattern(where(), n, n, from, to, true);
  vector<double> w(where(), n), frontier(where(), n), x(where(), n, 0.0);
  w.expect_dense();
  w.set(0, 1), frontier.set(0, 1);
  round_order rounds;
  iterate_until(w, plus_first<double, double, bool>{}, frontier, a, {.order = &rounds});
  iterate_back(x, plus_second<double, bool, double>{}, a, w, rounds, share_of{}, times{});
  for (index_t j = 1; j < n; ++j) ASSERT_EQ(x.get(j).value(), static_cast<double>(n - 1 - j)) << j;
  EXPECT_EQ(x.get(0).value(), 0);
}

// Rows of every length up to three groups of four, of which every third vertex is of the later
// round. Absent entries leave no trace: neither their NaN nor a sum of -0.0 that becomes 0.
TEST_P(IterateBack, GoesBackByRowsOfEveryLength) {
  constexpr index_t rows = 13, n = 64;
  std::vector<std::uint32_t> from, to;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t k = 0; k < row; ++k) from.push_back(row), to.push_back(20 + row + k);
  const auto a = matrix<bool>::from_pattern(where(), n, n, from, to, true);
  std::vector<index_t> early, late;
  for (index_t row = 0; row < rows; ++row) early.push_back(row);
  for (index_t j = 21; j < 50; j += 3) late.push_back(j);
  vector<double> w(where(), n);
  vector<index_t> rounds(where(), n);
  for (const index_t j : early) w.set(j, 1), rounds.set(j, 1);
  for (const index_t j : late) w.set(j, 1), rounds.set(j, 2);
  for (const bool negative_zeros : {false, true}) {
    std::vector<double> values(n), expected(n);
    for (index_t j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      values[at] = j % 3 == 0 ? (negative_zeros ? -0.0 : 0.5 * static_cast<double>(j)) : NAN;
      expected[at] = values[at];
    }
    for (std::size_t row = 0; row < rows; ++row) {
      std::optional<double> sum;
      for (std::size_t j = 20 + row; j < 20 + 2 * row; ++j)
        if (j % 3 == 0) sum = sum ? *sum + values[j] : values[j];
      if (sum) expected[row] = *sum;
    }
    auto x = vector<double>::from_array(where(), values);
    iterate_back(x, plus_second<double, bool, double>{}, a, w, round_order(rounds), second{},
                 first{});
    const std::vector<double> found = x.dense(0);
    for (std::size_t j = 0; j < n; ++j) {
      if (std::isnan(expected[j])) {
        EXPECT_TRUE(std::isnan(found[j])) << j;
        continue;
      }
      EXPECT_EQ(found[j], expected[j]) << j;
      EXPECT_EQ(std::signbit(found[j]), std::signbit(expected[j])) << j;
    }
  }
}

TROPIC_ON_EVERY_CONTEXT(IterateBack);

}  // namespace
}  // namespace iterate_back_test
}  // namespace tropic::testing
