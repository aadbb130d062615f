// SPDX-License-Identifier: Apache-2.0

// The kinds of permutation: each gives a permutation, independent of the number of threads, and the
// documented result on a worked example.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include <tropic/generators.hpp>
#include <tropic/measures.hpp>
#include <tropic/permute.hpp>
#include <tropic/read_matrix.hpp>

#include "support/cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using list = std::vector<std::uint32_t>;

matrix<double> pattern(const context& where, index_t rows, index_t columns,
                       const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries) {
  list row, column;
  for (const auto& [i, j] : entries) {
    row.push_back(i);
    column.push_back(j);
  }
  return matrix<double>::from_pattern(where, rows, columns, row, column, 1.0);
}

matrix<double> random_pattern(const context& where, index_t rows, index_t columns, double density,
                              std::uint64_t seed) {
  dice random(seed);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j)
      if (random.chance(density)) entries.emplace_back(i, j);
  return pattern(where, rows, columns, entries);
}

// Row i has counts[i] entries, from column 0 on.
matrix<double> staircase(const std::vector<std::uint32_t>& counts, index_t columns) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < counts.size(); ++i)
    for (std::uint32_t j = 0; j < counts[i]; ++j) entries.emplace_back(i, j);
  return pattern(context::cpu(), static_cast<index_t>(counts.size()), columns, entries);
}

list positions(const permutation& p) {
  return {p.old_positions().begin(), p.old_positions().end()};
}

void expect_bijection(const permutation& p, index_t size) {
  ASSERT_EQ(p.size(), size);
  list sorted = positions(p);
  std::ranges::sort(sorted);
  for (std::uint32_t n = 0; n < sorted.size(); ++n) ASSERT_EQ(sorted[n], n);
  for (std::uint32_t n = 0; n < sorted.size(); ++n)
    ASSERT_EQ(p.new_positions()[p.old_positions()[n]], n);
}

index_t bandwidth(const matrix<double>& a) {
  index_t widest = 0;
  const auto columns = a.column_indices();
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t e = a.offset(i); e < a.offset(i + 1); ++e)
      widest = std::max(widest, std::abs(i - index_t{columns[static_cast<std::size_t>(e)]}));
  return widest;
}

TEST(PermutationKinds, HaveNamesThatLeadBack) {
  EXPECT_EQ(permutation_kinds().size(), 8U);
  for (const permutation_kind kind : permutation_kinds())
    EXPECT_EQ(permutation_kind_named(name_of(kind)), kind);
  EXPECT_EQ(name_of(permutation_kind::gradient_row_column), "gradient-row-column");
  EXPECT_EQ(permutation_kind_named("gradient"), std::nullopt);
}

TEST(PermutationKinds, AreBijectionsOfEveryShape) {
  for (const auto& [rows, columns] : std::vector<std::pair<index_t, index_t>>{
           {0, 0}, {1, 1}, {2, 2}, {3, 3}, {5, 1}, {1, 5}, {0, 4}, {4, 0}, {61, 61}, {40, 90}})
    for (const permutation_kind kind : permutation_kinds())
      for (const std::uint64_t seed : {0U, 1U, 2U}) {
        const auto a = random_pattern(context::cpu(), rows, columns, 0.2, seed);
        SCOPED_TRACE(std::string(name_of(kind)) + " of " + std::to_string(rows) + "x" +
                     std::to_string(columns));
        if (!suits(kind, rows, columns)) {
          EXPECT_THROW(make_permutation(a, kind, seed), usage_error);
          continue;
        }
        const row_column_permutation p = make_permutation(a, kind, seed);
        expect_bijection(p.rows, rows);
        expect_bijection(p.columns, columns);
        if (rows == columns) expect_bijection(make_relabelling(a, kind, seed), rows);
      }
  EXPECT_THROW(
      make_relabelling(random_pattern(context::cpu(), 3, 4, 0.5, 1), permutation_kind::degree),
      usage_error);
}

TEST(PermutationKinds, AreTheSameOnAnyNumberOfThreads) {
  // Larger than a bucket of the random order, so that several are filled and shuffled.
  const auto entries = urand(17, 2, 5);
  std::vector<row_column_permutation> first;
  for (const int threads : {1, 2, 3}) {
    const auto a = make_matrix<bool>(context::cpu({.threads = threads}), entries);
    std::size_t at = 0;
    for (const permutation_kind kind : permutation_kinds()) {
      const row_column_permutation p = make_permutation(a, kind, 4);
      if (threads == 1) {
        expect_bijection(p.rows, a.rows());
        first.push_back(p);
        continue;
      }
      EXPECT_EQ(p.rows, first[at].rows) << name_of(kind);
      EXPECT_EQ(p.columns, first[at++].columns) << name_of(kind);
    }
  }
}

TEST(PermutationKinds, RandomOnesDependOnTheSeedAndOthersDoNot) {
  const auto a = random_pattern(context::cpu(), 80, 80, 0.1, 3);
  for (const permutation_kind kind : permutation_kinds()) {
    std::set<list> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      seen.insert(positions(make_permutation(a, kind, seed).rows));
    EXPECT_EQ(seen.size(), is_random(kind) ? 20U : 1U) << name_of(kind);
  }
  // The order of the columns differs from that of the rows.
  const auto p = make_permutation(a, permutation_kind::random_row_column, 1);
  EXPECT_NE(p.rows, p.columns);
  EXPECT_EQ(p.rows, make_permutation(a, permutation_kind::random_row, 1).rows);
  EXPECT_TRUE(make_permutation(a, permutation_kind::random_row, 1).columns.is_identity());
}

TEST(PermutationKinds, RandomMeansEveryOrderAlike) {
  // All six orders of three rows, a sixth of 6000 seeds each: 1000, with a deviation of 29.
  const auto a = random_pattern(context::cpu(), 3, 3, 0.5, 1);
  std::map<list, int> seen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed)
    ++seen[positions(make_permutation(a, permutation_kind::random_row, seed).rows)];
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 1000, 130);
  // Beyond a bucket: the mean of the destination of row 0 of 100 000 is the middle.
  const matrix<double> large(context::cpu(), 100000, 1);
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    sum += static_cast<double>(
        make_permutation(large, permutation_kind::random_row, seed).rows.new_position(0));
  EXPECT_NEAR(sum / 100, 50000, 5 * 2900);
}

TEST(PermutationKinds, GradientDealsBothSidesOfTheSteepestRise) {
  // h = 1 2 1 6 5 7: the steepest rise is 1 to 6, so the pivot is row 2: rows 0 to 2 and 3 to 5.
  const auto even = staircase({1, 2, 1, 6, 5, 7}, 7);
  std::set<list> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const list order = positions(make_permutation(even, permutation_kind::gradient_row, seed).rows);
    for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(order[n] < 3, n % 2 == 0) << n;
    seen.insert(order);
  }
  EXPECT_EQ(seen.size(), 36U) << "3! orders of each side";
  // h = 5 1 4 4 4: from 1 to 4, so two sparse rows are interleaved with three dense ones, one of
  // which remains.
  const auto uneven = staircase({5, 1, 4, 4, 4}, 5);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const list order =
        positions(make_permutation(uneven, permutation_kind::gradient_row, seed).rows);
    for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(order[n] < 2, n == 0 || n == 2) << n;
  }
  // h = 1 1 1 3: three low rows, one high.
  const list late =
      positions(make_permutation(staircase({1, 1, 1, 3}, 3), permutation_kind::gradient_row).rows);
  EXPECT_EQ(late[1], 3U);
  EXPECT_TRUE(make_permutation(even, permutation_kind::gradient_row).columns.is_identity());
  // Columns of the staircase: 6 4 3 3 3 2 1 fall throughout; the first that falls by 0 is column 2.
  const list columns =
      positions(make_permutation(even, permutation_kind::gradient_row_column, 1).columns);
  for (std::size_t n = 0; n < 7; ++n) EXPECT_EQ(columns[n] < 3, n % 2 == 0 && n < 6) << n;
}

TEST(PermutationKinds, GradientRaisesTheBlocksEntropyOfTwoDensities) {
  // The paper's example: a sparse half above a dense one.
  std::vector<std::uint32_t> counts(512, 2);
  std::fill(counts.begin() + 256, counts.end(), 60);
  const auto a = staircase(counts, 64);
  for (const permutation_kind kind :
       {permutation_kind::gradient_row, permutation_kind::gradient_row_column}) {
    const auto p = permute(a, make_permutation(a, kind, 1));
    EXPECT_GT(block_counts(p, 8).entropy, block_counts(a, 8).entropy + 0.4) << name_of(kind);
    EXPECT_GT(equal_row_imbalance(a, 4), 1.9);
    EXPECT_EQ(equal_row_imbalance(p, 4), 1);
  }
}

TEST(PermutationKinds, DegreePutsFullRowsFirstAndKeepsTies) {
  const auto square = staircase({2, 4, 0, 2, 5}, 5);
  const auto p = make_permutation(square, permutation_kind::degree);
  EXPECT_EQ(positions(p.rows), (list{4, 1, 0, 3, 2}));
  EXPECT_EQ(p.columns, p.rows);
  EXPECT_EQ(make_relabelling(square, permutation_kind::degree), p.rows);
  // Columns of a rectangle are ordered by their own entries: 2 2 1 0.
  const auto wide = make_permutation(staircase({2, 3}, 4), permutation_kind::degree);
  EXPECT_EQ(positions(wide.rows), (list{1, 0}));
  EXPECT_EQ(positions(wide.columns), (list{0, 1, 2, 3}));
}

TEST(PermutationKinds, CuthillMcKeeFindsAShuffledBand) {
  // A band of five diagonals, and a semiring, under a random relabelling.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> band, semiring, way;
  for (std::uint32_t i = 0; i < 300; ++i) {
    for (const std::uint32_t d : {1U, 2U})
      if (i + d < 300) {
        band.emplace_back(i, i + d);
        band.emplace_back(i + d, i);
      }
    semiring.emplace_back(i, (i + 1) % 300);  // one direction only: the search follows both
    if (i % 100 != 99) way.emplace_back(i + 1, i);
  }
  const context where = context::cpu();
  for (const auto& [entries, widest] : {std::pair{band, index_t{2}}, {semiring, 2}, {way, 1}})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto a = pattern(where, 300, 300, entries);
      const permutation shuffle = make_relabelling(a, permutation_kind::random_row, seed);
      const auto shuffled = permute(a, shuffle, shuffle);
      EXPECT_GT(bandwidth(shuffled), 100);
      const permutation order = make_relabelling(shuffled, permutation_kind::rcm);
      EXPECT_LE(bandwidth(permute(shuffled, order, order)), widest);
    }
  const auto rectangle = random_pattern(where, 3, 4, 0.5, 1);
  EXPECT_EQ(message_of([&] { make_permutation(rectangle, permutation_kind::rcm); }),
            "permutation: rcm orders square matrices, this one is 3x4");
}

TEST(PermutationKinds, CuthillMcKeeByHand) {
  // A star of 0 with 1, 2, 3 and a tail 3 - 4. The search starts at 0, reaches 4 last; from there
  // the levels are 4 | 3 | 0 | 1 2, one more, so 1, the first of the last level, is tried: as many
  // levels (1 | 0 | 2 3 | 4), and stays. Neighbours by degree: 2 before 3. Turned round.
  const auto star = pattern(context::cpu(), 5, 5, {{0, 1}, {0, 2}, {0, 3}, {3, 4}});
  EXPECT_EQ(positions(make_relabelling(star, permutation_kind::rcm)), (list{4, 3, 2, 0, 1}));
}

TEST(PermutationKinds, AMatrixThatKnowsItIsSymmetricGetsTheSameCuthillMcKeeOrder) {
  const auto entries = kron(9, 4, 2);
  auto a = make_matrix<bool>(context::cpu(), entries);
  ASSERT_TRUE(a.is_symmetric());
  auto unaware = a.base();
  unaware.symmetric = false;
  EXPECT_EQ(make_relabelling(a, permutation_kind::rcm),
            make_relabelling(matrix<bool>(unaware), permutation_kind::rcm));
}

TEST(PermutationKinds, DenseRowsAndColumnsGoLastInTheirOrder) {
  // Dense: more than max(16, 10 sqrt(400)) = 200 of 400. Rows 1 and 3, no column.
  const auto a = staircase({3, 250, 200, 201, 1}, 400);
  const auto parts = partition_dense(a);
  EXPECT_EQ(positions(parts.rows), (list{0, 2, 4, 1, 3}));
  EXPECT_EQ(parts.sparse_rows, 3);
  EXPECT_TRUE(parts.columns.is_identity());
  EXPECT_EQ(parts.sparse_columns, 400);
  const auto p = make_permutation(a, permutation_kind::dense_last);
  EXPECT_EQ(p.rows, parts.rows);
  EXPECT_EQ(p.columns, parts.columns);
  // Another factor: more than 20 of 400; at least 17 for every factor.
  EXPECT_EQ(partition_dense(a, 1).sparse_rows, 2);
  EXPECT_EQ(partition_dense(staircase({16, 17}, 20), 0.01).sparse_rows, 1);
  EXPECT_THROW(partition_dense(a, 0), usage_error);
}

TEST(PermutationKinds, AVertexIsDenseByItsRowOrItsColumn) {
  // Of 120 vertices, 7 has an edge to all and 9 one from all; more than 109 are dense.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
  for (std::uint32_t v = 0; v < 120; ++v) {
    entries.emplace_back(7, v);
    if (v != 7) entries.emplace_back(v, 9);
  }
  const auto hubs = pattern(context::cpu(), 120, 120, entries);
  const list order = positions(make_relabelling(hubs, permutation_kind::dense_last));
  EXPECT_EQ(order[118], 7U);
  EXPECT_EQ(order[119], 9U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.begin() + 118));
}

}  // namespace
}  // namespace tropic::testing
