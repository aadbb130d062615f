// SPDX-License-Identifier: Apache-2.0

// Products of sparse matrices by devices: rows that are hard on the methods that compute them, and
// which kernel runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "backends/mxm/mxm_on_device.hpp"

namespace tropic::testing {
namespace mxm_rows_test {
namespace {

class MxmRows : public MxmOnDevice {};

// The hash of mxm_pattern.kernel.
std::uint32_t slot_of(index_t column, std::uint32_t slots) {
  return (static_cast<std::uint32_t>(column) * 2654435769u >> 16) & (slots - 1);
}

// A row of B for every list of columns; row i of A selects the rows of B that `rows` lists for it.
struct selected_rows {
  entries a, b;
  index_t rows = 0, inner = 0;

  void add(const std::vector<std::vector<index_t>>& of_b) {
    for (const std::vector<index_t>& columns : of_b) {
      a.add(rows, inner, 1.0 / static_cast<double>(3 + inner % 7));
      for (const index_t j : columns)
        b.add(inner, j, 1.0 / static_cast<double>(1 + j % 11 + inner));
      ++inner;
    }
    ++rows;
  }
};

std::vector<index_t> every(index_t step, index_t count, index_t first = 0) {
  std::vector<index_t> result;
  for (index_t n = 0; n < count; ++n) result.push_back(first + n * step);
  return result;
}

// Rows of 2^k entries, one less and one more, next to rows whose columns all have one slot in the
// table; in both, columns repeat.
TEST_P(MxmRows, AgreesWhereColumnsCollideAndAroundPowersOfTwo) {
  constexpr index_t columns = 1 << 21;
  for (const bool low : {false, true}) {
    SCOPED_TRACE(low);
    limits() = low ? low_mxm_limits() : detail::mxm_limits{};
    limits().tables_by_cost = false;
    const std::uint32_t largest = limits().tables.back().slots;
    std::map<std::uint32_t, std::vector<index_t>> by_slot;
    for (index_t j = 0; j < columns; ++j) by_slot[slot_of(j, largest)].push_back(j);
    const std::vector<index_t>& all = by_slot[3];
    ASSERT_GT(all.size(), 200u);
    selected_rows m;
    for (const auto& table : limits().tables) {
      const auto half = std::min<std::size_t>(table.products / 2, all.size());
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(half);
      m.add({{all.begin(), middle}, {}, {all.begin(), middle}});
      m.add({{all.end() - static_cast<std::ptrdiff_t>(half), all.end()}});
    }
    for (index_t size = 2; size <= 2 * index_t{largest}; size *= 2)
      for (const index_t count : {size - 1, size, size + 1})
        m.add({every(101, count), every(101, count / 2, 101)});
    EXPECT_EQ(differs(m.a, m.b, m.rows, m.inner, columns), "");
  }
}

// Rows of C by ranges and by tiles beside each other: of as many entries as decides it, one less
// and one more, the last column among them; in as many columns as a range has, and around.
TEST_P(MxmRows, AgreesAtEveryLimitOfRanges) {
  for (const std::uint32_t bytes : {256u, 1024u, 8192u}) {
    limits() = low_mxm_limits();
    limits().range_bytes = bytes;
    limits().cuts_per_entry = bytes == 1024u ? 0 : 100;
    const index_t range = bytes / 8;
    for (const index_t columns : {range - 1, range, range + 1, 3 * range + 5}) {
      SCOPED_TRACE(std::to_string(columns) + " columns, ranges of " + std::to_string(range));
      const index_t limit = std::max<index_t>((columns + 15) / 16, 40);
      selected_rows m;
      dice random(static_cast<std::uint64_t>(columns));
      for (const index_t count : {index_t{1}, limit, limit - 1, limit + 1, limit, limit, index_t{3},
                                  columns, limit - 1}) {
        if (count > columns) continue;
        // Between 1 and 70 rows of B: around a subgroup and the depth of the loads. The first has
        // all columns of the row of C, the others some of them.
        const std::vector<index_t> of_c = every(std::max<index_t>(columns / count, 1), count);
        std::vector<std::vector<index_t>> of_b{of_c};
        for (int k = random.roll(70); k > 0; --k) {
          of_b.emplace_back();
          for (const index_t j : of_c)
            if (random.roll(5) == 0) of_b.back().push_back(j);
        }
        if (random.roll(2) == 0) std::ranges::reverse(of_b);
        m.add(of_b);
      }
      // A row in which only the last column counts, behind rows that are long.
      m.add({{columns - 1}, {columns - 1}});
      ASSERT_EQ(differs(m.a, m.b, m.rows, m.inner, columns), "");
    }
  }
}

// Under a mask with long rows, some of whose entries have no products, and under its complement.
TEST_P(MxmRows, AgreesUnderMasksWithLongRows) {
  limits() = low_mxm_limits();
  const entries a = scattered(60, 300, 4000, 31), b = scattered(300, 500, 3000, 32);
  entries of_mask = scattered(60, 500, 2000, 33);
  for (index_t j = 0; j < 500; j += 3)
    for (const index_t i : {0, 7, 8, 59}) of_mask.add(i, j, 1);
  for (const bool complemented : {false, true}) {
    const auto masked = [&](const context& there) {
      const matrix<double> mask = of_mask.in(there, 60, 500);
      matrix<double> c(there, 60, 500);
      if (complemented)
        mxm(c, plus_times<double>{}, a.in(there, 60, 300), b.in(there, 300, 500),
            {.mask = complement(structure(mask))});
      else
        mxm(c, plus_times<double>{}, a.in(there, 60, 300), b.in(there, 300, 500),
            {.mask = structure(mask)});
      return read(c.base());
    };
    ASSERT_EQ(difference(masked(host()), masked(where())), "") << complemented;
  }
}

// Tables are left out only where bits cost less; the result is the same.
TEST_P(MxmRows, TheChoiceOfTablesChangesNothing) {
  const entries a = scattered(300, 300, 6000, 41), b = scattered(300, 3000, 9000, 42);
  for (const bool by_cost : {false, true}) {
    limits() = detail::mxm_limits{};
    limits().tables_by_cost = by_cost;
    ASSERT_EQ(differs(a, b, 300, 300, 3000), "") << by_cost;
  }
  detail::device_traits traits;
  traits.local_bytes = 48 << 10;
  traits.group_limit = 1024;
  const detail::mxm_config config(traits, {}, 8);
  EXPECT_EQ(config.tables_for(1 << 10), 2u);
  EXPECT_EQ(config.tables_for(std::uint64_t{1} << 32), config.tables.size());
  for (std::uint64_t columns = 1; columns < (std::uint64_t{1} << 32); columns *= 2)
    EXPECT_LE(config.tables_for(columns), config.tables_for(2 * columns)) << columns;
}

// docs/products.md states these numbers.
TEST_P(MxmRows, AProductTakesFewLaunches) {
  limits() = detail::mxm_limits{};
  const auto launches = [&](const entries& of, index_t size) {
    const matrix<double> a = of.in(where(), size, size);
    matrix<double> c(where(), size, size);
    const auto run = [&] { mxm(c, plus_times<double>{}, a, a); };
    run();  // compiles, and sends the operands
    const std::uint64_t before = where().traffic().launches;
    run();
    return where().traffic().launches - before;
  };
  entries band;
  for (index_t i = 0; i < 999; ++i) band.add(i, i, 1.0), band.add(i, i + 1, 2.0);
  EXPECT_EQ(launches(band, 1000), 16u);                             // short rows alone
  EXPECT_EQ(launches(scattered(1000, 1000, 2000, 61), 1000), 19u);  // a table and tiles beside them
  EXPECT_EQ(launches(scattered(1000, 1000, 60000, 62), 1000), 30u);  // bits and ranges
}

// Rows of A and of the result on either side of what a work-item computes, in all four
// combinations, next to each other; columns repeat.
TEST_P(MxmRows, AgreesAtTheLimitsOfShortRows) {
  for (const bool low : {false, true}) {
    limits() = low ? low_mxm_limits() : detail::mxm_limits{};
    const auto limit = static_cast<index_t>(limits().short_row);
    selected_rows m;
    for (int repeated = 0; repeated < 40; ++repeated)
      for (const index_t of_a : {index_t{1}, limit - 1, limit, limit + 1, 3 * limit})
        for (const index_t of_c : {index_t{1}, limit - 1, limit, limit + 1}) {
          // Every row of B has one or two columns less than the one before: sums of many products.
          std::vector<std::vector<index_t>> of_b;
          for (index_t k = 0; k < of_a; ++k)
            of_b.push_back(every(7, of_c - std::min(of_c - 1, k % 3), repeated));
          m.add(of_b);
        }
    ASSERT_EQ(differs(m.a, m.b, m.rows, m.inner, 400), "") << low;
    limits().short_value_bytes = 0;  // by tiles
    ASSERT_EQ(differs(m.a, m.b, m.rows, m.inner, 400), "") << low;
  }
}

// Rows of B that are long beside many short ones in the same row of A: all lanes of a team read
// them.
TEST_P(MxmRows, AgreesOnLongRowsOfBAmongShortOnes) {
  for (const bool low : {false, true}) {
    limits() = low ? low_mxm_limits() : detail::mxm_limits{};
    limits().tables_by_cost = false;
    selected_rows m;
    for (const index_t length : {15, 16, 17, 33, 60, 200, 300, 1000}) {
      std::vector<std::vector<index_t>> of_b;
      for (index_t k = 0; k < 40; ++k)
        of_b.push_back(k % 19 == 3 ? every(3, length, k) : every(50, 1, 11 * k));
      m.add(of_b);
    }
    for (index_t k = 0; k < 500; ++k) m.add({every(1, 1, k)});  // the mean row of B is short
    ASSERT_EQ(differs(m.a, m.b, m.rows, m.inner, 4000), "") << low;
  }
}

// A row of A that is longer than its team counts by itself.
TEST_P(MxmRows, CountsTheProductsOfLongRowsOfA) {
  limits() = detail::mxm_limits{};
  selected_rows m;
  m.add({every(1, 2)});
  for (const index_t length : {63, 64, 65, 700}) {
    std::vector<std::vector<index_t>> of_b;
    for (index_t k = 0; k < length; ++k) of_b.push_back(every(5, 1 + k % 2, k));
    m.add(of_b);
  }
  for (index_t k = 0; k < 300; ++k) m.add({every(1, 1, k)});  // teams of four
  const matrix<double> a = m.a.in(where(), m.rows, m.inner), b = m.b.in(where(), m.inner, 800);
  const semiring_description semiring = detail::describe_for_mxm(plus_times<double>{});
  const detail::mxm_explanation e =
      where().state()->executor->explain_mxm({semiring, a.base(), b.base()}, {});
  std::uint64_t products = 0;
  for (const auto& share : e.shares) products += share.part == "pattern" ? share.work : 0;
  EXPECT_EQ(products, m.b.row.size());
  EXPECT_EQ(differs(m.a, m.b, m.rows, m.inner, 800), "");
}

// --- kernels -------------------------------------------------------------------------------------

host_matrix product_by(const context& there, std::string_view kernel, const entries& a,
                       const entries& b, const entries* of_mask, bool transposed) {
  using semiring = plus_times<double>;
  const matrix<double> left = a.in(there, 90, 80),
                       right = transposed ? b.in(there, 300, 80) : b.in(there, 80, 300);
  matrix<double> c(there, 90, 300), mask(there, 90, 300);
  plan forced;
  forced.kernel = kernel;
  detail::output_options<detail::matrix_base> options;
  options.forced = &forced;
  if (of_mask != nullptr) {
    mask = of_mask->in(there, 90, 300);
    options.mask = {&mask.base(), true, false};
  }
  detail::mxm(c.base(), detail::describe_for_mxm(semiring{}), {.matrix = left.base()},
              {.matrix = right.base(), .transposed = transposed}, options);
  return read(c.base());
}

TEST_P(MxmRows, EveryKernelAgrees) {
  const entries a = scattered(90, 80, 1500, 71), mask = scattered(90, 300, 4000, 72);
  const auto kernels = where().state()->executor->mxm_kernels();
  ASSERT_EQ(kernels.size(), 5u);
  for (const bool low : {false, true})
    for (const bool transposed : {false, true}) {
      limits() = low ? low_mxm_limits() : detail::mxm_limits{};
      const entries b = transposed ? scattered(300, 80, 3000, 73) : scattered(80, 300, 3000, 73);
      for (const entries* of_mask : {(const entries*)nullptr, &mask}) {
        const host_matrix expected = product_by(host(), "", a, b, of_mask, transposed);
        for (const detail::kernel_info* kernel : kernels) {
          if (kernel->needs_mask && of_mask == nullptr) continue;
          ASSERT_EQ(
              difference(expected, product_by(where(), kernel->name, a, b, of_mask, transposed)),
              "")
              << kernel->name << ", low " << low << ", transposed " << transposed;
        }
      }
    }
}

// By the number of their launches, which differ.
TEST_P(MxmRows, ChecksThatKernelsRunThatAreNamed) {
  limits() = detail::mxm_limits{};
  const entries a = scattered(90, 80, 500, 77), b = scattered(80, 300, 600, 78);
  std::map<std::string, std::uint64_t> launches;
  for (const char* kernel : {"tables_tiles", "bits_tiles", "bits_ranges"})
    for (int n = 0; n < 2; ++n) {  // the first compiles
      const std::uint64_t before = where().traffic().launches;
      product_by(where(), kernel, a, b, nullptr, false);
      launches[kernel] = where().traffic().launches - before;
    }
  EXPECT_LT(launches["tables_tiles"], launches["bits_tiles"]);
  EXPECT_GT(launches["bits_ranges"], launches["bits_tiles"] + 6);
}

// The same product under a mask of few entries and of many.
TEST_P(MxmRows, InnerProductsAreChosenByTheirSteps) {
  limits() = detail::mxm_limits{};
  const semiring_description semiring = detail::describe_for_mxm(plus_times<double>{});
  for (const bool transposed : {false, true})
    for (const int count : {10, 60000}) {
      const matrix<double> a = scattered(200, 200, 4000, 74).in(where(), 200, 200),
                           b = scattered(200, 200, 4000, 75).in(where(), 200, 200),
                           mask = scattered(200, 200, count, 76).in(where(), 200, 200);
      detail::matrix_rule rule;
      rule.mask = &mask.base();
      rule.structural = true;
      const detail::mxm_explanation e = where().state()->executor->explain_mxm(
          {semiring, a.base(), b.base(), false, transposed}, rule);
      SCOPED_TRACE(std::to_string(count) + ", transposed " + std::to_string(transposed));
      // Without a transpose at hand, ten entries are not worth building one.
      const bool inner = count == 10 && transposed;
      EXPECT_EQ(e.kernel, inner ? "inner" : "rows");
      ASSERT_EQ(e.candidates.size(), 5u);
      EXPECT_TRUE(e.candidates.back().steps.has_value());
      EXPECT_EQ(e.candidates.front().steps.has_value(), !inner);
      // Ten entries, in rows and columns of 20 entries.
      if (count == 10) {
        const double transposing = transposed ? 0 : 16.0 * static_cast<double>(b.nvals() + 200);
        EXPECT_NEAR(*e.candidates.back().steps, transposing + 10 * 20 * 2, 10 * 20);
      }
      ASSERT_FALSE(e.shares.empty());
      EXPECT_EQ(e.shares.front().part, "values");
      std::uint64_t entries = 0;
      for (const auto& share : e.shares) entries += share.work;
      EXPECT_EQ(entries, static_cast<std::uint64_t>(mask.nvals()));
      if (e.candidates.front().steps) {
        // 20 entries of B for each of A, in at most 10 rows or in all.
        const double rows = count == 10 ? 10 : 200;
        EXPECT_NEAR(*e.candidates.front().steps -
                        (transposed ? 16.0 * static_cast<double>(b.nvals() + 200) : 0),
                    4.0 * rows * 20 * 20 + static_cast<double>(mask.nvals()), 4.0 * rows * 20 * 8);
      }
      matrix<double> built(where(), 200, 200);
      transpose(built, b);
    }
}

// One column is looked up among a hundred: 2 steps, and log2(100) more.
TEST_P(MxmRows, InnerProductsAreWeighedByTheShorterRow) {
  limits() = detail::mxm_limits{};
  selected_rows m;
  m.add({every(1, 100)});
  const matrix<double> one = m.a.in(where(), 1, 100), hundred = m.b.in(where(), 1, 100),
                       mask = m.a.in(where(), 1, 1);
  const semiring_description semiring = detail::describe_for_mxm(plus_times<double>{});
  detail::matrix_rule rule;
  rule.mask = &mask.base();
  rule.structural = true;
  for (const bool reversed : {false, true}) {
    const detail::matrix_product p{semiring, (reversed ? hundred : one).base(),
                                   (reversed ? one : hundred).base(), false, true};
    EXPECT_EQ(where().state()->executor->explain_mxm(p, rule).candidates.back().steps, 8.0);
  }
}

TEST_P(MxmRows, ExplainsWhichRowsGoWhere) {
  limits() = low_mxm_limits();
  selected_rows m;
  m.add({every(1, 2)});                 // 2 products: a list
  m.add({every(1, 3)});                 // 3: the first table, and values by a list
  m.add({every(1, 11)});                // the second
  m.add({every(1, 20), every(1, 5)});   // 25: the last table, 20 entries
  m.add({every(1, 80), every(1, 80)});  // bits, 80 entries: ranges
  const matrix<double> a = m.a.in(where(), m.rows, m.inner), b = m.b.in(where(), m.inner, 640);
  const semiring_description semiring = detail::describe_for_mxm(plus_times<double>{});
  const detail::mxm_explanation e =
      where().state()->executor->explain_mxm({semiring, a.base(), b.base()}, {});
  std::string text;
  for (const auto& share : e.shares)
    text += share.part + " " + share.method + " " + std::to_string(share.rows) + " " +
            std::to_string(share.work) + "; ";
  EXPECT_EQ(text,
            "pattern lists 1 2; pattern table of 4 1 3; pattern table of 16 1 11; "
            "pattern table of 128 1 25; pattern bits 1 160; values lists 2 5; values tiles 2 31; "
            "values ranges 1 80; ");
}

INSTANTIATE_TEST_SUITE_P(Devices, MxmRows, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mxm_rows_test
}  // namespace tropic::testing
