// SPDX-License-Identifier: Apache-2.0

// Products by csr_listed, rows as long as classes and pieces and one more or less, under all kinds
// of masks; the entries that are counted for the choice, the choice, and what makes it in
// algorithms.

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
#include "backends/device/backend.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/iterate_loops.hpp"
#include "plan/choose.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace listed_product_test {
namespace {

constexpr index_t columns = 5000;

// Entries of a matrix of `columns` columns with rows of these lengths, any columns.
struct entries {
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> value;
  std::vector<index_t> lengths;
};

entries with_rows_of(const std::vector<index_t>& lengths) {
  entries result;
  result.lengths = lengths;
  dice random(7);
  std::vector<std::uint32_t> order(columns);
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    const auto length = static_cast<std::size_t>(lengths[row]);
    for (std::size_t k = 0; k < length; ++k)
      std::swap(
          order[k],
          order[k + static_cast<std::size_t>(random.roll(static_cast<int>(order.size() - k)))]);
    std::vector<std::uint32_t> found(order.begin(),
                                     order.begin() + static_cast<std::ptrdiff_t>(length));
    std::ranges::sort(found);
    for (const std::uint32_t column : found) {
      result.row.push_back(static_cast<std::uint32_t>(row));
      result.column.push_back(column);
      result.value.push_back(random.roll(200) - 100);
    }
  }
  return result;
}

// Around every bound of classes and of pieces of 64 and 1,024, among rows of 0 to 5 entries, so
// many that several groups list them.
std::vector<index_t> all_lengths() {
  std::vector<index_t> lengths;
  dice random(3);
  for (const index_t length : {0,   1,   3,   4,    5,    31,   32,   33,   63,   64,   65,   127,
                               128, 129, 640, 1023, 1024, 1025, 2047, 2048, 2049, 3333, 4999, 5000})
    for (int n = 0; n < 60; ++n) lengths.push_back(n == 17 || n == 18 ? length : random.roll(6));
  return lengths;
}

enum class mask_of { none, structure, complement, values, nothing, everything, everything_but };
constexpr mask_of all_masks[] = {mask_of::none,          mask_of::structure, mask_of::complement,
                                 mask_of::values,        mask_of::nothing,   mask_of::everything,
                                 mask_of::everything_but};

class ListedProduct : public OnContext {
 protected:
  static matrix<std::int64_t> make_matrix(const context& on, const entries& e) {
    return matrix<std::int64_t>::from_entries(on, static_cast<index_t>(e.lengths.size()), columns,
                                              e.row, e.column,
                                              std::span<const std::int64_t>(e.value));
  }
  // With an entry at each `step`-th position from `first` on.
  template <class T = std::int64_t>
  static vector<T> every(const context& on, index_t size, index_t first, index_t step) {
    std::vector<std::uint32_t> at;
    std::vector<T> values;
    for (index_t k = first; k < size; k += step) {
      at.push_back(static_cast<std::uint32_t>(k));
      values.push_back(static_cast<T>(k % 89) - 40);
    }
    return vector<T>::from_entries(on, size, at, values);
  }
  // Where the mask has an entry, and where it is not 0.
  static vector<std::int64_t> mask_vector(const context& on, index_t size, mask_of kind) {
    switch (kind) {
      case mask_of::nothing: return vector<std::int64_t>(on, size);
      case mask_of::everything:
      case mask_of::everything_but: return vector<std::int64_t>(on, size, 1);
      default: return every(on, size, 1, 3);  // values from -40 to 48, some are 0
    }
  }
  static bool wants(mask_of kind, index_t i) {
    const bool has_entry = i % 3 == 1;
    switch (kind) {
      case mask_of::structure: return has_entry;
      case mask_of::complement: return !has_entry;
      case mask_of::values: return has_entry && i % 89 != 40;
      case mask_of::nothing:
      case mask_of::everything_but: return false;
      default: return true;
    }
  }
  template <class S, class T>
  static void multiply(vector<T>& w, const S& semiring, const matrix<T>& a, const vector<T>& u,
                       mask_of kind, const plan* by = nullptr) {
    const vector<std::int64_t> mask = mask_vector(w.where(), w.size(), kind);
    switch (kind) {
      case mask_of::none: mxv(w, semiring, a, u, {.plan = by}); break;
      case mask_of::values: mxv(w, semiring, a, u, {.mask = mask, .plan = by}); break;
      case mask_of::complement:
      case mask_of::everything_but:
        mxv(w, semiring, a, u, {.mask = complement(structure(mask)), .plan = by});
        break;
      default: mxv(w, semiring, a, u, {.mask = structure(mask), .plan = by});
    }
  }
  // Entries as text.
  template <class T>
  static std::string text_of(const vector<T>& v) {
    std::string text;
    for (const auto& e : v.entries())
      text += std::to_string(e.index) + ":" + std::to_string(e.value) + " ";
    return text;
  }
  detail::device_backend* device() const {
    return dynamic_cast<detail::device_backend*>(where().state()->executor.get());
  }
};

TEST_P(ListedProduct, SumsRowsOfEveryLengthUnderEveryMask) {
  const entries e = with_rows_of(all_lengths());
  const context reference = context::reference();
  const auto a = make_matrix(where(), e), expected_a = make_matrix(reference, e);
  const auto check = [&](const auto& semiring, const char* name) {
    for (const index_t step : {1, 3, 4999}) {
      const auto u = every(where(), columns, 2 * (step > 1), step),
                 expected_u = every(reference, columns, 2 * (step > 1), step);
      vector<std::int64_t> whole(reference, a.rows());
      mxv(whole, semiring, expected_a, expected_u);
      for (const mask_of kind : all_masks) {
        std::string expected;
        for (const auto& one : whole.entries())
          if (wants(kind, one.index))
            expected += std::to_string(one.index) + ":" + std::to_string(one.value) + " ";
        for (const char* kernel : {"csr_listed", "csr_listed:piece=64", "csr_listed:piece=1"}) {
          const plan by{.kernel = kernel};
          vector<std::int64_t> w(where(), a.rows());
          multiply(w, semiring, a, u, kind, &by);
          EXPECT_EQ(text_of(w), expected) << name << ", " << kernel << ", mask "
                                          << static_cast<int>(kind) << ", u of 1 in " << step;
        }
      }
    }
  };
  check(plus_times<std::int64_t>{}, "plus_times");
  check(min_plus<std::int64_t>{}, "min_plus");
  check(min_secondi<std::int64_t, std::int64_t>{}, "min_secondi");
}

// One row with all entries, one entry in all, and no rows at all.
TEST_P(ListedProduct, TakesMatricesOfOneRowAndOfOneEntry) {
  const context reference = context::reference();
  for (const std::vector<index_t>& lengths :
       {std::vector<index_t>{5000}, {1}, {0, 0, 1, 0}, {0, 5000, 0}, {}}) {
    const entries e = with_rows_of(lengths);
    const auto a = make_matrix(where(), e), expected_a = make_matrix(reference, e);
    for (const index_t step : {1, 2}) {
      vector<std::int64_t> w(where(), a.rows()), expected(reference, a.rows());
      const plan by{.kernel = "csr_listed"};
      multiply(w, plus_times<std::int64_t>{}, a, every(where(), columns, 0, step), mask_of::none,
               &by);
      multiply(expected, plus_times<std::int64_t>{}, expected_a, every(reference, columns, 0, step),
               mask_of::none);
      EXPECT_EQ(text_of(w), text_of(expected)) << lengths.size() << " rows";
    }
  }
}

// One value for all entries, accumulators and entries of w that the mask keeps or replace deletes.
TEST_P(ListedProduct, WritesAsOtherKernelsDo) {
  const entries e = with_rows_of(all_lengths());
  const context reference = context::reference();
  const auto run = [&](const context& on, const plan* by) {
    auto a = make_matrix(on, e);
    apply(a, bind_second(second{}, std::int64_t{3}), a);
    const auto u = every(on, columns, 1, 2);
    const auto mask = mask_vector(on, a.rows(), mask_of::structure);
    std::string text;
    for (const bool replace : {false, true})
      for (const bool accumulates : {false, true}) {
        auto w = every(on, a.rows(), 0, 2);
        const plus_times<std::int64_t> semiring;
        if (accumulates)
          mxv(w, semiring, a, u,
              {.mask = structure(mask), .accumulate = plus{}, .replace = replace, .plan = by});
        else
          mxv(w, semiring, a, u,
              {.mask = complement(structure(mask)), .replace = replace, .plan = by});
        text += text_of(w) + "\n";
      }
    return text;
  };
  const plan by{.kernel = "csr_listed:piece=64"};
  EXPECT_EQ(run(where(), &by), run(reference, nullptr));
}

// The bits of a sum do not depend on the run, nor on what else the mask wants.
TEST_P(ListedProduct, SumsHaveTheSameBitsUnderEveryMask) {
  const entries e = with_rows_of(all_lengths());
  const auto whole = make_matrix(where(), e);
  matrix<double> a(where(), whole.rows(), columns);
  apply(a, bind_first(times{}, 0.1), whole);
  vector<double> u(where(), columns);
  for (index_t k = 0; k < columns; k += 2) u.set(k, 1.0 / static_cast<double>(k + 3));
  const plan by{.kernel = "csr_listed:piece=64"};
  const auto product = [&](mask_of kind) {
    vector<double> w(where(), a.rows());
    multiply(w, plus_times<double>{}, a, u, kind, &by);
    return w.dense(-1e300);
  };
  const std::vector<double> all = product(mask_of::none);
  for (int run = 0; run < 3; ++run)
    for (const mask_of kind : {mask_of::structure, mask_of::complement, mask_of::values}) {
      const std::vector<double> some = product(kind);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (some[i] == -1e300) continue;
        ASSERT_EQ(some[i], all[i]) << "row " << i;
      }
    }
}

// Lists of pieces of one entry each take more memory than there is; segmented sums do not need it.
TEST_P(ListedProduct, NeedsNoMemoryForItsLists) {
  std::string log;
  context_options options;
  options.memory_limit = std::size_t{5} << 19;
  options.log = [&](std::string_view line) { log.append(line).append("\n"); };
  const context on = *make_context(context_name(), options).where;
  const entries e = with_rows_of(all_lengths());
  const auto a = make_matrix(on, e);
  const auto u = every(on, columns, 0, 2);
  const plus_times<std::int64_t> semiring;
  const plan listed{.kernel = "csr_listed:piece=1"}, segmented{.kernel = "csr_segmented"};
  vector<std::int64_t> w(on, a.rows()), expected(on, a.rows());
  multiply(expected, semiring, a, u, mask_of::structure, &segmented);
  multiply(w, semiring, a, u, mask_of::structure, &listed);
  EXPECT_NE(log.find("csr_listed: no memory for its sums; csr_segmented runs instead"),
            std::string::npos)
      << log;
  EXPECT_EQ(text_of(w), text_of(expected));
}

// --- the choice ----------------------------------------------------------------------------------

class ListedChosen : public ListedProduct {
 protected:
  void SetUp() override {
    ListedProduct::SetUp();
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
  const semiring_description s = detail::describe_for_mxv(plus_times<double>{});
  // vxm: the rows of A are u's.
  const auto leaving = [&](index_t first, index_t step) {
    const auto u = every<double>(where(), a.rows(), first, step);
    return device()->features({s, a.base(), u.base(), false, true}, {}).input_edges;
  };
  index_t sum = 0;
  for (index_t i = 0; i < a.rows(); i += 30) sum += e.lengths[static_cast<std::size_t>(i)];
  EXPECT_EQ(leaving(0, 30), sum);
  limits().least_entries = a.nvals() + 1;
  EXPECT_EQ(leaving(0, 30), std::min(a.nvals(), (a.rows() + 29) / 30 * a.base().longest_row));
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

INSTANTIATE_TEST_SUITE_P(Contexts, ListedProduct, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Contexts, ListedChosen, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

const detail::kernel_info& row_named(std::string_view name) {
  for (const detail::device_kernel* kernel : detail::device_kernels())
    if (kernel->info.name == name) return kernel->info;
  throw usage_error("no such kernel");
}

// A pull of a large graph with gaps in u.
detail::call_features masked_pull() {
  detail::call_features f;
  f.on_device = true;
  f.output_size = f.input_size = 1 << 22;
  f.input_nvals = 1 << 20;
  f.nnz = f.wanted_edges = f.input_edges = 1 << 27;
  f.longest_row = 1 << 17;
  f.can_push = false;
  return f;
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
