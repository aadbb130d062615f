// SPDX-License-Identifier: Apache-2.0

// Entries that are extracted by lists or selected by their position, on every context: large
// matrices against the reference, lists of every kind, positions and sides of the diagonal, memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include <tropic/tropic.hpp>

#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace selection_test {
namespace {

using namespace tropic::detail;

class Selection : public AgainstReference {};

// Many blocks of rows, and rows much longer than the list of columns.
TEST_P(Selection, ExtractsFromLargeMatrices) {
  dice random(base_seed());
  for (const bool shuffled : {false, true}) {
    const host_matrix a =
        random_matrix(describe<std::int64_t>(), 30000, 40, 0.2, flavour::weighted, random);
    std::vector<index_t> rows, columns{39, 3, 3, 17, 0};
    for (index_t n = 0; n < 40000; ++n) rows.push_back(random.roll(30000));
    if (!shuffled) std::sort(columns.begin(), columns.end());
    const std::span<const index_t> in_rows(rows), in_columns(columns);
    host_matrix found[2];
    const context* both[] = {&reference(), &where()};
    for (int n = 0; n < 2; ++n) {
      const matrix_base from = make(*both[n], a, false, false);
      matrix_base c = empty_matrix(both[n]->state(), *a.type, 40000, 5);
      extract(c, {.matrix = from}, &in_rows, &in_columns, {});
      found[n] = read(c);
    }
    EXPECT_EQ(difference(found[0], found[1]), "");
  }
}

// The public API: every kind of list, and what the documentation shows.
TEST_P(Selection, TakesListsOfEveryKind) {
  const auto a = matrix<int>::from_entries(where(), 3, 4, {0, 0, 1, 2}, {1, 3, 2, 0}, {1, 2, 3, 4});
  matrix<int> c(where(), 2, 4);
  extract(c, a, range(2, 0, -1), all);
  EXPECT_EQ(c.get(0, 0), 4);
  EXPECT_EQ(c.get(1, 2), 3);
  EXPECT_EQ(c.nvals(), 2);
  matrix<int> turned(where(), 2, 2);
  extract(turned, transpose(a), std::vector<std::uint8_t>{3, 3}, range(0, 3, 2));
  EXPECT_EQ(turned.get(0, 0), 2);
  EXPECT_EQ(turned.get(1, 0), 2);
  EXPECT_EQ(turned.nvals(), 2);
  vector<int> row(where(), 4), column(where(), 3);
  extract(row, transpose(a), all, 0);
  EXPECT_EQ(row.get(3), 2);
  extract(column, a, all, 2);
  EXPECT_EQ(column.get(1), 3);
  assign(row, 9, range(0, 4, 3));
  EXPECT_EQ(row.get(0), 9);
  EXPECT_EQ(row.get(3), 9);
  EXPECT_EQ(row.get(1), 1);
  EXPECT_EQ(diagonal_of(a, 1).get(0), 1);
  EXPECT_EQ(diagonal_of(a, 1).get(1), 3);
  EXPECT_EQ(diagonal_matrix(column, -1).get(2, 1), 3);
  EXPECT_EQ(concatenate({&a, &a}, 2).get(1, 6), 3);
  matrix<int> cleared = a;
  cleared.clear();
  EXPECT_EQ(cleared.nvals(), 0);
  EXPECT_EQ(cleared.columns(), 4);
  EXPECT_EQ(a.nvals(), 4);
}

// A selection of all entries shares the arrays of its operand.
TEST(SelectionMemory, ASelectionOfAllEntriesCopiesNone) {
  const context where = context::cpu({.threads = 1, .memory_limit = 4 << 20});
  constexpr std::uint32_t n = 500;
  std::vector<std::uint32_t> rows, columns;
  std::vector<double> values;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j <= i; ++j) {
      rows.push_back(i), columns.push_back(j);
      values.push_back(1 + i + j);
    }
  // 1.5 MB: twice its entries and a copy do not fit.
  const auto a = matrix<double>::from_entries(where, n, n, rows, columns, values);
  const std::size_t used = where.memory_used(), full = 125250 * 12;
  matrix<double> all(where, n, n), some(where, n, n);
  select(all, tril{0}, a);
  select(some, bind_second(greater{}, 0.0), a);
  EXPECT_EQ(all.nvals(), a.nvals());
  EXPECT_EQ(some.nvals(), a.nvals());
  EXPECT_LT(where.memory_used(), used + full);
  const context narrow = context::cpu({.threads = 1, .memory_limit = used + full});
  const auto b = matrix<double>::from_entries(narrow, n, n, rows, columns, values);
  matrix<double> c(narrow, n, n);
  EXPECT_NO_THROW(select(c, tril{0}, b));
  EXPECT_NO_THROW(select(c, bind_second(greater{}, 0.0), b));
  EXPECT_THROW(select(c, tril{-1}, b), out_of_memory);
}

TEST_P(Selection, SelectsByPosition) {
  const auto a =
      matrix<int>::from_entries(where(), 3, 3, {0, 0, 1, 2, 2}, {0, 2, 1, 0, 2}, {1, 2, 3, 4, 5});
  const auto kept = [&](const auto& predicate) {
    matrix<int> c(where(), 3, 3);
    select(c, predicate, a);
    std::string found;
    for (index_t i = 0; i < 3; ++i)
      for (index_t j = 0; j < 3; ++j)
        if (c.get(i, j)) found += std::to_string(*c.get(i, j));
    return found;
  };
  EXPECT_EQ(kept(tril{0}), "1345");
  EXPECT_EQ(kept(tril{-1}), "4");
  EXPECT_EQ(kept(triu{1}), "2");
  EXPECT_EQ(kept(triu{-1}), "1235");
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(kept(tril{least}) + kept(triu{greatest}), "");
  EXPECT_EQ(kept(tril{greatest}), "12345");
  EXPECT_EQ(kept(triu{least}), "12345");
  EXPECT_EQ(kept(on_diagonal{-2}), "4");
  EXPECT_EQ(kept(off_the_diagonal{0}), "24");
  EXPECT_EQ(kept(rows_up_to{0}), "12");
  EXPECT_EQ(kept(rows_after{0}), "345");
  EXPECT_EQ(kept(columns_up_to{0}), "14");
  EXPECT_EQ(kept(columns_after{1}), "25");
  EXPECT_EQ(kept(bind_second(greater{}, 3)), "45");
  matrix<std::int64_t> numbers(where(), 3, 3);
  apply(numbers, diagonal_number{10}, a);
  EXPECT_EQ(numbers.get(0, 2), -8);
  apply(numbers, row_number{1}, a);
  EXPECT_EQ(numbers.get(2, 0), 3);
  apply(numbers, column_number{-1}, a);
  EXPECT_EQ(numbers.get(2, 0), -1);
}

// Sides of the diagonal of rows of up to four entries and longer ones, over several blocks.
TEST_P(Selection, SelectsSidesOfShortRows) {
  dice random(3);
  for (const index_t n : {1, 5, 9000}) {
    std::vector<std::uint32_t> rows, columns;
    std::vector<int> values;
    for (index_t i = 0; i < n; ++i) {
      std::set<std::uint32_t> of_row;
      for (int k = random.roll(7); k > 0; --k)
        of_row.insert(
            static_cast<std::uint32_t>(std::clamp<index_t>(i - 4 + random.roll(9), 0, n - 1)));
      for (const std::uint32_t j : of_row) {
        rows.push_back(static_cast<std::uint32_t>(i)), columns.push_back(j);
        values.push_back(static_cast<int>(values.size()));
      }
    }
    const auto a = matrix<int>::from_entries(where(), n, n, rows, columns, values);
    for (const std::int64_t shift : {-2, -1, 0, 3})
      for (const bool lower : {true, false}) {
        matrix<int> c(where(), n, n);
        if (lower)
          select(c, tril{shift}, a);
        else
          select(c, triu{shift}, a);
        std::vector<std::uint32_t> kept_rows, kept_columns;
        std::vector<int> kept_values;
        for (std::size_t e = 0; e < values.size(); ++e) {
          const auto number = static_cast<std::int64_t>(columns[e]) - rows[e];
          if (lower ? number > shift : number < shift) continue;
          kept_rows.push_back(rows[e]), kept_columns.push_back(columns[e]);
          kept_values.push_back(values[e]);
        }
        const auto found = c.to_coo<std::uint32_t, std::uint32_t>();
        EXPECT_TRUE(std::ranges::equal(found.rows, kept_rows)) << n << ", " << shift;
        EXPECT_TRUE(std::ranges::equal(found.columns, kept_columns)) << n << ", " << shift;
        EXPECT_TRUE(std::ranges::equal(found.values, kept_values)) << n << ", " << shift;
      }
  }
}

TROPIC_ON_EVERY_CONTEXT(Selection);

}  // namespace
}  // namespace selection_test
}  // namespace tropic::testing
