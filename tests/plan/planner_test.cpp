// SPDX-License-Identifier: Apache-2.0

// Plans with given cost constants, so that every choice can be predicted.

#include <gtest/gtest.h>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "plan/order_advice.hpp"
#include "plan/planner.hpp"
#include "support/messages.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

double& at(term_values& values, cost_term term) {
  return values[static_cast<std::size_t>(term)];
}

// A CPU without a cache: hot columns soon justify their conversion.
void use_given_constants(const context& where, std::initializer_list<const char*> converted = {}) {
  cost_constants c;
  c.device = where.state()->executor->identity();
  c.origin = "made up";
  c.transfer_byte = 1e-9;
  double entry = 1e-9;
  for (const char* kernel : {"pull", "csr_vector", "csr_segmented"}) {
    for (const char* values : {"/4", "/8"}) {
      kernel_costs& costs = c.of[std::string(kernel) + values];
      at(costs.call, cost_term::entry) = entry;
      at(costs.call, cost_term::reuse_miss_4096) = 1e-7;
      if (kernel == std::string_view("csr_segmented"))
        at(costs.conversion, cost_term::entry) = 1e-6;
    }
    entry *= 2;
  }
  for (const char* key : {"push/4", "push/8"}) {
    at(c.of[key].call, cost_term::entry) = 1e-6;
    at(c.of[key].conversion, cost_term::entry) = 1e-6;
  }
  for (const char* key : {"hot_columns/4", "hot_columns/8"}) {
    at(c.of[key].call, cost_term::row) = 1e-9;
    at(c.of[key].conversion, cost_term::entry) = 1e-5;
  }
  // Of these a conversion alone is known.
  for (const char* key : converted) at(c.of[key].conversion, cost_term::entry) = 1e-9;
  use_constants(c);
}

// 20,000 rows of 16 entries, half of them in 1,000 columns that are far apart among 100,000.
template <class T>
matrix<T> skewed_matrix(const context& where) {
  dice random(1);
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i < 20000; ++i)
    for (int k = 0; k < 16; ++k) {
      row.push_back(i);
      column.push_back(
          static_cast<std::uint32_t>(k < 8 ? 100 * random.roll(1000) : random.roll(100000)));
    }
  const std::vector<T> values(row.size(), T{2});
  return matrix<T>::from_entries(where, 20000, 100000, row, column, values, duplicates::first);
}

class Planner : public ::testing::Test {
 protected:
  Planner() { use_given_constants(where_); }

  template <class T>
  matrix<T> skewed() const {
    return skewed_matrix<T>(where_);
  }

  context where_ = context::cpu();
};

const plan_candidate& named(const plan& p, const std::string& name) {
  for (const plan_candidate& c : p.details->candidates)
    if (c.name() == name) return c;
  throw std::logic_error("no candidate " + name);
}

TEST_F(Planner, AConversionPaysOffForManyCallsOnly) {
  const matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.0);
  const plan once = inspect(plus_times<double>{}, a, u, 1);
  EXPECT_EQ(once.kernel, "pull");
  EXPECT_EQ(once.details, nullptr);  // not inspected: that would take longer
  const plan few = inspect(plus_times<double>{}, a, u, 50);
  EXPECT_EQ(few.kernel, "pull");
  EXPECT_FALSE(once.hot_columns);
  EXPECT_FALSE(few.hot_columns);
  EXPECT_NE(few.reason.find("does not pay off in"), std::string::npos) << few.reason;
  const plan often = inspect(plus_times<double>{}, a, u, 100000);
  EXPECT_EQ(often.kernel, "pull");
  EXPECT_TRUE(often.hot_columns);
  EXPECT_NE(often.reason.find("once for 100,000 calls"), std::string::npos) << often.reason;
  EXPECT_LT(named(often, "pull, hot columns").total(100000), named(often, "pull").total(100000));
  EXPECT_GT(named(often, "pull, hot columns").total(1), named(often, "pull").total(1));
  // All candidates are listed, the best one first.
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
  // Neither a product of another kind nor a new matrix has been inspected.
  matrix<double> b = skewed<double>();
  mxv(planned, plus_times<double>{}, b, u);
  EXPECT_EQ(b.base().derived->hot, nullptr);
}

TEST_F(Planner, ProductsOfAnotherKindDoNotRunByIt) {
  const matrix<double> a = skewed<double>();
  const vector<double> u(where_, 100000, 1.0);
  vector<double> w(where_, 20000);
  ASSERT_TRUE(inspect(plus_times<double>{}, a, u, 100000).hot_columns);
  mxv(w, plus_second<double>{}, a, u);  // which reads no values of A
  EXPECT_EQ(a.base().derived->hot, nullptr);
  mxv(w, plus_times<double>{}, a, u);
  EXPECT_NE(a.base().derived->hot, nullptr);
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

TEST_F(Planner, RowsThatEndAtTheirFirstMatchAreNotInspected) {
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
  const plan p =
      inspect_product(describe_semiring(min_secondi<double, double>{}), {.matrix = a.base()},
                      u.base(), factor_order::matrix_first, 100000, inspection_rule::always);
  EXPECT_FALSE(p.hot_columns);
  EXPECT_NE(named(p, "pull, hot columns").why_not, "");
  const plan unread = inspect(plus_first<double>{}, a, u, 100000);
  EXPECT_FALSE(unread.hot_columns);
  EXPECT_NE(named(unread, "pull, hot columns").why_not, "");
  // Forced by the caller, it runs without hot columns.
  const plan forced{.kernel = "pull", .hot_columns = true};
  vector<index_t> w(where_, 20000), plain(where_, 20000);
  mxv(plain, min_secondi<double, double>{}, a, u);
  mxv(w, min_secondi<double, double>{}, a, u, {.plan = &forced});
  for (index_t i = 0; i < 20000; ++i) EXPECT_EQ(w.get(i), plain.get(i));
}

// Errors of a product are reported by its inspection in the same words.
TEST_F(Planner, RefusesWhatTheProductWouldRefuse) {
  matrix<double> a =
      matrix<double>::from_entries(where_, 3, 3, std::vector<std::uint32_t>{0, 1},
                                   std::vector<std::uint32_t>{1, 0}, std::vector<double>{1, 1});
  a.assume_symmetric();
  vector<double> u(where_, index_t{1} << 31);
  u.set((index_t{1} << 31) - 1, 1);
  const auto semiring = describe_semiring(plus_times<double>{});
  const std::string expected = "inspect: A is 3x3, u has size 2147483648, needs 3";
  EXPECT_EQ(message_of<usage_error>([&] { inspect(plus_times<double>{}, a, u, 1000); }), expected);
  EXPECT_EQ(message_of<usage_error>([&] {
              plan_product(semiring, {.matrix = a.base()}, u.base(), factor_order::matrix_first, 1);
            }),
            expected);
  const vector<double> three(where_, 3, 1.0);
  EXPECT_EQ(message_of<usage_error>([&] { inspect(plus_times<double>{}, a, three, 0); }),
            "inspect: 0 calls expected, needed 1 or more");
  const vector<float> narrow(where_, 3, 1.0F);
  EXPECT_EQ(message_of<usage_error>([&] {
              inspect_product(semiring, {.matrix = a.base()}, narrow.base(),
                              factor_order::matrix_first, 10);
            }),
            "inspect: u holds fp32, the operator takes fp64");
}

TEST_F(Planner, AMemoryLimitRulesConversionsOut) {
  const matrix<double> a = skewed<double>();
  context_options tight;
  tight.memory_limit = a.base().bytes() + (2 << 20);
  const context small = context::cpu(tight);
  use_given_constants(small);
  const matrix<double> b = a.to(small);
  const vector<double> u(small, 100000, 1.0);
  const plan p = inspect(plus_times<double>{}, b, u, 100000);
  EXPECT_FALSE(p.hot_columns);
  EXPECT_NE(named(p, "pull, hot columns").why_not.find("the limit leaves"), std::string::npos);
}

TEST_F(Planner, ProductsWithGapsInUAreNotInspected) {
  const matrix<double> a = skewed<double>();
  vector<double> u(where_, 100000);
  u.set(3, 1.0);
  const plan p = inspect(plus_times<double>{}, a, u, 100);
  EXPECT_EQ(p.details, nullptr);
  EXPECT_NE(p.reason, "");
  EXPECT_NE(explain(p).find(p.reason), std::string::npos);
}

class DevicePlanner : public OnContext {};
INSTANTIATE_TEST_SUITE_P(Devices, DevicePlanner, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

// The device inspects, plans and builds the copy; the matrix is sent once.
TEST_P(DevicePlanner, HotColumnsAreWeighedForTheKernelsOfPlainCsr) {
  use_given_constants(where());
  const matrix<float> a = skewed_matrix<float>(where());
  const vector<float> u(where(), 100000, 1.0f);
  vector<float> plain(where(), 20000), planned(where(), 20000);
  mxv(plain, plus_times<float>{}, a, u);
  where().synchronize();
  const device_traffic before = where().traffic();
  const plan few = inspect(plus_times<float>{}, a, u, 50);
  EXPECT_EQ(few.kernel, "csr_vector");
  EXPECT_FALSE(few.hot_columns);
  const plan often = inspect(plus_times<float>{}, a, u, 100000);
  EXPECT_EQ(often.kernel, "csr_vector");
  EXPECT_TRUE(often.hot_columns);
  EXPECT_EQ(named(often, "csr_segmented, hot columns").why_not, "");
  EXPECT_GT(named(often, "csr_segmented, hot columns").conversion,
            named(often, "csr_vector, hot columns").conversion);
  for (const plan_candidate& c : often.details->candidates)
    EXPECT_EQ(c.hot_columns && c.kernel != "csr_vector" && c.kernel != "csr_segmented", false);
  mxv(planned, plus_times<float>{}, a, u);
  where().synchronize();
  ASSERT_NE(a.base().derived->hot, nullptr);
  EXPECT_LE(where().traffic().to_host - before.to_host, 10000u);
  EXPECT_LE(where().traffic().to_device - before.to_device, 1000u);
  EXPECT_EQ(planned.dense(-1), plain.dense(-1));
  // Each runs by its name.
  for (const char* kernel : {"csr_vector", "csr_segmented"}) {
    const plan forced{.kernel = kernel, .hot_columns = true};
    vector<float> w(where(), 20000);
    mxv(w, plus_times<float>{}, a, u, {.plan = &forced});
    EXPECT_EQ(w.dense(-1), plain.dense(-1)) << kernel;
  }
}

// A single call does not justify an inspection: rows, entries, the longest row and the semiring
// determine the kernel.
TEST_P(DevicePlanner, WithoutAnInspectionARuleChooses) {
  const auto matrix_of = [&](std::uint32_t rows, std::uint32_t length, std::uint32_t last_length) {
    const std::uint32_t columns = std::max(length, last_length) + 7;
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t i = 0; i <= rows; ++i)
      for (std::uint32_t k = 0; k < (i < rows ? length : last_length); ++k) {
        row.push_back(i);
        column.push_back((k + i) % columns);
      }
    const std::vector<float> values(row.size(), 2);
    return matrix<float>::from_entries(where(), rows + 1, columns, row, column, values,
                                       duplicates::error);
  };
  const auto chosen = [&](const matrix<float>& a, const auto& semiring, index_t calls) {
    const vector<float> u(where(), a.columns(), 1.0f);
    const plan p = inspect(semiring, a, u, calls);
    EXPECT_EQ(p.details, nullptr);
    return std::string(p.kernel);
  };
  const plus_times<float> sum;
  EXPECT_EQ(chosen(matrix_of(100000, 3, 3), sum, 1), "csr_scalar");
  EXPECT_EQ(chosen(matrix_of(2000, 100, 100), sum, 1), "csr_vector");
  EXPECT_EQ(chosen(matrix_of(10000, 3, 60000), sum, 1), "csr_segmented");
  EXPECT_EQ(chosen(matrix_of(60000, 8, 1000), sum, 1), "csr_segmented");
  // Worth its conversion for more calls than the eight that are always expected.
  EXPECT_EQ(chosen(matrix_of(60000, 8, 144), sum, 1), "csr_vector");
  EXPECT_EQ(chosen(matrix_of(60000, 8, 144), sum, 20), "csr_segmented");
  // If the first match ends a row, its length does not matter.
  EXPECT_EQ(chosen(matrix_of(10000, 3, 60000), any_second<float>{}, 1000), "csr_vector");
}

// An inspection sends the pattern; a plan counts that as part of using the device.
TEST_P(DevicePlanner, AMatrixOfTheHostCostsItsTransfer) {
  use_given_constants(where());
  const matrix<float> a = skewed_matrix<float>(where());
  const vector<float> u(where(), 100000, 1.0f);
  const plan p = inspect(plus_times<float>{}, a, u, 100);
  for (const plan_candidate& c : p.details->candidates) {
    if (!c.why_not.empty()) continue;
    EXPECT_NEAR(c.transfer, 1e-9 * static_cast<double>(a.base().bytes()), 1e-7) << c.name();
  }
}

// Of csr_hubs a calibration measures the conversion alone, and the matrix has too few entries for
// it: it counts neither as it is nor in another order.
TEST_P(DevicePlanner, AnOrderIsAdvisedByKernelsThatCanRun) {
  use_given_constants(where(), {"csr_hubs/4"});
  const matrix<float> a = skewed_matrix<float>(where());
  const product_traits traits{.a_bytes = 4, .x_bytes = 4, .z_bytes = 4};
  const auto constants = constants_of(*where().state());
  const auto inspection = inspect_matrix(a.base());
  cost_source& executor = *where().state()->executor;
  const double plain = best_pull(executor, a.base(), *inspection, *constants, traits, false),
               ordered = best_pull(executor, a.base(), *inspection, *constants, traits, true);
  EXPECT_GT(ordered, 320000 * 2e-9);  // csr_vector spends that on entries
  EXPECT_GT(plain, ordered);
  const order_advice few = advise_order(a.base(), traits, 100),
                     many = advise_order(a.base(), traits, 1000000);
  EXPECT_FALSE(few.by_degree) << few.reason;
  EXPECT_TRUE(many.by_degree) << many.reason;
}

// csr_bits costs nothing by these constants, so that only what it cannot read rules it out.
TEST_P(DevicePlanner, BitsAreForBooleansOverAPattern) {
  use_given_constants(where(), {"csr_bits/4"});
  const matrix<float> numbers = skewed_matrix<float>(where());
  const auto entries = numbers.to_coo<std::uint32_t, std::uint32_t>();
  const auto pattern = matrix<bool>::from_pattern(where(), numbers.rows(), numbers.columns(),
                                                  entries.rows, entries.columns, true);
  const vector<bool> u(where(), 100000, true);
  const plan p = inspect(xor_and<bool>{}, pattern, u, 1000);
  EXPECT_EQ(p.kernel, "csr_bits") << explain(p);
  vector<bool> w(where(), 20000), planned(where(), 20000);
  mxv(w, xor_and<bool>{}, pattern, u, {.plan = &p});
  const plan rows{.kernel = "csr_vector"};
  mxv(planned, xor_and<bool>{}, pattern, u, {.plan = &rows});
  EXPECT_EQ(w.nvals(), planned.nvals());
  for (const index_t row : {0, 7, 19999}) EXPECT_EQ(w.get(row), planned.get(row)) << row;

  matrix<bool> values(where(), numbers.rows(), numbers.columns());
  apply(values, bind_second(greater{}, 1.0f), numbers);
  EXPECT_EQ(named(inspect(xor_and<bool>{}, values, u, 1000), "csr_bits").why_not,
            "the matrix has a value for each entry");
  const vector<float> of_numbers(where(), 100000, 1.0f);
  EXPECT_EQ(named(inspect(plus_times<float>{}, numbers, of_numbers, 1000), "csr_bits").why_not,
            "the product does not read booleans of u");
}

TEST_P(DevicePlanner, WithoutMemoryForTheCopyTheProductRunsWithoutIt) {
  use_given_constants(where());
  const matrix<float> a = skewed_matrix<float>(where());
  const vector<float> u(where(), 100000, 1.0f);
  vector<float> plain(where(), 20000), planned(where(), 20000);
  mxv(plain, plus_times<float>{}, a, u);
  // The first block that the copy allocates.
  context_state& state = *where().state();
  const plan forced{.kernel = "csr_vector", .hot_columns = true};
  state.account.fail_after(0);
  mxv(planned, plus_times<float>{}, a, u, {.plan = &forced});
  state.account.fail_after(-1);
  EXPECT_EQ(a.base().derived->hot, nullptr);
  EXPECT_EQ(planned.dense(-1), plain.dense(-1));
}

}  // namespace
}  // namespace tropic::testing
