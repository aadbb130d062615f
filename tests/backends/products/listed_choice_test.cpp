// SPDX-License-Identifier: Apache-2.0

// When csr_listed is chosen: the entries that are counted for it, the costs that decide, and the
// algorithms whose products it computes. The products: listed_product_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/betweenness.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/products/listed_products.hpp"
#include "backends/rounds/iterate_loops.hpp"
#include "plan/quick_choice.hpp"

namespace tropic::testing {
namespace listed_product_test {
namespace {

class ListedChosen : public listed_products {
 protected:
  void SetUp() override {
    listed_products::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    limits().least_entries = 1;
  }
  void TearDown() override {
    if (!IsSkipped() && device() != nullptr) limits() = {};
  }
  detail::edge_limits& limits() const { return device()->products().limits_of_edges(); }

  // Lists the edges of a symmetric graph: hubs that all others are next to, and a few more.
  struct edges {
    index_t n = 12000;
    std::vector<std::uint32_t> from, to;
    std::vector<std::int64_t> weight;
  };
  static edges with_hubs() {
    edges g;
    dice random(11);
    const auto add = [&](index_t i, index_t j, std::int64_t weight) {
      for (const bool back : {false, true}) {
        g.from.push_back(static_cast<std::uint32_t>(back ? j : i));
        g.to.push_back(static_cast<std::uint32_t>(back ? i : j));
        g.weight.push_back(weight);
      }
    };
    for (const index_t hub : {20, 7000})
      for (index_t i = 0; i < g.n; i += 1 + (hub == 20))
        if (i != hub) add(hub, i, 1 + random.roll(60));
    for (index_t i = 0; i + 1 < g.n; i += 1 + random.roll(2))
      add(i, i + 1 + random.roll(static_cast<int>(std::min<index_t>(500, g.n - i - 1))),
          1 + random.roll(9));
    return g;
  }
  template <class T>
  static matrix<T> graph(const context& on, const edges& g) {
    std::vector<T> weights(g.weight.begin(), g.weight.end());
    auto a = matrix<T>::from_entries(on, g.n, g.n, g.from, g.to, weights, duplicates::first);
    a.assume_symmetric();
    return a;
  }
};

TEST_P(ListedChosen, CountsTheEntriesOfWantedRows) {
  const entries e = with_rows_of(all_lengths());
  const auto a = make_matrix(where(), e);
  const auto u = every(where(), columns, 0, 2);
  const semiring_description s = detail::describe_for_mxv(plus_times<std::int64_t>{});
  const auto wanted = [&](mask_of kind) {
    const auto mask = mask_vector(where(), a.rows(), kind);
    detail::vector_rule rule;
    rule.mask = kind == mask_of::none ? nullptr : &mask.base();
    rule.structural = kind != mask_of::values;
    rule.complemented = kind == mask_of::complement || kind == mask_of::everything_but;
    return device()->features({s, a.base(), u.base(), false, false}, rule).wanted_edges;
  };
  for (const mask_of kind : all_masks) {
    index_t sum = 0;
    for (std::size_t i = 0; i < e.lengths.size(); ++i)
      if (wants(kind, static_cast<index_t>(i))) sum += e.lengths[i];
    // A full mask is not counted.
    EXPECT_EQ(wanted(kind), kind == mask_of::everything_but ? a.nvals() : sum);
  }
  limits().least_entries = a.nvals() + 1;
  EXPECT_EQ(wanted(mask_of::structure), a.nvals());
}

// Of semirings that cannot push by atomics, too; and not where few entries say enough.
TEST_P(ListedChosen, CountsTheEntriesThatLeaveU) {
  const entries e = with_rows_of(all_lengths());
  const auto whole = make_matrix(where(), e);
  matrix<double> a(where(), whole.rows(), columns);
  apply(a, identity{}, whole);
  const semiring_description sorted = detail::describe_for_mxv(plus_times<double>{}),
                             atomic = detail::describe_for_mxv(min_plus<double>{});
  // vxm: the rows of A are u's.
  const auto leaving = [&](const semiring_description& s, index_t first, index_t step) {
    const auto u = every<double>(where(), a.rows(), first, step);
    return device()->features({s, a.base(), u.base(), false, true}, {}).input_edges;
  };
  index_t sum = 0;
  for (index_t i = 0; i < a.rows(); i += 30) sum += e.lengths[static_cast<std::size_t>(i)];
  const index_t bound = std::min(a.nvals(), (a.rows() + 29) / 30 * a.base().longest_row);
  EXPECT_EQ(leaving(sorted, 0, 30), sum);
  EXPECT_EQ(leaving(atomic, 0, 30), sum);
  EXPECT_EQ(leaving(atomic, 0, 2000), a.base().longest_row);  // one of 1,440
  limits().least_entries = a.nvals() + 1;
  EXPECT_EQ(leaving(sorted, 0, 30), bound);
  EXPECT_EQ(leaving(atomic, 0, 30), bound);
}

TEST_P(ListedChosen, ForFewWantedEntriesAmongLongRows) {
  const auto a = graph<std::int64_t>(where(), with_hubs());
  const auto u = every(where(), a.rows(), 0, 2);
  const auto mask = every(where(), a.rows(), 1, 5);  // without hubs
  const semiring_description s = detail::describe_for_mxv(plus_times<std::int64_t>{});
  const detail::product p{s, a.base(), u.base(), false, false};
  detail::vector_rule rule;
  rule.mask = &mask.base();
  rule.structural = true;
  const plan listed = explain_choice(*device(), p, rule, 1);
  EXPECT_EQ(listed.kernel, "csr_listed") << listed.reason;
  EXPECT_NE(listed.reason.find("the rows that the mask wants have "), std::string::npos)
      << listed.reason;
  EXPECT_NE(explain_choice(*device(), p, {}, 1).kernel, "csr_listed");
}

// The rounds of these are products under masks, whose sums must be those of the CPU.
TEST_P(ListedChosen, BetweennessIsThatOfTheCpu) {
  const edges g = with_hubs();
  const betweenness_options options{.sources = std::vector<index_t>{5, 7000}};
  const auto found = betweenness(graph<float>(where(), g), options).centrality.dense(-1),
             expected = betweenness(graph<float>(context::cpu(), g), options).centrality.dense(-1);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-9 * std::abs(expected[i])) << i;
}

TEST_P(ListedChosen, ShortestPathsAreThoseOfTheCpu) {
  const edges g = with_hubs();
  for (const double delta : {0.0, 2.0, 7.0}) {
    const sssp_options options{.delta = delta};
    const auto found = sssp(graph<std::int64_t>(where(), g), 3, options),
               expected = sssp(graph<std::int64_t>(context::cpu(), g), 3, options);
    EXPECT_EQ(found.distance.dense(-1), expected.distance.dense(-1)) << delta;
    EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1)) << delta;
  }
}

// Rounds that leave out what is final take what the others take.
TEST_P(ListedChosen, BucketsLeaveOutFinalValues) {
  const edges g = with_hubs();
  for (const bool is_full : {true, false}) {
    loop<std::int64_t> l;
    l.n = g.n;
    const auto a = graph<std::int64_t>(where(), g).to_coo<std::uint32_t, std::uint32_t>();
    l.from.assign(a.rows.begin(), a.rows.end());
    l.to.assign(a.columns.begin(), a.columns.end());
    l.weight.assign(a.values.begin(), a.values.end());
    l.add = [](std::int64_t x, std::int64_t y) { return std::min(x, y); };
    l.multiply = [](index_t, std::int64_t x, std::int64_t y) { return x + y; };
    l.improves = [](std::int64_t x, std::int64_t y) { return x < y; };
    l.w.resize(static_cast<std::size_t>(g.n));
    l.frontier.resize(static_cast<std::size_t>(g.n));
    if (is_full)
      for (auto& x : l.w) x = arithmetic::largest<std::int64_t>();
    l.w[3] = l.frontier[3] = 0;
    l.bucket_width = 9;
    check_on(where(), l, min_plus<std::int64_t>{},
             {.improves = less{}, .lower_values_are_final = true}, is_full ? "full" : "bitmap");
  }
}

INSTANTIATE_TEST_SUITE_P(Contexts, ListedChosen, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

const detail::kernel_info& row_named(std::string_view name) {
  for (const detail::device_kernel* kernel : detail::device_kernels())
    if (kernel->info.name == name) return kernel->info;
  throw usage_error("no such kernel");
}

TEST(ListedChoice, NeedsGapsOrRowsThatAreLeftOut) {
  const auto listed = row_named("csr_listed").quick_cost,
             segmented = row_named("csr_segmented").quick_cost;
  detail::call_features f = masked_pull();
  EXPECT_LT(listed(f, 1000), segmented(f, 1000));  // gaps, in a large matrix
  f.nnz = f.wanted_edges = 1 << 19;
  EXPECT_TRUE(std::isinf(listed(f, 1)));
  f = masked_pull();
  f.input_nvals = f.input_size;
  EXPECT_TRUE(std::isinf(listed(f, 1)));
  f.wanted_edges = f.nnz - 1;
  EXPECT_GT(listed(f, 1000), segmented(f, 1000));
  f.wanted_edges = f.nnz / 2;
  EXPECT_LT(listed(f, 1), segmented(f, 1));
  f.exits_early = true;
  EXPECT_TRUE(std::isinf(listed(f, 1)));
}

TEST(ListedChoice, SortsTheProductsOfFewEdges) {
  const auto push = row_named("push").quick_cost, segmented = row_named("csr_segmented").quick_cost,
             listed = row_named("csr_listed").quick_cost;
  detail::call_features f = masked_pull();
  EXPECT_TRUE(std::isinf(push(f, 1)));
  f.input_nvals = 1;
  f.input_edges = 1 << 17;
  f.wanted_edges = f.nnz - 1;
  EXPECT_LT(push(f, 1), segmented(f, 1));
  EXPECT_LT(push(f, 1), listed(f, 1));
  f.push_needs_transpose = true;
  EXPECT_TRUE(std::isinf(push(f, 1)));
  f.push_needs_transpose = false;
  f.nnz = index_t{1} << 33;  // 32 bits do not count what is sorted
  EXPECT_TRUE(std::isinf(push(f, 1)));
}

// Gaps in u cost all pulls the same, so that they are compared as without.
TEST(ListedChoice, GapsCostAllPullsTheSame) {
  detail::call_features f = masked_pull(), full = f;
  full.input_nvals = f.input_size;
  const auto extra = [&](std::string_view name) {
    const auto cost = row_named(name).quick_cost;
    return cost(f, 1) - cost(full, 1);
  };
  EXPECT_GT(extra("csr_segmented"), 100);
  EXPECT_NEAR(extra("csr_vector"), extra("csr_segmented"), 1e-6);
  EXPECT_NEAR(extra("csr_scalar"), extra("csr_segmented"), 1e-6);
}

}  // namespace
}  // namespace listed_product_test
}  // namespace tropic::testing
