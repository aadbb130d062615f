// SPDX-License-Identifier: Apache-2.0

// Plans, by constants made up here, so that every choice can be foretold; and columns by their
// number of entries, which change no result.

#include <gtest/gtest.h>

#include <numeric>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "permute/hot_columns.hpp"
#include "plan/planner.hpp"
#include "support/compare.hpp"
#include "support/host_data.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

double& at(term_values& values, cost_term term) {
  return values[static_cast<std::size_t>(term)];
}

// A CPU whose cache is nothing: u in order of its columns is soon worth a conversion.
void use_made_constants(const context& where) {
  cost_constants c;
  c.device = where.state()->executor->identity();
  c.origin = "made up";
  for (const char* key : {"pull/4", "pull/8"}) {
    at(c.of[key].call, cost_term::entry) = 1e-9;
    at(c.of[key].call, cost_term::piece_miss) = 1e-7;
  }
  for (const char* key : {"push/4", "push/8"}) {
    at(c.of[key].call, cost_term::entry) = 1e-6;
    at(c.of[key].conversion, cost_term::entry) = 1e-6;
  }
  for (const char* key : {"hot_columns/4", "hot_columns/8"}) {
    at(c.of[key].call, cost_term::row) = 1e-9;
    at(c.of[key].conversion, cost_term::entry) = 1e-5;
  }
  use_constants(c);
}

class Planner : public ::testing::Test {
 protected:
  Planner() { use_made_constants(where_); }

  // 20,000 rows of 16 entries, half of them in 1,000 columns that lie far apart among 100,000.
  template <class T>
  matrix<T> skewed() const {
    dice random(1);
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t i = 0; i < 20000; ++i)
      for (int k = 0; k < 16; ++k) {
        row.push_back(i);
        column.push_back(
            static_cast<std::uint32_t>(k < 8 ? 100 * random.roll(1000) : random.roll(100000)));
      }
    const std::vector<T> values(row.size(), T{2});
    return matrix<T>::from_entries(where_, 20000, 100000, row, column, values, duplicates::first);
  }

  context where_ = context::cpu();
};

const plan_candidate& named(const plan& p, const std::string& name) {
  for (const plan_candidate& c : p.details->candidates)
    if (c.name() == name) return c;
  throw std::logic_error("no candidate " + name);
}

TEST_F(Planner, FewCallsDoNotPayForAConversionManyDo) {
  const matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.0);
  const plan once = inspect(plus_times<double>{}, a, u, 1);
  EXPECT_EQ(once.kernel, "pull");
  EXPECT_EQ(once.details, nullptr);  // not looked at: that would take longer
  const plan few = inspect(plus_times<double>{}, a, u, 50);
  EXPECT_EQ(few.kernel, "pull");
  EXPECT_FALSE(once.hot_columns);
  EXPECT_FALSE(few.hot_columns);
  EXPECT_NE(few.reason.find("do not win back"), std::string::npos) << few.reason;
  const plan often = inspect(plus_times<double>{}, a, u, 100000);
  EXPECT_EQ(often.kernel, "pull");
  EXPECT_TRUE(often.hot_columns);
  EXPECT_NE(often.reason.find("once for 100000 calls"), std::string::npos) << often.reason;
  EXPECT_LT(named(often, "pull, hot columns").total(100000), named(often, "pull").total(100000));
  EXPECT_GT(named(often, "pull, hot columns").total(1), named(often, "pull").total(1));
  // All of them are listed, the best one first.
  ASSERT_EQ(often.details->candidates.size(), 3u);
  EXPECT_EQ(often.details->candidates[0].name(), "pull, hot columns");
  EXPECT_EQ(often.details->candidates[2].name(), "push");
  const std::string text = explain(often);
  for (const char* part : {"made up", "pull, hot columns", "push", "entropy", "choice"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(Planner, ProductsWithoutAPlanRunByTheLastOne) {
  matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.5);
  vector<double> plain(where_, 20000), planned(where_, 20000);
  mxv(plain, plus_times<double>{}, a, u);
  EXPECT_EQ(a.base().derived->hot, nullptr);
  inspect(plus_times<double>{}, a, u, 100000);
  mxv(planned, plus_times<double>{}, a, u);
  EXPECT_NE(a.base().derived->hot, nullptr);
  for (index_t i = 0; i < 20000; ++i) EXPECT_EQ(planned.get(i), plain.get(i));
  // A product of another kind was not inspected, and a new matrix was not either.
  matrix<double> b = skewed<double>();
  mxv(planned, plus_times<double>{}, b, u);
  EXPECT_EQ(b.base().derived->hot, nullptr);
}

TEST_F(Planner, WithoutMemoryForTheCopyTheProductRunsWithoutIt) {
  const matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.0);
  vector<double> plain(where_, 20000), planned(where_, 20000);
  mxv(plain, plus_times<double>{}, a, u);
  inspect(plus_times<double>{}, a, u, 100000);
  where_.state()->account.fail_after(0);
  mxv(planned, plus_times<double>{}, a, u);
  where_.state()->account.fail_after(-1);
  EXPECT_EQ(a.base().derived->hot, nullptr);
  EXPECT_EQ(planned.dense(-1), plain.dense(-1));
}

TEST_F(Planner, RowsThatEndAtTheirFirstHitAreNotLookedAt) {
  const matrix<bool> a =
      matrix<bool>::from_pattern(where_, 20000, 100000, std::vector<std::uint32_t>{0, 1, 1},
                                 std::vector<std::uint32_t>{5, 7, 9}, true);
  const vector<bool> u(where_, 100000, true);
  const plan p = inspect(or_and<bool>{}, a, u, 100000);
  EXPECT_EQ(p.kernel, "pull");
  EXPECT_EQ(p.details, nullptr);
  EXPECT_EQ(a.base().derived->inspection, nullptr);
}

TEST_F(Planner, AForcedKernelIsTheOneThatRuns) {
  const matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.0);
  inspect(plus_times<double>{}, a, u, 100000);
  vector<double> w(where_, 20000);
  const plan forced{.kernel = "pull"};
  mxv(w, plus_times<double>{}, a, u, {.plan = &forced});
  EXPECT_EQ(a.base().derived->hot, nullptr);
}

TEST_F(Planner, WhatDependsOnTheOrderOfColumnsKeepsIt) {
  const matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.0);
  const plan p = inspect_product(describe_semiring(min_secondi<double, double>{}), a.base(), false,
                                 u.base(), false, 100000, true);
  EXPECT_FALSE(p.hot_columns);
  EXPECT_NE(named(p, "pull, hot columns").why_not, "");
  const plan unread = inspect(plus_first<double>{}, a, u, 100000);
  EXPECT_FALSE(unread.hot_columns);
  EXPECT_NE(named(unread, "pull, hot columns").why_not, "");
  // Asked for by hand, it runs without.
  const plan forced{.kernel = "pull", .hot_columns = true};
  vector<index_t> w(where_, 20000), plain(where_, 20000);
  mxv(plain, min_secondi<double, double>{}, a, u);
  mxv(w, min_secondi<double, double>{}, a, u, {.plan = &forced});
  for (index_t i = 0; i < 20000; ++i) EXPECT_EQ(w.get(i), plain.get(i));
}

TEST_F(Planner, AMemoryLimitRulesConversionsOut) {
  const matrix<double> a = skewed<double>();
  context_options tight;
  tight.memory_limit = a.base().bytes() + (2 << 20);
  const context small = context::cpu(tight);
  use_made_constants(small);
  const matrix<double> b = a.to(small);
  const vector<double> u(small, 100000, 1.0);
  const plan p = inspect(plus_times<double>{}, b, u, 100000);
  EXPECT_FALSE(p.hot_columns);
  EXPECT_NE(named(p, "pull, hot columns").why_not.find("the limit leaves"), std::string::npos);
}

TEST_F(Planner, GapsInUAreChosenByAtEachCall) {
  const matrix<double> a = skewed<double>();
  vector<double> u(where_, 100000);
  u.set(3, 1.0);
  const plan p = inspect(plus_times<double>{}, a, u, 100);
  EXPECT_EQ(p.details, nullptr);
  EXPECT_NE(p.reason, "");
  EXPECT_NE(explain(p).find(p.reason), std::string::npos);
}

// --- columns by their number of entries ----------------------------------------------------------

TEST(HotColumns, AreAllThereTheFullestFirst) {
  context_options three, one;
  three.threads = 3;
  one.threads = 1;
  const context where = context::cpu(three), single = context::cpu(one);
  dice random(base_seed());
  for (const auto& [rows, columns, density] : {std::tuple<index_t, index_t, double>{0, 0, 0},
                                               {1, 1, 1},
                                               {5, 0, 0},
                                               {7, 90, 0},
                                               {300, 200, 0.1},
                                               {50, 700, 0.4},
                                               {2000, 3, 0.7}}) {
    const host_matrix from =
        random_matrix(describe<std::int64_t>(), rows, columns, density, flavour::weighted, random);
    for (const bool iso : {false, true}) {
      host_matrix same = from;
      if (iso) make_iso(same);
      const matrix_base m = make(where, same, false, iso);
      const hot_columns hot = to_hot_columns(m),
                        alone = to_hot_columns(make(single, same, false, iso));
      const auto* order = static_cast<const std::uint32_t*>(hot.order->host());
      std::vector<std::size_t> count(static_cast<std::size_t>(columns));
      for (const auto& [position, value] : same.entries)
        ++count[static_cast<std::size_t>(position.second)];
      std::vector<bool> seen(count.size());
      for (std::size_t k = 0; k < count.size(); ++k) {
        ASSERT_FALSE(seen[order[k]]);
        seen[order[k]] = true;
        if (k > 0) {
          ASSERT_GE(count[order[k - 1]], count[order[k]]);
          if (count[order[k - 1]] == count[order[k]]) {
            ASSERT_LT(order[k - 1], order[k]);
          }
        }
      }
      host_matrix back = read(*hot.matrix);
      host_matrix renamed{back.type, back.rows, back.columns, {}};
      for (const auto& [position, value] : back.entries)
        renamed.entries[{position.first, order[position.second]}] = value;
      EXPECT_EQ(difference(same, renamed), "") << seed_trace();
      EXPECT_EQ(difference(back, read(*alone.matrix)), "");
    }
  }
}

class Gather : public AgainstReference {};
TROPIC_ON_EVERY_CONTEXT(Gather);

TEST_P(Gather, PutsValuesInAnotherOrder) {
  dice random(base_seed());
  for (const type_description* type :
       {&describe<bool>(), &describe<std::int16_t>(), &describe<float>(), &describe<double>(),
        &describe<test_path>()})
    for (const index_t size : {index_t{1}, index_t{7}, index_t{40000}}) {
      const host_vector from = random_vector(*type, size, 1, flavour::weighted, random);
      const vector_base u = make(where(), from, vector_storage::full);
      vector_base to = u;
      to.values = make_buffer(where().state(), u.values->bytes());
      std::vector<std::uint32_t> order(static_cast<std::size_t>(size));
      std::iota(order.begin(), order.end(), 0u);
      for (std::size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[static_cast<std::size_t>(random.roll(static_cast<int>(k)))]);
      const buffer_pointer list = make_buffer(where().state(), 4 * order.size());
      std::memcpy(list->host_write(), order.data(), list->bytes());
      where().state()->executor->gather(to, u, list);
      host_vector expected{type, size, {}};
      for (std::size_t k = 0; k < order.size(); ++k)
        expected.entries[static_cast<index_t>(k)] = from.entries.at(order[k]);
      ASSERT_EQ(difference(expected, read(to)), "") << type->name << " " << size;
    }
}

class HotProduct : public AgainstReference {};
TROPIC_ON_EVERY_CONTEXT(HotProduct);

// By force, on every context: with masks, accumulators and replace, sums that do not round.
TEST_P(HotProduct, IsThePlainOne) {
  dice random(base_seed());
  const auto kernels = where().state()->executor->kernels();
  const plan forced{.kernel = kernels.front(), .hot_columns = true};
  const auto check = [&]<class S>(const S& ring) {
    using T = typename S::z_type;
    const host_matrix from = random_matrix(describe<T>(), 120, 90, 0.1, flavour::small, random);
    const host_vector full = random_vector(describe<T>(), 90, 1, flavour::small, random),
                      old = random_vector(describe<T>(), 120, 0.5, flavour::small, random),
                      mask = random_vector(describe<bool>(), 120, 0.5, flavour::small, random);
    for (int how = 0; how < 8; ++how) {
      const auto run = [&](const context& c, const plan* p) {
        const matrix<T> a(make(c, from, false, false));
        const vector<T> u(make(c, full, vector_storage::full));
        vector<T> w(make(c, old, vector_storage::bitmap));
        const vector<bool> m(make(c, mask, vector_storage::bitmap));
        vector_options<T> options;
        if (how & 1) options.mask = m;
        if (how & 2) options.accumulate = plus{};
        options.replace = (how & 4) != 0;
        options.plan = p;
        mxv(w, ring, a, u, options);
        return read(w.base());
      };
      ASSERT_EQ(difference(run(reference(), nullptr), run(where(), &forced)), "")
          << how << " " << seed_trace();
    }
  };
  check(plus_times<std::int64_t>{});
  check(min_plus<std::int32_t>{});
  check(max_min<std::int64_t>{});
}

}  // namespace
}  // namespace tropic::testing
