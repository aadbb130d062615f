// SPDX-License-Identifier: Apache-2.0

// mxm and reduce_mxm: their memory, their preparation by several threads, and their end by a token.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/mxm/mxm_cases.hpp"
#include "backends/operators.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace mxm_steps_test {
namespace {

// A column of 1000 entries times a row of 1000 entries: 12 MB.
struct outer_product {
  explicit outer_product(const context& where)
      : column(matrix<double>::from_pattern(where, 1000, 1, all, zeros(), 2.0)),
        row(matrix<double>::from_pattern(where, 1, 1000, zeros(), all, 3.0)),
        c(where, 1000, 1000) {
    c.set(3, 4, 5.0);
    c.nvals();
  }
  static std::vector<std::uint32_t> zeros() { return std::vector<std::uint32_t>(1000, 0); }

  const std::vector<std::uint32_t> all = [] {
    std::vector<std::uint32_t> numbers(1000);
    for (std::uint32_t n = 0; n < 1000; ++n) numbers[n] = n;
    return numbers;
  }();
  matrix<double> column, row, c;
};

TEST(MxmMemory, ProductsThatDoNotFitAreRefusedAndTheOutputIsUnchanged) {
  const context where = context::cpu({.threads = 2, .memory_limit = 8 << 20});
  outer_product p(where);
  const std::size_t used = where.memory_used();
  try {
    mxm(p.c, plus_times<double>{}, p.column, p.row);
    FAIL() << "12 MB within a limit of 8 MB";
  } catch (const out_of_memory& e) {
    EXPECT_NE(std::string(e.what()).find("mxm"), std::string::npos) << e.what();
  }
  EXPECT_EQ(where.memory_used(), used);
  EXPECT_EQ(p.c.nvals(), 1);
  EXPECT_EQ(p.c.get(3, 4), 5.0);
}

// Memory for the result, but not for the rows beside it: rows are computed twice.
TEST(MxmMemory, ProductsThatJustFitAreComputed) {
  for (const int threads : {1, 2}) {
    const context where = context::cpu({.threads = threads, .memory_limit = 16 << 20});
    outer_product p(where);
    mxm(p.c, plus_times<double>{}, p.column, p.row);
    EXPECT_EQ(p.c.nvals(), 1000000);
    for (index_t i = 0; i < 1000; i += 37) EXPECT_EQ(p.c.get(i, 999 - i), 6.0);
  }
}

// A product that fits some limit fits every higher one: bitmaps of rows take memory only as long as
// the product does not need it.
TEST(MxmMemory, BitmapsOfRowsLeaveTheMemoryThatAProductNeeds) {
  // Rows of 20 columns, enough for bitmaps, and a mask of the rows that share all of them.
  constexpr std::uint32_t n = 4000, length = 20, places = 5;
  std::vector<std::uint32_t> row, column, mask_row, mask_column;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = 0; k < length; ++k)
      row.push_back(i), column.push_back(length * k + i % length);
    for (std::uint32_t k = 0; k < places; ++k)
      mask_row.push_back(i), mask_column.push_back((i + length * k) % n);
  }
  // The number of columns that rows share, or nothing if the product does not fit the limit.
  const auto run = [&](std::size_t limit, bool sums) -> std::optional<std::int64_t> {
    const context where = context::cpu({.threads = 1, .memory_limit = limit});
    const auto a = matrix<bool>::from_pattern(where, n, 512, row, column, true);
    const auto mask = matrix<bool>::from_pattern(where, n, n, mask_row, mask_column, true);
    matrix<std::int64_t> c(where, n, n);
    const std::size_t used = where.memory_used();
    try {
      if (sums)
        return reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, bool, bool>{}, a,
                          transpose(a), structure(mask));
      mxm(c, plus_pair<std::int64_t, bool, bool>{}, a, transpose(a), {.mask = structure(mask)});
      return reduce(plus_monoid<std::int64_t>{}, c);
    } catch (const out_of_memory&) {
      EXPECT_EQ(where.memory_used(), used);
      return std::nullopt;
    }
  };
  for (const bool sums : {false, true}) {
    bool fits = false;
    for (std::size_t limit = 1 << 18; limit < std::size_t{5} << 20; limit += 32 << 10) try {
        const auto found = run(limit, sums);
        ASSERT_TRUE(found || !fits) << limit << " bytes, less did";
        fits = found.has_value();
        if (fits) {
          ASSERT_EQ(*found, length * places * n);
        }
      } catch (const out_of_memory&) {  // the operands do not fit
        ASSERT_FALSE(fits);
      }
    EXPECT_TRUE(fits);
  }
}

// With a kept transpose inner products are chosen, which make other parts: the same bits, for any
// number of threads.
TEST(MxmSums, DependOnNeitherTheMethodNorThreads) {
  constexpr std::uint32_t n = 60'000;  // several parts by either method
  dice random(7);
  std::vector<std::uint32_t> row, column, mask_row, mask_column;
  std::vector<double> value;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t distance : {1U, 2U, 3U, 5U, 8U}) {
      row.push_back(i);
      column.push_back((i + distance) % n);
      value.push_back(static_cast<double>(random.roll(100'000)) / 7);
    }
    if (i % 5 == 0) continue;  // rows without entries
    mask_row.push_back(i), mask_column.push_back((i + 4) % n);
    mask_row.push_back(i), mask_column.push_back((i + 12) % n);  // no product
  }
  const auto semiring = detail::describe_for_mxm(plus_times<double>{});
  std::optional<double> expected;
  for (const int threads : {1, 2, 3}) {
    const context where = context::cpu({.threads = threads});
    const auto a = matrix<double>::from_entries(where, n, n, row, column, value);
    const auto mask = matrix<bool>::from_pattern(where, n, n, mask_row, mask_column, true);
    const auto sum = [&] {
      return reduce_mxm(plus_monoid<double>{}, plus_times<double>{}, a, a, structure(mask));
    };
    const auto kernel = [&] {
      return where.state()
          ->executor->explain_mxm({semiring, a.base(), a.base()}, {&mask.base(), true})
          .kernel;
    };
    ASSERT_EQ(kernel(), "gustavson");
    const double without = sum();
    if (!expected) expected = without;
    EXPECT_EQ(without, *expected) << threads << " threads";
    matrix<double> c(where, n, n);
    mxm(c, plus_times<double>{}, transpose(a), a);  // keeps the transpose
    ASSERT_EQ(kernel(), "inner");
    EXPECT_EQ(sum(), *expected) << threads << " threads, with a kept transpose";
  }
}

// Masks whose entries several threads look at, true and false ones, with a row so long that the
// accumulator is an array.
TEST(MxmMasks, OfManyEntriesAgreeWithTheReference) {
  constexpr std::uint32_t rows = 40, inner = 30, places = 10'000, step = 20;
  dice random(9);
  const auto some = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random.roll(static_cast<int>(below)));
  };
  std::vector<std::uint32_t> a_row, a_column, b_row, b_column, m_row, m_column;
  std::vector<std::int64_t> a_value, b_value, m_value;
  for (int n = 0; n < 300; ++n) {
    a_row.push_back(some(rows)), a_column.push_back(some(inner));
    a_value.push_back(random.roll(9) - 4);
  }
  for (int n = 0; n < 6000; ++n) {
    b_row.push_back(some(inner)), b_column.push_back(step * some(places));
    b_value.push_back(random.roll(9) - 4);
  }
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t n = 0; n < places; n += i == 0 ? 1 : 1 + some(15)) {
      m_row.push_back(i), m_column.push_back(step * n);
      m_value.push_back(random.roll(3) - 1);
    }
  const auto products_on = [&](const context& on) {
    const index_t columns = places * step;
    const auto a = matrix<std::int64_t>::from_entries(on, rows, inner, a_row, a_column, a_value,
                                                      duplicates::first);
    const auto b = matrix<std::int64_t>::from_entries(on, inner, columns, b_row, b_column, b_value,
                                                      duplicates::first);
    const auto mask =
        matrix<std::int64_t>::from_entries(on, rows, columns, m_row, m_column, m_value);
    std::vector<host_matrix> found;
    const auto compute = [&](const matrix_options<std::int64_t>& options) {
      matrix<std::int64_t> c(on, rows, columns);
      mxm(c, plus_times<std::int64_t>{}, a, b, options);
      found.push_back(read(c.base()));
    };
    compute({.mask = mask});
    compute({.mask = complement(mask)});
    compute({.mask = structure(mask)});
    compute({.mask = complement(structure(mask))});
    return found;
  };
  const std::vector<host_matrix> expected = products_on(context::reference());
  for (const int threads : {1, 2, 3}) {
    const std::vector<host_matrix> found = products_on(context::cpu({.threads = threads}));
    for (std::size_t n = 0; n < expected.size(); ++n)
      EXPECT_EQ(difference(expected[n], found[n]), "") << "mask " << n << ", " << threads;
  }
}

TEST(MxmCancel, AProductEndsByItsToken) {
  cancel_token token;
  const context where = context::cpu({.threads = 2, .cancel = token});
  outer_product p(where);
  token.cancel();
  EXPECT_THROW(mxm(p.c, plus_times<double>{}, p.column, p.row), cancelled);
  EXPECT_EQ(p.c.nvals(), 1);
}

}  // namespace
}  // namespace mxm_steps_test
}  // namespace tropic::testing
