// SPDX-License-Identifier: Apache-2.0

// Products by csr_hubs: rows of many pieces, columns in parts and in none, formats that follow
// their matrix, what another kernel runs instead, and when the kernel is chosen.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/device/backend.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/products/low_hub_limits.hpp"
#include "backends/products/skewed_matrix.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class HubsProduct : public OnContext {
 protected:
  matrix<std::int64_t> skewed(index_t rows, std::uint32_t columns) const {
    return skewed_matrix(where(), rows, columns);
  }

  template <class S>
  std::vector<std::int64_t> product(const S& semiring, const matrix<std::int64_t>& a,
                                    const vector<std::int64_t>& u, const char* kernel) const {
    vector<std::int64_t> w(where(), a.rows());
    const plan forced{.kernel = kernel};
    mxv(w, semiring, a, u, {.plan = &forced});
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min() + 1;
    return w.dense(none);
  }
};

// Of 6,000 columns the fullest 192, or 96, are in parts: most rows have entries in all of them and
// in none, and long rows have more segments than one work-item sums.
TEST_P(HubsProduct, RowsOfManyPiecesHaveTheirSums) {
  const auto a = skewed(300, 6000);
  vector<std::int64_t> full(where(), 6000, 0), sparse(where(), 6000);
  for (index_t k = 0; k < 6000; ++k) full.set(k, k % 89 - 40);
  for (index_t k = 0; k < 6000; k += 3) sparse.set(k, k % 71);
  for (const vector<std::int64_t>* u : {&full, &sparse})
    for (const char* kernel : {"csr_hubs:hubs=64,parts=3", "csr_hubs:hubs=96,parts=1",
                               "csr_hubs:hubs=64,parts=3,order=all", "csr_hubs"}) {
      EXPECT_EQ(product(plus_times<std::int64_t>{}, a, *u, kernel),
                product(plus_times<std::int64_t>{}, a, *u, "csr_vector"))
          << kernel;
      EXPECT_EQ(product(min_plus<std::int64_t>{}, a, *u, kernel),
                product(min_plus<std::int64_t>{}, a, *u, "csr_vector"))
          << kernel;
    }
}

// Short segments are sorted in blocks of 2^14 pieces, here three of them. Most rows are one
// segment, some have none, and with least=1 more of them have several.
TEST_P(HubsProduct, ShortSegmentsInSeveralBlocks) {
  const auto a = skewed(40000, 3000);
  vector<std::int64_t> full(where(), 3000, 7), sparse(where(), 3000);
  for (index_t k = 0; k < 3000; k += 2) sparse.set(k, k % 61 - 9);
  for (const vector<std::int64_t>* u : {&full, &sparse}) {
    const auto expected = product(plus_times<std::int64_t>{}, a, *u, "csr_vector");
    for (const char* kernel :
         {"csr_hubs:hubs=64,parts=2", "csr_hubs:hubs=64,parts=2,least=1",
          "csr_hubs:hubs=64,parts=2,least=512", "csr_hubs:hubs=64,parts=2,least=1,order=all"})
      EXPECT_EQ(product(plus_times<std::int64_t>{}, a, *u, kernel), expected) << kernel;
  }
}

// Rows that are one segment are stored by another launch than others: with a mask, too, and where w
// has entries already.
TEST_P(HubsProduct, RowsOfOneSegmentFollowTheRule) {
  const auto a = skewed(300, 6000);
  const vector<std::int64_t> u(where(), 6000, 3);
  vector<bool> mask(where(), 300);
  for (index_t row = 0; row < 300; row += 2) mask.set(row, row % 3 != 0);
  std::vector<std::vector<std::int64_t>> found;
  for (const char* kernel : {"csr_vector", "csr_hubs:hubs=64,parts=3"}) {
    const plan forced{.kernel = kernel};
    for (const bool opposite : {false, true}) {
      vector<std::int64_t> w(where(), 300), sums(where(), 300, 5);
      for (index_t row = 0; row < 300; row += 5) w.set(row, row);
      mxv(w, plus_times<std::int64_t>{}, a, u,
          {.mask = opposite ? complement(mask) : vector_mask(mask), .plan = &forced});
      mxv(sums, plus_times<std::int64_t>{}, a, u, {.accumulate = plus{}, .plan = &forced});
      found.push_back(w.dense(-1));
      found.push_back(sums.dense(-1));
    }
  }
  for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(found[n], found[n + 4]) << n;
}

// Two runs add in the same order: equal bits.
TEST_P(HubsProduct, SumsAreTheSameInEveryRun) {
  const auto whole = skewed(300, 3000);
  matrix<double> a(where(), 300, 3000);
  apply(a, bind_first(times{}, 0.1), whole);
  vector<double> u(where(), 3000, 0.0);
  for (index_t k = 0; k < 3000; ++k) u.set(k, 1.0 / static_cast<double>(k + 3));
  const plan forced{.kernel = "csr_hubs:hubs=64,parts=2"};
  std::vector<std::vector<double>> found;
  for (int run = 0; run < 3; ++run) {
    vector<double> w(where(), 300);
    mxv(w, plus_times<double>{}, a, u, {.plan = &forced});
    found.push_back(w.dense(-1));
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

// Entries of a piece that are in no part are added in the order of the matrix, whether the others'
// columns are ordered or not: with fewer columns than the parts have room for, too.
TEST_P(HubsProduct, AllColumnsInOrderGiveTheSameBits) {
  const auto whole = skewed(300, 3000);
  matrix<double> a(where(), 300, 3000), same(where(), 300, 3000);
  apply(a, bind_first(times{}, 0.1), whole);
  apply(same, bind_first(second{}, 0.1), whole);
  vector<double> full(where(), 3000, 0.0), sparse(where(), 3000);
  for (index_t k = 0; k < 3000; ++k) full.set(k, 1.0 / static_cast<double>(k + 3));
  for (index_t k = 0; k < 3000; k += 7) sparse.set(k, 1.0 / static_cast<double>(k + 7));
  for (const matrix<double>* m : {&a, &same})
    for (const vector<double>* u : {&full, &sparse})
      for (const std::string sizes : {"hubs=64,parts=2", "hubs=2048,parts=3"}) {
        std::vector<std::vector<double>> found;
        for (const char* order : {"hubs", "all"}) {
          const plan forced{.kernel = "csr_hubs:" + sizes + ",order=" + order};
          vector<double> w(where(), 300), greatest(where(), 300), of_flags(where(), 300);
          mxv(w, plus_times<double>{}, *m, *u, {.plan = &forced});
          mxv(greatest, max_second<double, double>{}, *m, *u, {.plan = &forced});
          mxv(of_flags, plus_first<double>{}, *m, *u, {.plan = &forced});
          for (const vector<double>* one : {&w, &greatest, &of_flags})
            found.push_back(one->dense(-1));
        }
        for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(found[n], found[n + 3]) << sizes << " " << n;
      }
}

TEST_P(HubsProduct, SlicesFollowTheMatrix) {
  auto a = skewed(200, 500);
  const vector<std::int64_t> u(where(), 500, 2);
  const char* kernel = "csr_hubs:hubs=32,parts=2";
  const auto before = product(plus_times<std::int64_t>{}, a, u, kernel);
  apply(a, bind_first(times{}, std::int64_t{3}), a);
  const auto after = product(plus_times<std::int64_t>{}, a, u, kernel);
  EXPECT_NE(before, after);
  EXPECT_EQ(after, product(plus_times<std::int64_t>{}, a, u, "csr_vector"));
  EXPECT_EQ(std::ranges::count_if(a.base().derived->formats,
                                  [](const auto& one) { return one.first.starts_with("hubs:"); }),
            1);
  const auto facts = where().state()->executor->format_of(a.base(), "csr_hubs");
  EXPECT_GT(facts.conversion_seconds, 0);
  EXPECT_GE(facts.format_bytes, static_cast<std::size_t>(a.nvals()) * (2 + 8));
}

// Positions of columns, and the first product of a row, need the order of the matrix.
TEST_P(HubsProduct, PositionsAreTheMatrixs) {
  const auto a = skewed(200, 500);
  const vector<std::int64_t> u(where(), 500, 1);
  for (const char* kernel : {"csr_hubs", "csr_hubs:hubs=32,parts=2"}) {
    EXPECT_EQ(product(min_secondi<std::int64_t, std::int64_t>{}, a, u, kernel),
              product(min_secondi<std::int64_t, std::int64_t>{}, a, u, "csr_vector"));
    EXPECT_EQ(product(any_first<std::int64_t>{}, a, u, kernel),
              product(any_first<std::int64_t>{}, a, u, "csr_vector"));
  }
}

// Where there is no memory for the format, or for its sums beside it, segmented sums run instead.
TEST_P(HubsProduct, NeedsNoMoreMemoryThanSegmentedSums) {
  const auto entries = skewed(3000, 4000).to_coo<std::uint32_t, std::uint32_t>();
  int replaced = 0, ran = 0;
  for (std::size_t limit = 192 << 10; limit <= std::size_t{2} << 20; limit += limit / 8) {
    std::string log;
    context_options options;
    options.memory_limit = limit;
    options.log = [&](std::string_view line) { log.append(line).append("\n"); };
    const context on = *make_context(context_name(), options).where;
    const plan segmented{.kernel = "csr_segmented"}, hubs{.kernel = "csr_hubs:hubs=64,parts=3"};
    std::vector<std::int64_t> expected;
    try {
      const auto a =
          matrix<std::int64_t>::from_entries(on, 3000, 4000, entries.rows, entries.columns,
                                             std::span<const std::int64_t>(entries.values));
      const vector<std::int64_t> u(on, 4000, 3);
      vector<std::int64_t> w(on, 3000), again(on, 3000);
      try {
        for (vector<std::int64_t>* to : {&w, &again}) {
          mxv(*to, plus_times<std::int64_t>{}, a, u, {.plan = &segmented});
          expected = to->dense(-1);
        }
      } catch (const out_of_memory&) {
        expected.clear();
        continue;
      }
      for (int call = 0; call < 2; ++call) {
        mxv(again, plus_times<std::int64_t>{}, a, u, {.plan = &hubs});
        EXPECT_EQ(again.dense(-1), expected) << limit << " bytes";
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

// The format stays, and the memory beside it gets less: in the end there is none for the sums.
TEST_P(HubsProduct, RunsInWhatMemoryIsLeftBesideItsFormat) {
  const auto entries = skewed(3000, 4000).to_coo<std::uint32_t, std::uint32_t>();
  std::string log;
  context_options options;
  options.memory_limit = std::size_t{4} << 20;
  options.log = [&](std::string_view line) { log.append(line).append("\n"); };
  const context on = *make_context(context_name(), options).where;
  const auto a = matrix<std::int64_t>::from_entries(on, 3000, 4000, entries.rows, entries.columns,
                                                    std::span<const std::int64_t>(entries.values));
  const vector<std::int64_t> u(on, 4000, 3);
  const plan hubs{.kernel = "csr_hubs:hubs=64,parts=3"};
  std::vector<vector<std::int64_t>> fillers;
  try {
    while (log.find("no memory for its sums") == std::string::npos) {
      vector<std::int64_t> w(on, 3000);
      mxv(w, plus_times<std::int64_t>{}, a, u, {.plan = &hubs});
      fillers.emplace_back(on, index_t{1} << 10, 1);
    }
  } catch (const out_of_memory& e) {
    FAIL() << e.what() << "; " << log;
  }
}

// --- hubs are looked for -------------------------------------------------------------------------

class HubsFound : public LowHubLimits<HubsProduct> {
 protected:
  // Pulls by another kernel.
  void pull(const matrix<std::int64_t>& a, const vector<std::int64_t>& u, int times) const {
    for (int n = 0; n < times; ++n) product(plus_times<std::int64_t>{}, a, u, "csr_vector");
  }
};

// Low columns of `skewed` are frequent, and all of its columns fit into local memory.
TEST_P(HubsFound, AfterSomePulls) {
  const auto a = skewed(300, 6000);
  const vector<std::int64_t> u(where(), 6000, 2);
  const plus_times<std::int64_t> sums;
  pull(a, u, 3);
  detail::call_features f = features(sums, a, u);
  EXPECT_EQ(f.pulls, 3);
  EXPECT_EQ(f.hub_share, 0);
  pull(a, u, 1);
  f = features(sums, a, u);
  EXPECT_EQ(f.pulls, 4);
  EXPECT_GE(f.hub_share, 0.4);
  EXPECT_TRUE(f.moves_values);
  EXPECT_FALSE(f.has_hubs);
  product(sums, a, u, "csr_hubs");
  EXPECT_TRUE(features(sums, a, u).has_hubs);
}

TEST_P(HubsFound, NotInWhatIsSmallOrDoesNotSuit) {
  const auto a = skewed(300, 6000);
  const vector<std::int64_t> u(where(), 6000, 2);
  const plus_times<std::int64_t> sums;
  pull(a, u, 5);
  EXPECT_GT(features(sums, a, u).hub_share, 0);
  EXPECT_EQ(features(min_secondi<std::int64_t, std::int64_t>{}, a, u).hub_share, 0);
  // The transpose is not there, and this asks for none.
  const vector<std::int64_t> of_rows(where(), 300, 2);
  EXPECT_EQ(features(sums, a, of_rows, true).hub_share, 0);
  limits().least_entries = a.nvals() + 1;
  EXPECT_EQ(features(sums, a, u).hub_share, 0);
  limits().least_entries = a.nvals();
  EXPECT_GT(features(sums, a, u).hub_share, 0);
  limits().least_share = 1.5;
  EXPECT_EQ(features(sums, a, u).hub_share, 0);
}

INSTANTIATE_TEST_SUITE_P(Contexts, HubsFound, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

INSTANTIATE_TEST_SUITE_P(Contexts, HubsProduct, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

// --- the choice ----------------------------------------------------------------------------------

const detail::kernel_info& row_named(std::string_view name) {
  for (const detail::device_kernel* kernel : detail::device_kernels())
    if (kernel->info.name == name) return kernel->info;
  throw usage_error("no such kernel");
}

// A pull of a matrix with hubs by all of its entries.
detail::call_features skewed_pull() {
  detail::call_features f;
  f.on_device = true;
  f.output_size = f.input_size = f.input_nvals = 1 << 22;
  f.nnz = 1 << 27;
  f.longest_row = 1 << 17;
  f.pulls = 100;
  f.hub_share = 0.6;
  f.moves_values = false;
  return f;
}

TEST(HubsChoice, IsForMatricesThatArePulledOften) {
  const auto hubs = row_named("csr_hubs").quick_cost;
  const auto segmented = row_named("csr_segmented").quick_cost;
  detail::call_features f = skewed_pull();
  EXPECT_LT(hubs(f, 1), segmented(f, 1));
  f.pulls = 4;
  EXPECT_GT(hubs(f, 1), segmented(f, 1));
  EXPECT_LT(hubs(f, 1000), segmented(f, 1000));  // as the plan says
  f.has_hubs = true;
  EXPECT_LT(hubs(f, 1), segmented(f, 1));
}

// Where u exceeds the caches more is gained, and with fewer pulls.
TEST(HubsChoice, GainsMoreWithAllColumnsInOrder) {
  const auto hubs = row_named("csr_hubs").quick_cost;
  const auto segmented = row_named("csr_segmented").quick_cost;
  detail::call_features f = skewed_pull(), of_all = f;
  of_all.hubs_order_all = true;
  f.pulls = of_all.pulls = 29;
  EXPECT_GT(hubs(f, 1), segmented(f, 1));
  EXPECT_LT(hubs(of_all, 1), segmented(f, 1));
  f.has_hubs = of_all.has_hubs = true;
  EXPECT_LT(hubs(of_all, 1), hubs(f, 1));
}

TEST(HubsChoice, NeedsHubsAndAFullVector) {
  const auto hubs = row_named("csr_hubs").quick_cost;
  detail::call_features f = skewed_pull();
  f.hub_share = 0;
  EXPECT_TRUE(std::isinf(hubs(f, 1000)));
  f = skewed_pull();
  f.input_nvals = f.input_size / 10;
  EXPECT_TRUE(std::isinf(hubs(f, 1000)));
  f = skewed_pull();
  f.exits_early = true;
  EXPECT_TRUE(std::isinf(hubs(f, 1000)));
}

}  // namespace
}  // namespace tropic::testing
