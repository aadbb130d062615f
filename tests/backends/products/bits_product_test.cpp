// SPDX-License-Identifier: Apache-2.0

// Products by csr_bits: rows of many pieces, bits in local memory and beyond, distances over more
// columns than 16 bits hold, rows that end early, gaps, values beside columns, what another kernel
// runs instead, and when the kernel is chosen.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/device/backend.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/products/low_hub_limits.hpp"
#include "backends/products/skewed_matrix.hpp"
#include "support/cases.hpp"
#include "support/on_contexts.hpp"

TROPIC_BINARY_OPERATOR(test_agrees, (x > 0) == y);

namespace tropic::testing {
namespace {

// Whether the number of entries where u is true is odd.
using parity = xor_and<bool>;
// A weight where u is true.
using sum_where = semiring<plus_monoid<std::int64_t>, times, std::int64_t, bool>;
// Products with false change sums, too: one for each entry whose sign is what u says.
using agreements = semiring<plus_monoid<std::int64_t>, test_agrees, std::int64_t, bool>;
// A row ends at a product with false.
using all_true = semiring<and_monoid<bool>, second>;

class BitsProduct : public OnContext {
 protected:
  // The positions and values of the entries of w.
  template <class T>
  static std::vector<std::pair<index_t, T>> entries_of(const vector<T>& w) {
    std::vector<std::pair<index_t, T>> all;
    for (index_t k = 0; k < w.size(); ++k)
      if (const auto value = w.get(k)) all.emplace_back(k, *value);
    return all;
  }
  template <class S, class A, class X>
  auto product(const S& semiring, const matrix<A>& a, const vector<X>& u,
               const std::string& kernel) const {
    vector<typename S::z_type> w(where(), a.rows());
    const plan forced{.kernel = kernel};
    mxv(w, semiring, a, u, {.plan = &forced});
    return entries_of(w);
  }
  template <class S, class A, class X>
  void expect_as_rows(const S& semiring, const matrix<A>& a, const vector<X>& u,
                      const std::string& kernel, const char* what) const {
    EXPECT_EQ(product(semiring, a, u, kernel), product(semiring, a, u, "csr_vector"))
        << kernel << ", " << what;
  }

  template <class T>
  matrix<T> pattern_of(const matrix<std::int64_t>& a, T value) const {
    const auto entries = a.to_coo<std::uint32_t, std::uint32_t>();
    return matrix<T>::from_pattern(where(), a.rows(), a.columns(), entries.rows, entries.columns,
                                   value);
  }

  // Every third value, none and all of them true; and one entry of three, half of them true.
  std::vector<vector<bool>> inputs(index_t n) const {
    std::vector<vector<bool>> all;
    for (const bool value : {false, false, true}) all.emplace_back(where(), n, value);
    all.emplace_back(where(), n);
    for (index_t k = 0; k < n; k += 3) {
      all[0].set(k, true);
      all[3].set(k, k % 2 == 0);
    }
    return all;
  }

  // Two rows with an entry at every step of so many columns, from the first and from another one
  // on.
  matrix<std::int64_t> wide(std::uint32_t columns, std::vector<std::uint32_t> steps) const {
    std::vector<std::uint32_t> rows, at;
    std::uint32_t row = 0;
    for (const std::uint32_t step : steps)
      for (const std::uint32_t first : {0U, std::min(step - 1, columns - 1)}) {
        for (std::uint32_t k = first; k < columns; k += step) {
          rows.push_back(row);
          at.push_back(k);
        }
        row += 2;
      }
    return matrix<std::int64_t>::from_pattern(where(), row, columns, rows, at, 1);
  }
};

// 256 bits in local memory, or half as many where two are needed, so that columns are in their
// order by frequency; and all of them, as they are.
constexpr const char* all_bits[] = {"csr_bits:bits=256", "csr_bits:bits=1024", "csr_bits"};

TEST_P(BitsProduct, RowsOfManyPiecesHaveTheirSums) {
  const auto weights = skewed_matrix(where(), 300, 6000);
  const auto pattern = pattern_of(weights, true);
  const auto threes = pattern_of(weights, std::int64_t{3});
  matrix<bool> values(where(), 300, 6000);
  apply(values, bind_second(greater{}, std::int64_t{-33}), weights);
  for (const vector<bool>& u : inputs(6000))
    for (const char* kernel : all_bits) {
      expect_as_rows(parity{}, pattern, u, kernel, "parity over a pattern");
      expect_as_rows(parity{}, values, u, kernel, "parity");
      expect_as_rows(or_and<bool>{}, pattern, u, kernel, "or_and over a pattern");
      expect_as_rows(or_and<bool>{}, values, u, kernel, "or_and");
      expect_as_rows(all_true{}, pattern, u, kernel, "and_second over a pattern");
      expect_as_rows(all_true{}, values, u, kernel, "and_second");
      expect_as_rows(any_pair<bool>{}, pattern, u, kernel, "any_pair");
      expect_as_rows(sum_where{}, threes, u, kernel, "sum over a pattern");
      expect_as_rows(sum_where{}, weights, u, kernel, "sum");
      expect_as_rows(agreements{}, threes, u, kernel, "agreements over a pattern");
      expect_as_rows(agreements{}, weights, u, kernel, "agreements");
    }
}

// Products that do not read u's values need to know where it has entries.
TEST_P(BitsProduct, GapsOfOtherTypesAreBits) {
  const auto weights = skewed_matrix(where(), 300, 6000);
  const auto pattern = pattern_of(weights, std::int64_t{1});
  vector<std::int64_t> full(where(), 6000, 2), sparse(where(), 6000);
  for (index_t k = 0; k < 6000; k += 7) sparse.set(k, k);
  for (const vector<std::int64_t>* u : {&full, &sparse})
    for (const char* kernel : all_bits) {
      expect_as_rows(plus_pair<std::int64_t>{}, pattern, *u, kernel, "plus_pair");
      expect_as_rows(plus_first<std::int64_t>{}, weights, *u, kernel, "plus_first");
      expect_as_rows(any_pair<std::int64_t>{}, pattern, *u, kernel, "any_pair");
    }
}

// Distances of one column to many periods of the bits that are always 0, which a segment passes,
// ends before, and ends behind; columns end before such a bit, at it and behind it.
TEST_P(BitsProduct, DistancesAreAsLongAsTheMatrixIsWide) {
  constexpr std::uint32_t period = detail::columns_between_zeros;
  for (const std::uint32_t columns : {period - 1, period, period + 1, 2 * period, 3 * period + 2}) {
    const auto a = wide(columns, {7, 1000, period - 1, period, period + 1, period + 2, 2 * period,
                                  2 * period + 1, columns - 1, columns});
    const auto pattern = pattern_of(a, true);
    vector<bool> none(where(), columns, false), marked(where(), columns, false);
    for (std::uint32_t k = 0; k < columns; k += 21) marked.set(k, true);
    for (const std::uint32_t k : {period - 1, period, 2 * period - 1, 2 * period, columns - 1})
      if (k < columns) marked.set(k, true);
    for (const vector<bool>* u : {&none, &marked})
      for (const char* kernel : {"csr_bits", "csr_bits:bits=65536", "csr_bits:bits=256"})
        expect_as_rows(parity{}, pattern, *u, kernel, std::to_string(columns).c_str());
  }
}

// Entries so far apart that columns take fewer steps than distances, and more than one. All columns
// have two or three entries, so that their order by frequency is their own.
TEST_P(BitsProduct, ColumnsTakeFewerStepsThanLongDistances) {
  constexpr std::uint32_t columns = 20 * detail::columns_between_zeros,
                          step = 3 * detail::columns_between_zeros;
  std::vector<std::uint32_t> rows, at;
  for (std::uint32_t row = 0; row < 3; ++row)
    for (std::uint32_t k = 0; k < columns; k += row < 2 ? 1 : step) {
      rows.push_back(row);
      at.push_back(k);
    }
  const auto a = matrix<std::int64_t>::from_pattern(where(), 3, columns, rows, at, std::int64_t{3});
  const vector<bool> all(where(), columns, true);
  for (const char* kernel : {"csr_bits", "csr_bits:bits=256"})
    expect_as_rows(sum_where{}, a, all, kernel, "columns");
}

// Where columns are numbered by frequency, the places of a row's entries ascend, so that distances
// between them, of two bytes, are short.
TEST_P(BitsProduct, PlacesByFrequencyAscendInRows) {
  constexpr std::uint32_t columns = 6000;
  std::vector<std::uint32_t> rows, at;
  dice random(1);
  for (std::uint32_t row = 0; row < 60; ++row)
    for (std::uint32_t k = 0; k < columns; ++k)
      if (static_cast<std::uint32_t>(random.roll(columns)) > k) {
        rows.push_back(row);
        at.push_back(k);
      }
  const auto a = matrix<bool>::from_pattern(where(), 60, columns, rows, at, true);
  expect_as_rows(parity{}, a, inputs(columns)[0], "csr_bits:bits=256", "half full rows");
  const auto facts = where().state()->executor->format_of(a.base(), "csr_bits:bits=256");
  EXPECT_LT(facts.format_bytes, 3 * at.size());
}

// More slices than subgroups take at the beginning, in several blocks of pieces.
TEST_P(BitsProduct, EverySliceIsSummed) {
  const auto a = pattern_of(skewed_matrix(where(), 40000, 3000), std::int64_t{1});
  for (const vector<bool>& u : inputs(3000))
    for (const char* kernel : all_bits) expect_as_rows(sum_where{}, a, u, kernel, "slices");
}

// Pieces of 256 entries, of which steps have up to 8, and rows of as many pieces as one work-item
// adds and more.
TEST_P(BitsProduct, RowsOfEveryLength) {
  std::vector<std::uint32_t> rows, columns, lengths(40);
  std::iota(lengths.begin(), lengths.end(), 0U);
  for (const std::uint32_t length :
       {255U, 256U, 257U, 511U, 512U, 513U, 16U * 256, 16U * 256 + 1, 9000U})
    lengths.push_back(length);
  for (std::uint32_t row = 0; row < lengths.size(); ++row)
    for (std::uint32_t k = 0; k < lengths[row]; ++k) {
      rows.push_back(row);
      columns.push_back(k + row % 5);
    }
  const auto a =
      matrix<bool>::from_pattern(where(), std::ssize(lengths), 9005, rows, columns, true);
  for (const vector<bool>& u : inputs(9005))
    for (const char* kernel : all_bits) expect_as_rows(parity{}, a, u, kernel, "lengths");
}

TEST_P(BitsProduct, FollowsTheRule) {
  const auto a = pattern_of(skewed_matrix(where(), 300, 6000), true);
  const auto u = inputs(6000)[0];
  vector<bool> mask(where(), 300);
  for (index_t row = 0; row < 300; row += 2) mask.set(row, row % 3 != 0);
  std::vector<std::vector<std::pair<index_t, bool>>> found;
  for (const char* kernel : {"csr_vector", "csr_bits:bits=256", "csr_bits"}) {
    const plan forced{.kernel = kernel};
    for (const bool opposite : {false, true}) {
      vector<bool> w(where(), 300), sums(where(), 300, true);
      for (index_t row = 0; row < 300; row += 5) w.set(row, true);
      mxv(w, parity{}, a, u,
          {.mask = opposite ? complement(mask) : vector_mask(mask), .plan = &forced});
      mxv(sums, parity{}, a, u, {.accumulate = logical_xor{}, .plan = &forced});
      found.push_back(entries_of(w));
      found.push_back(entries_of(sums));
    }
  }
  for (std::size_t n = 4; n < found.size(); ++n) EXPECT_EQ(found[n], found[n % 4]) << n;
}

TEST_P(BitsProduct, SlicesFollowTheMatrix) {
  auto a = pattern_of(skewed_matrix(where(), 200, 500), std::int64_t{2});
  const vector<bool> u(where(), 500, true);
  const auto before = product(sum_where{}, a, u, "csr_bits");
  apply(a, bind_first(times{}, std::int64_t{3}), a);
  const auto after = product(sum_where{}, a, u, "csr_bits");
  EXPECT_NE(before, after);
  EXPECT_EQ(after, product(sum_where{}, a, u, "csr_vector"));
  const auto facts = where().state()->executor->format_of(a.base(), "csr_bits");
  EXPECT_GT(facts.conversion_seconds, 0);
  EXPECT_GT(facts.format_bytes, 0U);
}

// What bits cannot say, or what is the first in the order of the matrix.
TEST_P(BitsProduct, OtherProductsRunByAnotherKernel) {
  std::string log;
  context_options options;
  options.log = [&](std::string_view line) { log.append(line).append("\n"); };
  const context on = *make_context(context_name(), options).where;
  const std::vector<std::uint32_t> rows{0, 0, 1}, columns{0, 2, 1};
  const auto a = matrix<std::int64_t>::from_pattern(on, 2, 3, rows, columns, 4);
  const auto b = matrix<bool>::from_pattern(on, 2, 3, rows, columns, true);
  const vector<std::int64_t> u(on, 3, 5);
  const plan forced{.kernel = "csr_bits"};
  vector<std::int64_t> w(on, 2);
  mxv(w, plus_times<std::int64_t>{}, a, u, {.plan = &forced});
  EXPECT_EQ(w.dense(0), (std::vector<std::int64_t>{40, 20}));
  EXPECT_NE(
      log.find("csr_bits: values of u that are read are no booleans; csr_vector runs instead"),
      std::string::npos)
      << log;
  log.clear();
  mxv(w, min_secondi<std::int64_t, std::int64_t>{}, a, u, {.plan = &forced});
  EXPECT_EQ(w.dense(-1), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(log, "");  // positions are no matter of types
  vector<bool> flags(on, 3, false), first(on, 2);
  flags.set(2, true);
  mxv(first, any_second<bool>{}, b, flags, {.plan = &forced});
  EXPECT_EQ(entries_of(first), (std::vector<std::pair<index_t, bool>>{{0, false}, {1, false}}));
}

// Where there is no memory for the format, or for its sums beside it, segmented sums run instead.
TEST_P(BitsProduct, NeedsNoMoreMemoryThanSegmentedSums) {
  const auto entries = skewed_matrix(where(), 3000, 4000).to_coo<std::uint32_t, std::uint32_t>();
  int replaced = 0, ran = 0;
  for (std::size_t limit = 96 << 10; limit <= std::size_t{2} << 20; limit += limit / 8) {
    std::string log;
    context_options options;
    options.memory_limit = limit;
    options.log = [&](std::string_view line) { log.append(line).append("\n"); };
    const context on = *make_context(context_name(), options).where;
    const plan segmented{.kernel = "csr_segmented"}, bits{.kernel = "csr_bits:bits=256"};
    std::vector<std::pair<index_t, bool>> expected;
    try {
      const auto a =
          matrix<bool>::from_pattern(on, 3000, 4000, entries.rows, entries.columns, true);
      vector<bool> u(on, 4000, false), w(on, 3000), again(on, 3000);
      u.set(7, true);
      try {
        for (vector<bool>* to : {&w, &again}) {
          mxv(*to, parity{}, a, u, {.plan = &segmented});
          expected = entries_of(*to);
        }
      } catch (const out_of_memory&) {
        expected.clear();
        continue;
      }
      for (int call = 0; call < 2; ++call) {
        mxv(again, parity{}, a, u, {.plan = &bits});
        EXPECT_EQ(entries_of(again), expected) << limit << " bytes";
      }
    } catch (const out_of_memory& e) {
      EXPECT_TRUE(expected.empty()) << limit << " bytes: " << e.what();
      continue;
    }
    (log.find("runs instead") != std::string::npos ? replaced : ran) += 1;
  }
  EXPECT_GT(replaced, 0);
  EXPECT_GT(ran, 0);
}

// --- the choice ----------------------------------------------------------------------------------

class BitsFound : public LowHubLimits<BitsProduct> {};

TEST_P(BitsFound, AfterSomePullsOfAPattern) {
  const auto a = pattern_of(skewed_matrix(where(), 300, 6000), true);
  const vector<bool> u(where(), 6000, true);
  for (int n = 0; n < 4; ++n) product(parity{}, a, u, "csr_vector");
  const detail::call_features f = features(parity{}, a, u);
  EXPECT_TRUE(f.takes_bits);
  EXPECT_EQ(f.pulls, 4);
  EXPECT_EQ(f.hub_share, 1);
  EXPECT_FALSE(f.has_hubs);
  product(parity{}, a, u, "csr_bits");
  EXPECT_TRUE(features(parity{}, a, u).has_hubs);
  EXPECT_FALSE(features(or_and<bool>{}, a, u).takes_bits);  // rows end early
}

TEST_P(BitsFound, NotWithValuesNorInAllOfU) {
  const auto weights = skewed_matrix(where(), 300, 6000);
  const auto ones = pattern_of(weights, std::int64_t{1});
  const vector<bool> flags(where(), 6000, true);
  EXPECT_FALSE(features(sum_where{}, weights, flags).takes_bits);
  EXPECT_TRUE(features(sum_where{}, ones, flags).takes_bits);
  vector<std::int64_t> full(where(), 6000, 2), sparse(where(), 6000);
  sparse.set(3, 4);
  EXPECT_FALSE(features(plus_pair<std::int64_t>{}, ones, full).takes_bits);
  EXPECT_TRUE(features(plus_pair<std::int64_t>{}, ones, sparse).takes_bits);
  EXPECT_FALSE(features(plus_second<std::int64_t>{}, ones, sparse).takes_bits);
}

INSTANTIATE_TEST_SUITE_P(Contexts, BitsFound, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

INSTANTIATE_TEST_SUITE_P(Contexts, BitsProduct, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

TEST(BitsChoice, IsForPatternsThatArePulledOften) {
  const auto cost_of = [](std::string_view name, const detail::call_features& f, index_t calls) {
    for (const detail::device_kernel* kernel : detail::device_kernels())
      if (kernel->info.name == name) return kernel->info.quick_cost(f, calls);
    throw usage_error("no such kernel");
  };
  detail::call_features f;
  f.on_device = true;
  f.output_size = f.input_size = f.input_nvals = 1 << 22;
  f.nnz = 1 << 27;
  f.pulls = 200;
  f.hub_share = 1;
  f.takes_bits = true;
  f.hubs_order_all = true;
  EXPECT_LT(cost_of("csr_bits", f, 1), cost_of("csr_segmented", f, 1));
  EXPECT_TRUE(std::isinf(cost_of("csr_hubs", f, 1)));
  f.pulls = 4;
  EXPECT_GT(cost_of("csr_bits", f, 1), cost_of("csr_segmented", f, 1));
  f.has_hubs = true;
  EXPECT_LT(cost_of("csr_bits", f, 1), cost_of("csr_segmented", f, 1));
  f.exits_early = true;
  EXPECT_TRUE(std::isinf(cost_of("csr_bits", f, 1)));
  f.exits_early = f.takes_bits = false;
  EXPECT_TRUE(std::isinf(cost_of("csr_bits", f, 1)));
  f.takes_bits = true;
  f.hub_share = 0;  // no memory
  EXPECT_TRUE(std::isinf(cost_of("csr_bits", f, 1)));
}

}  // namespace
}  // namespace tropic::testing
