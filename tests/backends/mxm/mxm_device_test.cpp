// SPDX-License-Identifier: Apache-2.0

// Products of sparse matrices by devices: that they run there, at every limit of how rows and tiles
// are divided, the same bits in every run, and within the memory limit. mxm_test.cpp compares
// results with the reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

#include "backends/mxm/mxm_on_device.hpp"
#include "backends/operators.hpp"
#include "support/graphs.hpp"

namespace tropic::testing {
namespace mxm_device_test {
namespace {

using detail::matrix_base;

bool only_on_device(const detail::buffer_pointer& b) {
  return b->bytes() == 0 || (b->device_valid() && !b->host_valid());
}

TEST_P(MxmOnDevice, ResultsAreBornThere) {
  const matrix<double> a = scattered(200, 200, 3000, 1).in(where(), 200, 200),
                       mask = scattered(200, 200, 6000, 2).in(where(), 200, 200);
  using semiring = plus_times<double>;
  for (const bool transposed : {false, true})
    for (int kind = 0; kind < 5; ++kind) {
      SCOPED_TRACE("mask " + std::to_string(kind));
      matrix<double> c = scattered(200, 200, 500, 3).in(where(), 200, 200);
      const auto run = [&](const auto& options) {
        if (transposed)
          mxm(c, semiring{}, transpose(a), transpose(a), options);
        else
          mxm(c, semiring{}, a, a, options);
      };
      const auto run_all = [&] {
        if (kind == 0) return run(matrix_options<double>{});
        if (kind == 1) return run(matrix_options<double>{.mask = structure(mask)});
        if (kind == 2) return run(matrix_options<double>{.mask = mask, .replace = true});
        if (kind == 3) return run(matrix_options<double>{.mask = complement(structure(mask))});
        run(matrix_options<double>{.accumulate = plus{}});
      };
      run_all();  // compiles, and sends the operands
      EXPECT_TRUE(only_on_device(c.base().offsets));
      EXPECT_TRUE(only_on_device(c.base().column_indices));
      EXPECT_TRUE(only_on_device(c.base().values));
      const device_traffic before = where().traffic();
      run_all();
      const device_traffic after = where().traffic();
      EXPECT_GT(after.launches, before.launches + 2);
      EXPECT_EQ(after.to_device, before.to_device);
      EXPECT_LT(after.to_host, before.to_host + 200);
    }
  const device_traffic before = where().traffic();
  reduce_mxm(plus_monoid<double>{}, semiring{}, a, a, structure(mask));
  const device_traffic after = where().traffic();
  EXPECT_GT(after.launches, before.launches + 2);
  EXPECT_EQ(after.to_device, before.to_device);
  EXPECT_LT(after.to_host, before.to_host + 200);
}

// Rows of as many products as the classes hold, one less and one more, in matrices of as many
// columns as a group has bits, one less and one more, and of several times as many.
TEST_P(MxmOnDevice, AgreesAtEveryLimitOfRows) {
  for (const bool low : {false, true}) {
    limits() = low ? low_mxm_limits() : detail::mxm_limits{};
    limits().tables_by_cost = false;
    std::vector<index_t> products{0, 1, 2000};
    const auto add_around = [&](index_t limit) {
      for (const index_t n : {limit - 1, limit, limit + 1}) products.push_back(n);
    };
    for (const auto& table : limits().tables) {
      add_around(table.products);
      add_around(table.slots);
    }
    add_around(limits().list_products);
    add_around(limits().short_row);
    add_around(256);  // columns that are ranked
    add_around(limits().tile);
    add_around(limits().tile / 2);
    const index_t range = 32 * index_t{limits().bit_words};
    for (const index_t columns : {range - 1, range, range + 1, 3 * range + 77}) {
      SCOPED_TRACE(std::to_string(columns) + " columns");
      // Row i is the sum of three rows of B: two of half of the products each, and one of none.
      entries a, b;
      dice random(static_cast<std::uint64_t>(columns));
      const auto rows = static_cast<index_t>(products.size());
      for (index_t i = 0; i < rows; ++i) {
        const index_t count = products[static_cast<std::size_t>(i)];
        for (index_t k = 3 * i; k < 3 * i + 3; ++k) a.add(i, k, 1 + random.roll(100) / 3.0);
        for (index_t n = 0; n < count; ++n) {
          // Distinct in each half, some of them in both; the last column among them.
          const index_t at = n / 2 * (columns / (count / 2 + 1)) + (n % 3 == 0 ? 0 : n % 2);
          b.add(3 * i + n % 2, n + 1 == count ? columns - 1 : at, 1 + random.roll(100) / 3.0);
        }
      }
      ASSERT_EQ(differs(a, b, rows, 3 * rows, columns), "");
    }
  }
}

TEST_P(MxmOnDevice, AgreesOnADenseRowTimesADenseColumn) {
  for (const index_t size : {index_t{700}, index_t{30000}}) {
    entries row, column;
    for (index_t k = 0; k < size; ++k) {
      row.add(0, k, 1.0 / static_cast<double>(k + 1));
      column.add(k, 0, 1.0 / static_cast<double>(k + 3));
    }
    EXPECT_EQ(differs(row, column, 1, size, 1), "");
    if (size < 1000) {
      EXPECT_EQ(differs(column, row, size, 1, size), "");
    }
  }
}

// Few entries of a mask in many rows, whose tiles are short; a row of a mask that is longer than
// any tile; rows of it that meet no product.
TEST_P(MxmOnDevice, AgreesUnderMasksOfAllDensities) {
  const entries a = scattered(3000, 400, 40000, 4), b = scattered(400, 3000, 9000, 5);
  for (const int count : {3, 40, 5000, 200000}) {
    SCOPED_TRACE(count);
    entries mask = scattered(3000, 3000, count, 6);
    for (index_t j = 0; j < 3000; ++j) mask.add(7, j, 1);
    const auto masked = [&](const context& there) {
      matrix<double> c(there, 3000, 3000);
      mxm(c, plus_times<double>{}, a.in(there, 3000, 400), b.in(there, 400, 3000),
          {.mask = structure(mask.in(there, 3000, 3000))});
      return read(c.base());
    };
    ASSERT_EQ(difference(masked(host()), masked(where())), "");
  }
}

// None, valued, structural and the complements of both, with accumulator, replace and transposes.
TEST_P(MxmOnDevice, MasksOfEveryKindAgree) {
  const entries of_a = scattered(40, 40, 250, 11), of_b = scattered(40, 40, 300, 12),
                of_c = scattered(40, 40, 200, 13);
  entries of_mask = scattered(40, 40, 400, 14);
  for (std::size_t n = 0; n < of_mask.value.size(); n += 3) of_mask.value[n] = 0;
  for (int kind = 0; kind < 40; ++kind)
    for (int transposes = 0; transposes < 4; ++transposes) {
      const auto run = [&](const context& there, double* sum) {
        const matrix<double> a = of_a.in(there, 40, 40), b = of_b.in(there, 40, 40),
                             m = of_mask.in(there, 40, 40);
        matrix<double> c = of_c.in(there, 40, 40);
        matrix_options<double> options;
        if (kind % 5 == 1) options.mask = m;
        if (kind % 5 == 2) options.mask = structure(m);
        if (kind % 5 == 3) options.mask = complement(m);
        if (kind % 5 == 4) options.mask = complement(structure(m));
        if (kind / 5 % 2 == 1) options.accumulate = minimum{};
        options.replace = kind / 10 % 2 == 1;
        if (kind >= 20) c.clear();
        const auto with = [&](const auto& left, const auto& right) {
          // Of integers, whose sums have no order.
          *sum = reduce_mxm(plus_monoid<double>{}, plus_pair<double, double>{}, left, right,
                            options.mask);
          mxm(c, plus_times<double>{}, left, right, options);
        };
        if (transposes == 0) with(a, b);
        if (transposes == 1) with(transpose(a), b);
        if (transposes == 2) with(a, transpose(b));
        if (transposes == 3) with(transpose(a), transpose(b));
        return read(c.base());
      };
      double expected = 0, found = 0;
      SCOPED_TRACE("kind " + std::to_string(kind) + ", transposes " + std::to_string(transposes));
      ASSERT_EQ(difference(run(host(), &expected), run(where(), &found)), "");
      EXPECT_EQ(expected, found);
    }
}

TEST_P(MxmOnDevice, EveryRunGivesTheSameBits) {
  const matrix<float> a =
      make_matrix<float>(where(), kron(8, 8, 3, {.weighted = true, .type = type_code::fp32}));
  const auto run = [&] {
    matrix<float> c(where(), a.rows(), a.rows());
    mxm(c, plus_times<float>{}, a, a);
    return read(c.base());
  };
  const host_matrix first = run();
  for (int n = 0; n < 10; ++n) ASSERT_EQ(difference(first, run()), "") << "run " << n;
}

// A column of 1000 entries times a row of 1000 entries: 12 MB.
struct outer_product {
  explicit outer_product(const context& where) : c(where, 1000, 1000) {
    entries of_column, of_row;
    for (index_t n = 0; n < 1000; ++n) {
      of_column.add(n, 0, 2);
      of_row.add(0, n, 3);
    }
    column = of_column.in(where, 1000, 1);
    row = of_row.in(where, 1, 1000);
    c.set(3, 4, 5.0);
    c.nvals();
  }
  void multiply() { mxm(c, plus_times<double>{}, column, row); }

  matrix<double> c;
  matrix<double> column{c}, row{c};
};

class MxmOnSmallDevice : public OnContext {
 protected:
  context_options options() override { return {.memory_limit = 8 << 20}; }
};

TEST_P(MxmOnSmallDevice, ProductsThatDoNotFitAreRefusedAndTheOutputIsUnchanged) {
  outer_product p(where());
  const std::size_t used = where().memory_used();
  try {
    p.multiply();
    FAIL() << "12 MB within a limit of 8 MB";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 31), "mxm: memory limit: 12000000 byt") << e.what();
    EXPECT_EQ(e.required, 12000000u);
  }
  EXPECT_LE(where().memory_used(), used + (1 << 20));  // the operands are on the device now
  EXPECT_EQ(p.c.nvals(), 1);
  EXPECT_EQ(p.c.get(3, 4), 5.0);
}

// Whichever allocation fails, nothing is lost and nothing changes.
TEST_P(MxmOnDevice, AFailedAllocationHarmsNothing) {
  const matrix<double> a = scattered(60, 60, 900, 8).in(where(), 60, 60),
                       mask = scattered(60, 60, 500, 9).in(where(), 60, 60);
  const matrix<double> before = scattered(60, 60, 50, 10).in(where(), 60, 60);
  for (const bool complemented : {false, true}) {
    const auto run = [&](matrix<double>& c) {
      if (complemented)
        mxm(c, plus_times<double>{}, a, a, {.mask = complement(mask)});
      else
        mxm(c, plus_times<double>{}, a, a, {.mask = mask});
    };
    matrix<double> expected = before;
    run(expected);
    const host_matrix unchanged = read(before.base()), right = read(expected.base());
    const std::size_t used = where().memory_used();
    bool succeeded = false;
    int failures = 0;
    for (long n = 0; n < 500 && !succeeded; ++n) {
      {
        matrix<double> c = before;
        where().state()->account.fail_after(n);
        try {
          run(c);
          succeeded = true;
        } catch (const out_of_memory&) {
          ++failures;
        }
        where().state()->account.fail_after(-1);
        ASSERT_EQ(difference(succeeded ? right : unchanged, read(c.base())), "")
            << "allocation " << n;
      }
      ASSERT_EQ(where().memory_used(), used) << "allocation " << n;
    }
    EXPECT_TRUE(succeeded);
    EXPECT_GT(failures, 10);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, MxmOnDevice, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Devices, MxmOnSmallDevice, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mxm_device_test
}  // namespace tropic::testing
