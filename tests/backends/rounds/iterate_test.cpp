// SPDX-License-Identifier: Apache-2.0

// iterate_until on every context against a serial loop over arrays that follows its documentation:
// many rounds of a small frontier, rounds too large for one launch, rows that all work-items share,
// w full, as a bitmap or with a few entries, also with shared buffers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

#include "backends/buckets.hpp"
#include "backends/rounds/iterate_loops.hpp"
#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace iterate_test {
namespace {

TROPIC_BINARY_OPERATOR(grows_below_200, x > y && x < 200);
TROPIC_BINARY_OPERATOR(first_and_twice, x + 2 * y);

class Iterate : public OnContext {
 protected:
  template <class T, class Semiring>
  void check(const loop<T>& l, const Semiring& semiring, const iterate_options<T>& given,
             const std::string& what) {
    check_on(where(), l, semiring, given, what);
  }
};

// A transpose is kept with the matrix once a product needed it.
void keep_transpose(const matrix<double>& a) {
  vector<double> u(a.where(), a.rows(), 1.0), w(a.where(), a.columns());
  vector<bool> few(a.where(), a.columns());
  few.set(0, true);
  vxm(w, plus_times<double>{}, u, a, {.mask = structure(few)});
  mxv(w, plus_times<double>{}, transpose(a), u);
}

TEST_P(Iterate, InsertsMissingPositions) {
  for (const char* spec : graphs_of_loops) {
    auto l = loop_over<index_t>(spec, 3);
    l.add = [](index_t x, index_t y) { return std::min(x, y); };
    l.multiply = [](index_t k, index_t, index_t) { return k; };
    l.w[1] = l.frontier[1] = 1;
    l.w[0] = 0;
    l.frontier[0] = 0;
    check(l, min_secondi<index_t, index_t>{}, {}, spec);
    l.w[1].reset();
    l.w[4] = 7;
    l.max_rounds = 3;
    check(l, min_secondi<index_t, index_t>{}, {}, std::string(spec) + ", three rounds");
  }
}

// More edges than a launch takes in one round, of rows that it takes, from the second round on.
TEST_P(Iterate, LeavesALongRoundToOtherKernels) {
  struct shape {
    std::uint32_t rows, length;
  };
  for (const auto& [rows, length] : {shape{8, 1500}, shape{9, 30'000}}) {
    auto l = loop_over<index_t>("none", 3);
    l.n = 40'000;
    l.w.resize(static_cast<std::size_t>(l.n));
    l.frontier = l.w;
    const auto add = [&l](std::uint32_t i, std::uint32_t j) {
      l.from.push_back(i);
      l.to.push_back(j);
      l.weight.push_back(1 + j % 5);
    };
    for (std::uint32_t i = 1; i <= rows; ++i) {
      add(0, i);
      for (std::uint32_t n = 0; n < length; ++n) add(i, 100 + (i * 500 + n) % 39'000);
    }
    const std::string what = std::to_string(rows) + " rows, ";
    l.add = [](index_t x, index_t y) { return std::min(x, y); };
    l.multiply = [](index_t k, index_t, index_t) { return k; };
    l.w[0] = l.frontier[0] = 1;
    check(l, min_secondi<index_t, index_t>{}, {}, what + "inserts");
    bound(l);
    l.w.assign(l.w.size(), arithmetic::largest<index_t>());
    l.w[0] = l.frontier[0] = 1;
    check(l, min_plus<index_t>{}, {.improves = less{}}, what + "improves");
  }
}

// A sum of one product is that product, also where the add gives 0 or 1.
TEST_P(Iterate, KeepsSingleProducts) {
  const auto check_with = [&](const auto& add, const auto& semiring, const std::string& what) {
    for (const char* spec : {"path", "grid:9", "kron:7"}) {
      auto l = loop_over<std::int32_t>(spec, 3);
      l.add = add;
      l.multiply = [](index_t, std::int32_t x, std::int32_t) { return x; };
      l.w[0] = l.frontier[0] = 3;
      l.w[1].reset();
      check(l, semiring, {}, what + spec);
    }
  };
  using int32 = std::int32_t;
  check_with([](int32 x, int32 y) { return int32{x != 0 || y != 0}; },
             semiring<or_monoid<int32>, first>{}, "or, ");
  check_with([](int32 x, int32 y) { return int32{x != 0 && y != 0}; },
             semiring<and_monoid<int32>, first>{}, "and, ");
  check_with([](int32 x, int32 y) { return int32{(x != 0) != (y != 0)}; },
             semiring<xor_monoid<int32>, first>{}, "xor, ");
}

TEST_P(Iterate, ImprovesExistingValues) {
  for (const char* spec : graphs_of_loops) {
    auto whole = loop_over<std::int32_t>(spec, 5);
    bound(whole);
    for (auto& x : whole.w) x = arithmetic::largest<std::int32_t>();
    whole.w[0] = whole.frontier[0] = 0;
    check(whole, min_plus<std::int32_t>{}, {.improves = less{}}, std::string(spec) + ", int32");
    auto real = loop_over<float>(spec, 6);
    bound(real);
    real.w[2] = real.frontier[2] = 0;
    real.w[3] = 1.5f;
    check(real, min_plus<float>{}, {.improves = less{}}, std::string(spec) + ", fp32");
    auto small = loop_over<std::uint8_t>(spec, 7);  // four sums per word
    bound(small);
    small.w[2] = small.frontier[2] = 0;
    check(small, min_plus<std::uint8_t>{}, {.improves = less{}}, std::string(spec) + ", uint8");
  }
}

TEST_P(Iterate, KeepsTheEntriesOfItsPredicate) {
  for (const char* spec : graphs_of_loops) {
    auto l = loop_over<double>(spec, 8);
    bound(l);
    for (auto& x : l.w) x = arithmetic::largest<double>();
    l.w[0] = l.frontier[0] = 0;
    l.keep = [](double x) { return x < 21.5; };
    check(l, min_plus<double>{}, {.improves = less{}, .keep = bind_second(less{}, 21.5)}, spec);
    auto grown = loop_over<std::int64_t>(spec, 9);
    grown.add = [](std::int64_t x, std::int64_t y) { return std::max(x, y); };
    grown.multiply = [](index_t, std::int64_t x, std::int64_t y) { return x + y; };
    grown.improves = [](std::int64_t x, std::int64_t y) { return x > y && x < 200; };
    grown.keep = [](std::int64_t x) { return x > 3; };
    grown.w[0] = grown.frontier[0] = 0;
    grown.max_rounds = 60;
    check(grown, max_plus<std::int64_t>{},
          {.improves = grows_below_200{}, .keep = bind_second(greater{}, std::int64_t{3})},
          std::string(spec) + ", max_plus");
    auto sums = loop_over<double>(spec, 10);  // of whole numbers, exact in every order
    sums.add = [](double x, double y) { return x + y; };
    sums.multiply = [](index_t, double x, double y) { return x * y; };
    sums.keep = [](double x) { return x < 50; };
    sums.w[0] = sums.frontier[0] = 1;
    check(sums, plus_times<double>{}, {.keep = bind_second(less{}, 50.0)},
          std::string(spec) + ", plus_times");
  }
}

TEST_P(Iterate, TakesBucketsInOrder) {
  for (const char* spec : graphs_of_loops)
    for (const index_t max_rounds : {std::numeric_limits<index_t>::max(), index_t{5}}) {
      auto whole = loop_over<std::int64_t>(spec, 5);
      bound(whole);
      for (auto& x : whole.w) x = arithmetic::largest<std::int64_t>();
      whole.w[0] = whole.frontier[0] = 0;
      whole.w[3] = whole.frontier[3] = 400;  // in a bucket far away
      whole.w[4] = whole.frontier[4] = 20;
      whole.frontier[5] = 7;  // improved since
      whole.max_rounds = max_rounds;
      for (const std::int64_t width : {1, 4, 1000}) {
        whole.bucket_width = width;
        check(whole, min_plus<std::int64_t>{},
              {.improves = less{}, .lower_values_are_final = width == 4},
              std::string(spec) + ", width " + std::to_string(width));
      }
      auto real = loop_over<double>(spec, 6);
      bound(real);
      for (auto& x : real.w) x = arithmetic::largest<double>();
      real.w[2] = real.frontier[2] = 0.1;
      real.max_rounds = max_rounds;
      real.bucket_width = 2.3;
      check(real, min_plus<double>{}, {.improves = less{}}, std::string(spec) + ", fp64");
    }
}

TEST_P(Iterate, BucketsEndWithTheirType) {
  // Sums are clamped at 254, 255 represents no path: the last bucket has no end.
  const auto a = matrix<std::uint8_t>::from_entries(
      where(), 4, 4, std::vector<std::uint32_t>{0, 1, 2}, std::vector<std::uint32_t>{1, 2, 3},
      std::vector<std::uint8_t>{200, 50, 50});
  vector<std::uint8_t> w(where(), 4, 255), frontier(where(), 4);
  w.set(0, 0);
  frontier.set(0, 0);
  EXPECT_EQ(iterate_until(w, min_plus<std::uint8_t>{}, frontier, a,
                          {.improves = less{}, .bucket_width = 100}),
            4);  // the last one finds nothing
  EXPECT_EQ(w.dense(0), (std::vector<std::uint8_t>{0, 200, 250, 254}));
}

TEST(Buckets, EndAtTheNextMultipleOfTheirWidth) {
  for (int width = 1; width <= 127; ++width)
    for (int value = -128; value <= 127; ++value) {
      int end = value + 1;
      while (end % width != 0) ++end;
      const detail::buckets<std::int8_t> buckets{static_cast<std::int8_t>(width)};
      ASSERT_EQ(buckets.end(static_cast<std::int8_t>(value)), std::min(end, 127))
          << value << " of width " << width;
    }
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(detail::buckets<std::int64_t>{1000}.end(least), least / 1000 * 1000);
  EXPECT_EQ(detail::buckets<std::uint64_t>{1000}.end(999), 1000u);
}

// The least value of a type is in the bucket that ends at the next multiple of the width.
TEST_P(Iterate, BucketsBeginWithTheirType) {
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  const auto a = matrix<std::int32_t>::from_entries(
      where(), 4, 4, std::vector<std::uint32_t>{0, 1, 2}, std::vector<std::uint32_t>{1, 2, 3},
      std::vector<std::int32_t>{5, 5, 5});
  vector<std::int32_t> w(where(), 4, 0), frontier(where(), 4);
  w.set(0, least);
  frontier.set(0, least);
  w.set(3, least + 9);
  frontier.set(3, least + 9);
  // Vertex 3 waits for its bucket, and vertex 0 for none.
  EXPECT_EQ(iterate_until(w, min_plus<std::int32_t>{}, frontier, a,
                          {.improves = less{}, .max_rounds = 1, .bucket_width = 3}),
            1);
  EXPECT_EQ(w.dense(0), (std::vector<std::int32_t>{least, least + 5, 0, least + 9}));
  EXPECT_EQ(frontier.get(3), least + 9);
  EXPECT_EQ(frontier.get(1), least + 5);
  EXPECT_EQ(frontier.nvals(), 2);
  iterate_until(w, min_plus<std::int32_t>{}, frontier, a, {.improves = less{}, .bucket_width = 3});
  EXPECT_EQ(w.dense(0), (std::vector<std::int32_t>{least, least + 5, least + 10, least + 9}));
}

// Hundreds of rounds of many buckets, in few launches.
TEST_P(Iterate, RunsTheRoundsOfManyBucketsTogether) {
  if (where().state()->device_memory == nullptr || where().name() == "fake")
    GTEST_SKIP() << "no device with memory of its own";
  auto paths = loop_over<std::int64_t>("grid:90", 5);
  bound(paths);
  for (auto& x : paths.w) x = arithmetic::largest<std::int64_t>();
  paths.w[0] = paths.frontier[0] = 0;
  paths.bucket_width = 6;
  const auto a = matrix<std::int64_t>::from_entries(where(), paths.n, paths.n, paths.from, paths.to,
                                                    paths.weight);
  vector<std::int64_t> w = make(where(), paths.w), frontier = make(where(), paths.frontier);
  where().synchronize();
  const device_traffic before = where().traffic();
  const index_t rounds = iterate_until(w, min_plus<std::int64_t>{}, frontier, a,
                                       {.improves = less{}, .bucket_width = 6});
  where().synchronize();
  EXPECT_LE(where().traffic().launches - before.launches, 30u);
  paths.run();
  EXPECT_GT(rounds, 150);
  EXPECT_EQ(rounds, paths.done);
  EXPECT_EQ(entries_of(w), paths.w);
}

// Products that are the neutral value, alone and with others, of an add that repeats nothing and of
// one that does.
TEST_P(Iterate, TakesNeutralProducts) {
  for (const char* spec : {"grid:9", "kron:7"}) {
    auto l = loop_over<std::int32_t>(spec, 5);
    bound(l);
    for (std::size_t e = 0; e < l.weight.size(); ++e)
      if (e % 3 == 0) l.weight[e] = arithmetic::largest<std::int32_t>();
    l.w[0] = l.frontier[0] = 0;
    check(l, min_plus<std::int32_t>{}, {.improves = less{}}, std::string(spec) + ", min_plus");
    auto sums = loop_over<std::int32_t>(spec, 6);
    sums.add = [](std::int32_t x, std::int32_t y) { return x + y; };
    sums.multiply = [](index_t, std::int32_t x, std::int32_t y) { return x * y; };
    for (std::size_t e = 0; e < sums.weight.size(); ++e)
      sums.weight[e] = e % 3 == 0 ? 0 : e % 3 == 1 ? 1 : -1;
    sums.w[0] = sums.frontier[0] = 1;
    check(sums, plus_times<std::int32_t>{}, {}, std::string(spec) + ", plus_times");
  }
}

TEST_P(Iterate, RunsWithoutTheNumbersOfRounds) {
  for (const char* spec : {"grid:9", "kron:7", "star", "none"}) {
    auto tree = loop_over<index_t>(spec, 3);
    tree.add = [](index_t x, index_t y) { return std::min(x, y); };
    tree.multiply = [](index_t k, index_t, index_t) { return k; };
    tree.w[1] = tree.frontier[1] = 1;
    check_alone_on(where(), tree, min_secondi<index_t, index_t>{}, {}, spec);
    auto paths = loop_over<std::int32_t>(spec, 5);
    bound(paths);
    for (auto& x : paths.w) x = arithmetic::largest<std::int32_t>();
    paths.w[0] = paths.frontier[0] = 0;
    check_alone_on(where(), paths, min_plus<std::int32_t>{}, {.improves = less{}},
                   std::string(spec) + ", improving");
    paths.bucket_width = 4;
    check_alone_on(where(), paths, min_plus<std::int32_t>{}, {.improves = less{}},
                   std::string(spec) + ", buckets");
    paths.bucket_width.reset();
    paths.keep = [](std::int32_t x) { return x < 20; };
    check_alone_on(where(), paths, min_plus<std::int32_t>{},
                   {.improves = less{}, .keep = bind_second(less{}, std::int32_t{20})},
                   std::string(spec) + ", keeping");
  }
}

// Rows that few work-items, a subgroup or a group sum, and those at the limits between them;
// forward and back.
TEST_P(Iterate, SumsLongRows) {
  constexpr index_t lengths[] = {1, 31, 32, 33, 64, 65, 127, 1023, 1024, 1025, 2100}, first = 100,
                    n = first + 2100;
  std::vector<std::uint32_t> row, column;
  std::vector<double> sums;
  const auto value_at = [](index_t j) { return static_cast<double>(1 + j % 7); };
  for (const index_t length : lengths) {
    sums.push_back(0);
    for (index_t j = first; j < first + length; ++j) {
      row.push_back(static_cast<std::uint32_t>(sums.size() - 1));
      column.push_back(static_cast<std::uint32_t>(j));
      sums.back() += value_at(j);
    }
  }
  const auto to_rows = matrix<double>::from_entries(where(), n, n, column, row,
                                                    std::vector<double>(row.size(), 1.0));
  keep_transpose(to_rows);
  vector<double> w(where(), n);
  vector<index_t> rounds(where(), n);
  for (index_t j = first; j < n; ++j) w.set(j, value_at(j)), rounds.set(j, 2);
  vector<double> reached = w, frontier = w;
  iterate_until(reached, plus_first<double, double, double>{}, frontier, to_rows);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    EXPECT_EQ(reached.get(static_cast<index_t>(k)), sums[k]) << "a row of " << lengths[k];
    rounds.set(static_cast<index_t>(k), 1), w.set(static_cast<index_t>(k), 3);
  }
  const auto from_rows = matrix<double>::from_entries(where(), n, n, row, column,
                                                      std::vector<double>(row.size(), 1.0));
  vector<double> x(where(), n, 0.0);
  iterate_back(x, plus_times<double>{}, from_rows, w, round_order(rounds), first_and_twice{},
               times{});
  for (std::size_t k = 0; k < sums.size(); ++k)
    EXPECT_EQ(x.get(static_cast<index_t>(k)), 3 * sums[k]) << "back, a row of " << lengths[k];
}

// The first product is the sum, not added to a neutral value: -0 stays.
TEST_P(Iterate, KeepsNegativeZeros) {
  const auto a = matrix<double>::from_entries(where(), 3, 3, {0, 1}, {1, 2}, {-0.0, 1.0});
  vector<double> w(where(), 3), frontier(where(), 3);
  w.expect_dense();
  w.set(0, 1), frontier.set(0, 1);
  iterate_until(w, plus_times<double>{}, frontier, a);
  EXPECT_TRUE(std::signbit(w.get(1).value()));
  EXPECT_TRUE(std::signbit(w.get(2).value()));
}

TEST_P(Iterate, SumsInAnyMonoid) {
  auto l = loop_over<double>("grid:9", 10);
  l.add = [](double x, double y) { return x + y; };
  l.multiply = [](index_t, double x, double y) { return x * y; };
  l.w[0] = l.frontier[0] = 1;
  check(l, plus_times<double>{}, {}, "plus_times");
}

// Floating-point sums, here of small integers, on graphs whose rows are short: devices take these
// rounds by rows. With a symmetric matrix, and with one whose transpose is kept; from a frontier
// that w has, and from one that it lacks.
TEST_P(Iterate, SumsByRows) {
  for (const char* spec : {"grid:9", "grid:40", "path", "none", "urand:9:4"})
    for (const bool symmetric : {true, false}) {
      auto l = loop_over<double>(spec, 3);
      const bool has_directions = std::string(spec) == "path";
      if (symmetric && has_directions) continue;
      if (symmetric)
        for (std::size_t e = 0; e < l.from.size(); ++e) l.weight[e] = 1 + (l.from[e] + l.to[e]) % 9;
      l.add = [](double x, double y) { return x + y; };
      l.multiply = [](index_t, double x, double y) { return std::min(x, y); };
      l.w[1] = l.frontier[1] = 5;
      l.w[4] = 7;
      auto a = matrix<double>::from_entries(where(), l.n, l.n, l.from, l.to, l.weight);
      if (symmetric)
        a.assume_symmetric();
      else if (a.nvals() > 0)
        keep_transpose(a);
      for (const bool is_outside : {false, true})
        for (const index_t max_rounds : {index_t{1}, index_t{3}, l.n}) {
          auto now = l;
          now.max_rounds = max_rounds;
          if (is_outside) now.w[1].reset();
          const std::string what = std::string(spec) + (symmetric ? ", symmetric" : "") +
                                   (is_outside ? ", outside" : "") + ", " +
                                   std::to_string(max_rounds);
          vector<double> w = make(where(), now.w), frontier = make(where(), now.frontier);
          vector<index_t> rounds(where(), l.n);
          now.run();
          const auto done =
              iterate_until(w, semiring<plus_monoid<double>, minimum, double, double>{}, frontier,
                            a, {.rounds = &rounds, .first_round = 8, .max_rounds = max_rounds});
          EXPECT_EQ(done, now.done) << what;
          EXPECT_EQ(entries_of(w), now.w) << what;
          EXPECT_EQ(w.nvals(), std::ranges::count_if(now.w, [](auto& x) { return x.has_value(); }))
              << what;
          EXPECT_EQ(entries_of(frontier), now.frontier) << what << ": frontier";
          for (auto& number : now.rounds)
            if (number) *number += 7;
          EXPECT_EQ(entries_of(rounds), now.rounds) << what << ": rounds";
        }
    }
}

// Wherever memory runs out, the vectors are in a consistent state between the steps of two rounds.
TEST_P(Iterate, AFailedAllocationLeavesWholeVectors) {
  const auto graph = make_matrix<std::int64_t>(where(), kron(5, 4, 1, {.weighted = true}));
  bool done = false;
  for (int n = 0; n < 400 && !done; ++n) {
    vector<index_t> parent(where(), 32), level(where(), 32), frontier(where(), 32);
    parent.set(1, 1), level.set(1, 0), frontier.set(1, 1);
    where().state()->account.fail_after(n);
    try {
      iterate_until(parent, min_secondi<index_t, std::int64_t>{}, frontier, graph,
                    {.rounds = &level});
      done = true;
    } catch (const out_of_memory&) {
    }
    where().state()->account.fail_after(-1);
    for (const vector<index_t>* v : {&parent, &level, &frontier}) {
      const auto all = entries_of(*v);
      EXPECT_EQ(v->nvals(), std::ranges::count_if(all, [](const auto& x) { return x.has_value(); }))
          << "allocation " << n;
    }
  }
  EXPECT_TRUE(done);
}

TEST_P(Iterate, RefusesWhatDoesNotFit) {
  const matrix<double> a(where(), 3, 3), wide(where(), 3, 4);
  vector<double> w(where(), 3), frontier(where(), 3), longer(where(), 4);
  const min_plus<double> semiring;
  EXPECT_THROW(iterate_until(w, semiring, frontier, wide), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, longer, a), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, w, a), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a, {.beyond = &longer}), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a, {.beyond = &w}), usage_error);
  // All written vectors must be different.
  const matrix<index_t> b(where(), 3, 3);
  vector<index_t> v(where(), 3), start(where(), 3), rest(where(), 3);
  const min_plus<index_t> sums;
  for (vector<index_t>* rounds : {&v, &start, &rest})
    EXPECT_THROW(iterate_until(v, sums, start, b, {.beyond = &rest, .rounds = rounds}),
                 usage_error);
  EXPECT_EQ(iterate_until(w, semiring, frontier, a), 0);
  // Buckets need an order, and a width.
  for (const double width : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(
        iterate_until(w, semiring, frontier, a, {.improves = less{}, .bucket_width = width}),
        usage_error);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a, {.bucket_width = 1.0}), usage_error);
  EXPECT_THROW(
      iterate_until(w, semiring, frontier, a, {.improves = greater{}, .bucket_width = 1.0}),
      usage_error);
  vector<double> rest_of(where(), 3);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a,
                             {.improves = less{}, .beyond = &rest_of, .bucket_width = 1.0}),
               usage_error);
}

TROPIC_ON_EVERY_CONTEXT(Iterate);

}  // namespace
}  // namespace iterate_test
}  // namespace tropic::testing
