// SPDX-License-Identifier: Apache-2.0

// Products A B' over (plus, pair), which count the columns that rows of A and B share: triangles,
// rows of every kind, short ones, and lower triangles, on every context. On the CPU these are the
// kernels of src/backends/cpu/mxm/shared_columns.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace shared_columns_test {
namespace {

class MxmSharedColumns : public OnContext {};

TEST_P(MxmSharedColumns, CountsTriangles) {
  // A complete graph of 40 vertices has 40 * 39 * 38 / 6 triangles.
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i < 40; ++i)
    for (std::uint32_t j = 0; j < i; ++j) row.push_back(i), column.push_back(j);
  const auto lower = matrix<float>::from_pattern(where(), 40, 40, row, column, 1.0f);
  const plus_pair<std::int64_t, float> count;
  EXPECT_EQ(
      reduce_mxm(plus_monoid<std::int64_t>{}, count, lower, transpose(lower), structure(lower)),
      9880);
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, count, lower, lower, structure(lower)), 9880);
  matrix<std::int64_t> c(where(), 40, 40);
  mxm(c, count, lower, transpose(lower), {.mask = structure(lower)});
  EXPECT_EQ(reduce(plus_monoid<std::int64_t>{}, c), 9880);
  EXPECT_EQ(c.get(39, 38), 38);
  EXPECT_EQ(c.get(1, 0), std::nullopt);
  const matrix<float> none(where(), 40, 40);
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, count, none, lower), 0);
}

// c<mask> = a b' over (plus, pair) by that kernel; empty: any.
template <class Z>
void count_shared(matrix<Z>& c, const matrix<bool>& a, const matrix<bool>& b,
                  const matrix<bool>& mask, const char* kernel) {
  plan forced;
  forced.kernel = kernel;
  detail::output_options<detail::matrix_base> options;
  options.forced = &forced;
  options.mask = {&mask.base(), true, false};
  detail::mxm(c.base(), detail::describe_for_mxm(plus_pair<Z, bool, bool>{}), {.matrix = a.base()},
              {.matrix = b.base(), .transposed = true}, options);
}

using rows_of_columns = std::vector<std::set<std::uint32_t>>;

matrix<bool> as_matrix(const context& where, const rows_of_columns& rows) {
  const auto n = static_cast<std::uint32_t>(rows.size());
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i < n; ++i)
    for (const std::uint32_t k : rows[i]) row.push_back(i), column.push_back(k);
  return matrix<bool>::from_pattern(where, n, n, row, column, true);
}

// A matrix and its rows.
struct known_matrix {
  const matrix<bool>& entries;
  const rows_of_columns& rows;
};

// c<mask> = a b' and its sum are those of a loop over the positions of the mask.
void expect_shared(const known_matrix& a, const known_matrix& b, const known_matrix& mask,
                   const std::string& what) {
  std::int64_t all = 0;
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> value;
  for (std::size_t i = 0; i < mask.rows.size(); ++i)
    for (const std::uint32_t j : mask.rows[i]) {
      const auto shared =
          std::ranges::count_if(a.rows[i], [&](std::uint32_t k) { return b.rows[j].contains(k); });
      if (shared == 0) continue;
      row.push_back(static_cast<std::uint32_t>(i)), column.push_back(j);
      value.push_back(shared);
      all += shared;
    }
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, bool>{}, a.entries,
                       transpose(b.entries), structure(mask.entries)),
            all)
      << what;
  matrix<std::int64_t> c(a.entries.where(), mask.entries.rows(), mask.entries.columns());
  count_shared(c, a.entries, b.entries, mask.entries, "");
  const auto found = c.to_coo<std::uint32_t, std::uint32_t>();
  EXPECT_TRUE(std::ranges::equal(found.rows, row)) << what;
  EXPECT_TRUE(std::ranges::equal(found.columns, column)) << what;
  EXPECT_TRUE(std::ranges::equal(found.values, value)) << what;
}

TEST_P(MxmSharedColumns, CountsTheColumnsThatRowsShare) {
  // Rows of B' of every kind: none, few entries, a dense run that ends anywhere, a run far from the
  // first column, every third column, and a long row that is sparse.
  constexpr index_t inner = 3000;
  const auto rows_of = [](std::uint32_t shift) {
    std::vector<std::vector<std::uint32_t>> rows(1);
    const auto run = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t step) {
      rows.emplace_back();
      for (std::uint32_t k = begin; k < end; k += step) rows.back().push_back(k);
    };
    for (const std::uint32_t begin : {0U, 1U, 63U, 64U, 511U, 512U, 1000U, 1535U})
      for (const std::uint32_t length : {1U, 2U, 4U, 5U, 63U, 64U, 65U, 511U, 513U, 1100U})
        run(begin + shift, begin + shift + length, 1);
    run(shift, inner, 3);
    run(shift, inner, 97);
    return rows;
  };
  const auto as_matrix = [&](const std::vector<std::vector<std::uint32_t>>& rows) {
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t r = 0; r < rows.size(); ++r)
      for (const std::uint32_t k : rows[r]) row.push_back(r), column.push_back(k);
    return matrix<bool>::from_pattern(where(), static_cast<index_t>(rows.size()), inner, row,
                                      column, true);
  };
  const auto of_a = rows_of(0), of_b = rows_of(2);
  const matrix<bool> a = as_matrix(of_a), b = as_matrix(of_b);
  const auto n = static_cast<std::uint32_t>(of_a.size());
  // All positions but one in seven.
  std::vector<std::uint32_t> mask_row, mask_column;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      if ((i + 2 * j) % 7 != 0) mask_row.push_back(i), mask_column.push_back(j);
  const auto mask = matrix<bool>::from_pattern(where(), n, n, mask_row, mask_column, true);
  const bool is_on_cpu = GetParam().starts_with("cpu");
  const auto check = [&]<class Z>(Z) {
    matrix<Z> c(where(), n, n);
    count_shared<Z>(c, a, b, mask, is_on_cpu ? "inner" : "");
    std::int64_t total = 0;
    std::vector<std::uint32_t> row, column;
    std::vector<Z> value;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        std::vector<std::uint32_t> shared;
        std::set_intersection(of_a[i].begin(), of_a[i].end(), of_b[j].begin(), of_b[j].end(),
                              std::back_inserter(shared));
        if ((i + 2 * j) % 7 == 0 || shared.empty()) continue;
        row.push_back(i), column.push_back(j);
        value.push_back(static_cast<Z>(shared.size()));
        total += static_cast<std::int64_t>(shared.size());
      }
    const auto found = c.template to_coo<std::uint32_t, std::uint32_t>();
    EXPECT_TRUE(std::equal(row.begin(), row.end(), found.rows.begin(), found.rows.end()));
    EXPECT_TRUE(
        std::equal(column.begin(), column.end(), found.columns.begin(), found.columns.end()));
    EXPECT_TRUE(std::equal(value.begin(), value.end(), found.values.begin(), found.values.end()));
    return total;
  };
  const std::int64_t total = check(std::int64_t{});
  check(std::int8_t{});  // wraps
  check(float{});
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, bool, bool>{}, a,
                       transpose(b), structure(mask)),
            total);
}

// Half of the mask's positions have no shared column, so that a value written behind a row's
// entries is one of another row.
TEST(MxmSharedColumnsInPlace, CountsSharedColumnsRowByRow) {
  constexpr std::uint32_t n = 800;  // three parts
  std::vector<std::uint32_t> row, column, shifted, all_rows, all_columns;
  for (std::uint32_t i = 0; i < n; ++i) {
    row.push_back(i), column.push_back(i % 2);
    shifted.push_back((i + 1) % 2);
    for (std::uint32_t j = 0; j < n; ++j) all_rows.push_back(i), all_columns.push_back(j);
  }
  for (const int threads : {1, 3}) {
    const context where = context::cpu({.threads = threads, .memory_limit = 12 << 20});
    const auto a = matrix<bool>::from_pattern(where, n, 2, row, column, true);
    const auto mask = matrix<bool>::from_pattern(where, n, n, all_rows, all_columns, true);
    matrix<std::int64_t> c(where, n, n);
    const auto b = matrix<bool>::from_pattern(where, n, 2, row, shifted, true);
    count_shared<std::int64_t>(c, a, b, mask, "inner");
    const auto found = c.to_coo<std::uint32_t, std::uint32_t>();
    ASSERT_EQ(found.rows.size(), std::size_t{n} * n / 2);
    for (std::size_t e = 0; e < found.rows.size(); ++e) {
      ASSERT_EQ(found.rows[e], e / (n / 2));
      ASSERT_EQ(found.columns[e], 2 * (e % (n / 2)) + (found.rows[e] + 1) % 2);
      ASSERT_EQ(found.values[e], 1);
    }
  }
}

// Rows of up to four columns, compared at once, and a few longer ones; rows at the end of the
// arrays, where four cannot be loaded.
TEST_P(MxmSharedColumns, SumsTheColumnsThatShortRowsShare) {
  dice random(5);
  for (const std::uint32_t n : {1U, 2U, 3U, 5U, 64U, 700U})
    for (const int longest : {1, 3, 4, 6}) {
      rows_of_columns rows(n);
      const auto inner = static_cast<int>(std::min(n, 9U));
      for (auto& columns : rows)
        for (int k = random.roll(longest + 1); k > 0; --k)
          columns.insert(n - 1 - static_cast<std::uint32_t>(random.roll(inner)));
      const matrix<bool> a = as_matrix(where(), rows);
      expect_shared({a, rows}, {a, rows}, {a, rows},
                    std::to_string(n) + " rows of up to " + std::to_string(longest));
    }
}

// A lower triangle is known to be one after `tril`, and not by its entries: the sums are the same,
// in groups of four columns, by marks and by bitmaps, also for other rows and another mask.
TEST_P(MxmSharedColumns, SumsTheColumnsOfALowerTriangle) {
  dice random(6);
  const auto rows_of = [&](std::uint32_t n, int longest) {
    rows_of_columns rows(n);
    for (auto& columns : rows)
      for (int k = random.roll(longest + 1); k > 0; --k)
        columns.insert(static_cast<std::uint32_t>(random.roll(static_cast<int>(n))));
    return rows;
  };
  for (const std::uint32_t n : {2U, 6U, 70U, 700U})
    for (const int longest : {1, 4, 6, 60}) {
      const rows_of_columns of_graph = rows_of(n, longest), of_a = rows_of(n, longest),
                            of_mask = rows_of(n, longest);
      rows_of_columns of_lower = of_graph;
      for (std::uint32_t i = 0; i < n; ++i)
        std::erase_if(of_lower[i], [&](std::uint32_t k) { return k >= i; });
      const matrix<bool> a = as_matrix(where(), of_a), mask = as_matrix(where(), of_mask);
      matrix<bool> lower(where(), n, n), again(where(), n, n);
      select(lower, tril{-1}, as_matrix(where(), of_graph));
      select(again, tril{-1}, lower);  // keeps all
      const std::string what = std::to_string(n) + " rows of up to " + std::to_string(longest);
      for (const matrix<bool>* b : {&lower, &again}) {
        expect_shared({*b, of_lower}, {*b, of_lower}, {*b, of_lower}, what);
        expect_shared({a, of_a}, {*b, of_lower}, {mask, of_mask}, what);
        expect_shared({*b, of_lower}, {a, of_a}, {*b, of_lower}, what);
      }
      // The diagonal is no part of it, nor is a matrix that gets other entries.
      matrix<bool> with_diagonal(where(), n, n);
      select(with_diagonal, tril{0}, as_matrix(where(), of_graph));
      rows_of_columns of_diagonal = of_graph;
      for (std::uint32_t i = 0; i < n; ++i)
        std::erase_if(of_diagonal[i], [&](std::uint32_t k) { return k > i; });
      expect_shared({a, of_a}, {with_diagonal, of_diagonal}, {mask, of_mask}, what);
      again.set(0, n - 1, true);
      of_lower[0].insert(n - 1);
      expect_shared({a, of_a}, {again, of_lower}, {mask, of_mask}, what);
      ewise_add(lower, first{}, lower, as_matrix(where(), of_graph));
      expect_shared({lower, of_graph}, {lower, of_graph}, {lower, of_graph}, what);
    }
}

TROPIC_ON_EVERY_CONTEXT(MxmSharedColumns);

}  // namespace
}  // namespace shared_columns_test
}  // namespace tropic::testing
