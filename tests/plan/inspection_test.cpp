// SPDX-License-Identifier: Apache-2.0

// Inspections: every backend counts what the reference counts, and the derived features equal those
// computed by hand.

#include <gtest/gtest.h>

#include <cmath>

#include <tropic/matrix.hpp>

#include "backends/backend.hpp"
#include "plan/inspection.hpp"
#include "support/host_data.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

TEST(SizeHistogram, BinsFollowEachOtherAndHoldTheirSizes) {
  using h = size_histogram;
  for (std::uint64_t size = 0; size < 100000; ++size) {
    const std::size_t bin = h::bin_of(size);
    ASSERT_LE(h::least(bin), size);
    ASSERT_GT(h::least(bin + 1), size);
    ASSERT_NEAR(h::middle(bin), static_cast<double>(size), 0.04 * static_cast<double>(size));
  }
  for (std::size_t bin = 0; bin + 1 < h::bins; ++bin) {
    ASSERT_EQ(h::bin_of(h::least(bin)), bin);
    ASSERT_EQ(h::bin_of(h::least(bin + 1) - 1), bin);
  }
  EXPECT_LT(h::bin_of(std::uint64_t{1} << 32), h::bins);
}

// Rows of all lengths including 0, entries in runs and scattered.
matrix_base uneven(const context& where, index_t rows, index_t columns, double density,
                   std::uint64_t seed) {
  dice random(seed);
  std::vector<std::uint32_t> row, column;
  for (index_t i = 0; i < rows; ++i) {
    if (random.chance(0.3)) continue;
    const double density_of_row = density * 2 * static_cast<double>(random.roll(100)) / 100;
    for (index_t j = 0; j < columns; ++j)
      if (random.chance(density_of_row)) {
        row.push_back(static_cast<std::uint32_t>(i));
        column.push_back(static_cast<std::uint32_t>(j));
        // A run, as dense segments have it.
        if (random.chance(0.05))
          for (int k = 0; k < 20 && j + 1 < columns; ++k) {
            row.push_back(static_cast<std::uint32_t>(i));
            column.push_back(static_cast<std::uint32_t>(++j));
          }
      }
  }
  const float one = 1;
  return build_matrix(where.state(), describe<float>(), rows, columns, row, column, &one,
                      value_layout::iso, duplicates::error);
}

index_t below(index_t n, dice& random) {
  return static_cast<index_t>(random.next() % static_cast<std::uint64_t>(n));
}

// A pattern; all entries have one value.
struct pattern {
  index_t rows, columns;
  std::vector<std::uint32_t> row{}, column{};

  void add(index_t i, index_t j) {
    row.push_back(static_cast<std::uint32_t>(i));
    column.push_back(static_cast<std::uint32_t>(j));
  }
  matrix_base on(const context& where, bool wide) const {
    const float one = 1;
    matrix_base result = build_matrix(where.state(), describe<float>(), rows, columns, row, column,
                                      &one, value_layout::iso, duplicates::first);
    if (wide) widen(result);
    return result;
  }
};

class Inspection : public AgainstReference {
 protected:
  void check(const pattern& p, std::initializer_list<std::uint64_t> all_wanted, bool wide) {
    const matrix_base here = p.on(where(), wide), spec = p.on(reference(), wide);
    for (const std::uint64_t wanted : all_wanted)
      ASSERT_TRUE(where().state()->executor->inspect(here, wanted) ==
                  reference().state()->executor->inspect(spec, wanted))
          << p.rows << "x" << p.columns << ", " << here.nnz << " entries, of which " << wanted
          << "; " << seed_trace();
  }
  static constexpr std::uint64_t whole = ~std::uint64_t{0};
};
TROPIC_ON_EVERY_CONTEXT(Inspection);

// One below, at and above the edges of windows, tiles and pieces.
TEST_P(Inspection, CountsAtEveryEdge) {
  dice random(base_seed());
  for (const index_t n : {1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 4095, 4096, 4097, 8193}) {
    pattern row{1, n}, column{n, 1}, diagonal{n, n}, last{n + 3, 2 * n}, apart{100 * n, 50 * n},
        pairs{3 * n, 64};
    for (index_t k = 0; k < n; ++k) {
      row.add(0, k);
      column.add(k, 0);
      diagonal.add(k, k);
      last.add(n + 2, 2 * k + k % 2);  // one dense row after empty ones
      apart.add(100 * k + random.roll(100), below(50 * n, random));
      pairs.add(3 * (k / 2), (8 * k + k % 2) % 64);  // empty rows between any two
    }
    for (const pattern* p : {&row, &column, &diagonal, &last, &apart, &pairs}) {
      check(*p, {whole}, n % 2 == 1);
      if (HasFatalFailure()) return;
    }
  }
}

// More than 2^22 rows and columns, so that columns share counters, up to 32-bit numbers.
TEST_P(Inspection, CountsWideAndLongMatrices) {
  dice random(base_seed());
  const index_t counters = static_cast<index_t>(pattern_counts::counters);
  for (const index_t columns : {counters - 1, counters, counters + 1, largest_dimension}) {
    pattern p{3000, columns};
    for (int k = 0; k < 9000; ++k) p.add(random.roll(3000), below(columns, random));
    p.add(2999, columns - 1);
    check(p, {1, whole}, false);
    if (HasFatalFailure()) return;
  }
  pattern p{counters + 5, 40};
  for (int k = 0; k < 9000; ++k) p.add(below(p.rows, random), random.roll(40));
  check(p, {4096, whole}, true);
}

// A column that occurs in every row, among others: more often than a group counts separately.
TEST_P(Inspection, CountsFullColumnsAndLongRows) {
  dice random(base_seed());
  pattern p{6000, 3000};
  for (index_t i = 0; i < p.rows; ++i) {
    p.add(i, 1234);
    for (int k = random.roll(6); k > 0; --k) p.add(i, random.roll(3000));
  }
  for (index_t j = 0; j < p.columns; ++j) p.add(2500, j);
  check(p, {1, 4097, 12288, whole}, false);
}

TEST_P(Inspection, CountsRandomMatrices) {
  dice random(base_seed());
  for (int n = 0; n < 20; ++n) {
    pattern p{1 + random.roll(2000), 1 + random.roll(2000)};
    const int entries = random.roll(20000);
    for (int k = 0; k < entries; ++k)
      p.add(random.roll(static_cast<int>(p.rows)), random.roll(static_cast<int>(p.columns)));
    check(p, {1, random.next() % 20000, whole}, random.chance(0.5));
    if (HasFatalFailure()) return;
  }
}

// Some kilobytes of counts are copied back, for any size of the matrix.
TEST_P(Inspection, InspectsAMatrixWhereItIs) {
  dice random(base_seed());
  pattern p{20000, 5000};
  for (int k = 0; k < 200000; ++k) p.add(random.roll(20000), random.roll(5000));
  const matrix_base from = p.on(where(), false);
  matrix_base a = empty_matrix(where().state(), describe<float>(), p.columns, p.rows);
  where().state()->executor->transpose(a, from, {});  // only on a device
  where().synchronize();
  const device_traffic before = where().traffic();
  const pattern_counts found = where().state()->executor->inspect(a, whole);
  EXPECT_LE(where().traffic().to_host - before.to_host, 10000u);
  EXPECT_EQ(where().traffic().to_device, before.to_device);
  EXPECT_LE(where().traffic().launches - before.launches, 4u);
  EXPECT_EQ(found.entries, static_cast<std::uint64_t>(a.nnz));
}

class InspectionOnDevice : public OnContext {
 protected:
  context_options options() override {
    context_options result;
    result.cancel = cancel_;
    return result;
  }
  pattern some() const {
    pattern p{3000, 500};
    for (index_t i = 0; i < p.rows; ++i) p.add(i, i % 500);
    return p;
  }
  const cancel_token cancel_;
};
INSTANTIATE_TEST_SUITE_P(Devices, InspectionOnDevice, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

TEST_P(InspectionOnDevice, EndsWhenItIsCancelled) {
  const matrix_base a = some().on(where(), false);
  cancel_.cancel();
  EXPECT_THROW(where().state()->executor->inspect(a, 1), cancelled);
  EXPECT_THROW(where().state()->executor->to_hot_columns(a), cancelled);
  cancel_.reset();
  EXPECT_EQ(where().state()->executor->inspect(a, 1).entries, 3000u);
}

TEST_P(InspectionOnDevice, WithoutMemoryTheHostInspects) {
  const matrix_base a = some().on(where(), false);
  const pattern_counts expected = where().state()->executor->inspect(a, 1);
  where().state()->account.fail_after(0);
  const pattern_counts found = where().state()->executor->inspect(a, 1);
  where().state()->account.fail_after(-1);
  EXPECT_TRUE(found == expected);
}

TEST_P(Inspection, CountsWhatTheReferenceCounts) {
  struct shape {
    index_t rows, columns;
    double density;
  };
  constexpr shape shapes[] = {{0, 0, 0},     {1, 1, 1},         {0, 9, 0},        {9, 0, 0},
                              {5, 7, 0},     {1, 9000, 0.9},    {9000, 1, 0.5},   {3, 3, 1},
                              {64, 64, 0.2}, {300, 4096, 0.05}, {4097, 300, 0.1}, {700, 701, 0.3}};
  std::uint64_t seed = base_seed();
  for (const shape& s : shapes) {
    const matrix_base here = uneven(where(), s.rows, s.columns, s.density, ++seed),
                      spec = uneven(reference(), s.rows, s.columns, s.density, seed);
    for (const std::uint64_t wanted : {std::uint64_t{1}, std::uint64_t{4096}, std::uint64_t{20000},
                                       static_cast<std::uint64_t>(here.nnz), ~std::uint64_t{0}}) {
      const pattern_counts found = where().state()->executor->inspect(here, wanted),
                           expected = reference().state()->executor->inspect(spec, wanted);
      ASSERT_TRUE(found == expected) << s.rows << "x" << s.columns << ", " << here.nnz
                                     << " entries, of which " << wanted << "; " << seed_trace();
      ASSERT_LE(found.entries, static_cast<std::uint64_t>(here.nnz));
      if (wanted >= static_cast<std::uint64_t>(here.nnz)) {
        ASSERT_EQ(found.entries, static_cast<std::uint64_t>(here.nnz));
      }
    }
  }
}

// 4 x 16:  row 0 has columns 0 to 7, row 1 none, row 2 the columns 8 and 15, row 3 column 0.
matrix_base by_hand(const context& where) {
  const std::vector<std::uint32_t> row{0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 3},
      column{0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 0};
  const std::vector<float> values(row.size(), 2);
  return build_matrix(where.state(), describe<float>(), 4, 16, row, column, values.data(),
                      value_layout::per_entry, duplicates::error);
}

TEST(Features, AreThoseWorkedOutByHand) {
  const context where = context::cpu();
  const matrix_base m = by_hand(where);
  const pattern_summary f = inspect_matrix(m)->summary;
  EXPECT_EQ(f.rows, 4);
  EXPECT_EQ(f.columns, 16);
  EXPECT_EQ(f.nnz, 11);
  EXPECT_EQ(f.sampled, 11);
  EXPECT_EQ(f.empty_rows, 1);
  EXPECT_EQ(f.longest_row, 8);
  EXPECT_DOUBLE_EQ(f.row_lengths.mean, 2.75);
  EXPECT_DOUBLE_EQ(f.row_lengths.variance, (64 + 0 + 4 + 1) / 4.0 - 2.75 * 2.75);
  EXPECT_EQ(f.row_lengths.minimum, 0);
  EXPECT_EQ(f.row_lengths.p25, 0);
  EXPECT_EQ(f.row_lengths.median, 1);
  EXPECT_EQ(f.row_lengths.p75, 2);
  EXPECT_EQ(f.row_lengths.maximum, 8);
  const auto term = [](double n) { return -n / 11 * std::log2(n / 11); };
  EXPECT_NEAR(f.row_lengths.entropy, term(8) + term(2) + term(1), 1e-12);
  // Column 0 has two entries, nine others one.
  EXPECT_NEAR(f.column_lengths.entropy, term(2) + 9 * term(1), 1e-12);
  EXPECT_DOUBLE_EQ(f.reuse, 1.1);
  EXPECT_DOUBLE_EQ(f.dense_share, 8 / 11.0);
  EXPECT_EQ(f.bandwidth, 13);
  EXPECT_DOUBLE_EQ(f.mean_distance, (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 6 + 13 + 3) / 11.0);
  // One tile, which contains the empty row.
  EXPECT_DOUBLE_EQ(f.dirty_share, 1);
  // Rows 0 and 2 of 4 are in the first of 8 bands and in the fifth.
  EXPECT_EQ(f.blocks[0], 2u);
  EXPECT_EQ(f.blocks[3], 2u);
  EXPECT_EQ(f.blocks[4 * 8 + 4], 1u);
  EXPECT_EQ(f.blocks[4 * 8 + 7], 1u);
  EXPECT_EQ(f.blocks[6 * 8], 1u);
  EXPECT_NEAR(f.block_entropy[0], term(8) + term(2) + term(1), 1e-12);
  // Two segments of columns for 11 entries.
  EXPECT_NEAR(f.segments_per_entry_32, 2 / 11.0, 0.01);
  EXPECT_NEAR(f.segments_per_entry_4096, 2 / 11.0, 0.01);
}

TEST(Features, OfNothingAreZeros) {
  const context where = context::cpu();
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{0, 0}, {3, 0}, {0, 3}, {5, 5}}) {
    const matrix_base m = empty_matrix(where.state(), describe<float>(), rows, columns);
    const auto found = inspect_matrix(m);
    EXPECT_EQ(found->summary.nnz, 0);
    EXPECT_EQ(found->summary.row_lengths.entropy, 0);
    EXPECT_EQ(found->summary.segments_per_entry_4096, 0);
    EXPECT_EQ(found->misses_of_cache(10), 0);
  }
}

TEST(Features, AreKeptAsLongAsTheMatrixIsTheSame) {
  const context where = context::cpu();
  matrix_base m = by_hand(where);
  const auto first = inspect_matrix(m);
  EXPECT_EQ(first, inspect_matrix(m));
  const matrix_base copy = m;
  EXPECT_EQ(first, inspect_matrix(copy));
  m = by_hand(where);
  EXPECT_NE(first, inspect_matrix(m));
}

TEST(Features, ACacheMissesWhatItCannotHold) {
  const context where = context::cpu();
  // Each of 1,000 rows has 8 of 8,000 columns of its own, a segment; each segment is read once.
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i < 1000; ++i)
    for (std::uint32_t k = 0; k < 4; ++k) {
      row.push_back(i);
      column.push_back(8 * (i * 7 % 1000) + 2 * k);
    }
  const float one = 1;
  const matrix_base m = build_matrix(where.state(), describe<float>(), 1000, 8000, row, column,
                                     &one, value_layout::iso, duplicates::error);
  const inspected_pattern all = inspect_whole(m);
  EXPECT_NEAR(all.summary.segments_per_entry_4096, 0.25, 0.01);
  EXPECT_NEAR(all.misses_of_cache(1000), 0, 1e-12);
  // A segment is in the cache by chance: half of them are, but no more misses than segments.
  EXPECT_NEAR(all.misses_of_cache(500), 0.25, 0.01);
  EXPECT_NEAR(all.misses_of_cache(900), 0.1, 0.01);
}

// 200,000 rows of 16 entries in 20,000 columns: more than a million, so that a sample is inspected.
TEST(Features, ChanceHitsDoNotCountAsReuse) {
  const context where = context::cpu();
  const auto matrix_of = [&](bool is_skewed) {
    dice random(base_seed());
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t i = 0; i < 200000; ++i)
      for (int k = 0; k < 16; ++k) {
        row.push_back(i);
        // Half of a skewed matrix's entries are in a hundredth of its columns.
        column.push_back(static_cast<std::uint32_t>(is_skewed && k < 8 ? 100 * random.roll(200)
                                                                       : random.roll(20000)));
      }
    const float one = 1;
    return build_matrix(where.state(), describe<float>(), 200000, 20000, row, column, &one,
                        value_layout::iso, duplicates::first);
  };
  const matrix_base even = matrix_of(false), skewed = matrix_of(true);
  const auto of_even = inspect_matrix(even), of_skewed = inspect_matrix(skewed);
  ASSERT_LT(of_even->summary.sampled, even.nnz);
  const matrix_base again = matrix_of(false);
  EXPECT_EQ(inspect_all(again)->summary.sampled, even.nnz);
  EXPECT_EQ(inspect_matrix(again)->summary.sampled, even.nnz);  // kept
  // A cache of a twentieth of the columns holds a twentieth of what is read evenly, in whatever
  // order; of what is skewed half of it and more, if those columns are adjacent.
  EXPECT_NEAR(of_even->misses_of_cache(125, true), 0.95, 0.04) << seed_trace();
  EXPECT_LT(of_skewed->misses_of_cache(125, true), 0.55) << seed_trace();
  // As columns are, neighbours in the order of CSR share what they read.
  EXPECT_EQ(of_even->misses_of_cache(125), of_even->summary.segments_per_entry_4096);
}

}  // namespace
}  // namespace tropic::testing
