// SPDX-License-Identifier: Apache-2.0

// step_list on every context: the vectors and sums of the same functions called one after the
// other, to the bit, and which lists run together.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <tropic/semirings/from_text.hpp>
#include <tropic/tropic.hpp>

#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

TROPIC_BINARY_OPERATOR(distance_of, x < y ? y - x : x - y);
TROPIC_UNARY_OPERATOR(value_and_place, 2 * x + i);
TROPIC_UNARY_OPERATOR(negative_from, i < first ? x : -x, (double, first));

// Rows of 0 to 7 entries, and one with as many as there are columns.
template <class T>
matrix<T> uneven(const context& where, index_t rows, index_t columns, bool fills_rows) {
  dice random(hash_text("uneven" + std::to_string(rows)));
  std::vector<std::uint32_t> row, column;
  std::vector<T> value;
  const auto enter = [&](index_t i, index_t j) {
    row.push_back(static_cast<std::uint32_t>(i));
    column.push_back(static_cast<std::uint32_t>(j));
    value.push_back(static_cast<T>(1 + random.roll(9)));
  };
  for (index_t i = 0; i < rows; ++i) {
    if (i == rows / 3) {
      for (index_t j = 0; j < columns; ++j) enter(i, j);
      continue;
    }
    const int count = random.roll(8) + (fills_rows ? 1 : 0);
    for (int n = 0; n < count; ++n) enter(i, (random.roll(1 << 30) + n) % columns);
  }
  return matrix<T>::from_entries(where, rows, columns, row, column, value, duplicates::maximum);
}

template <class T>
vector<T> some_values(const context& where, index_t n, int seed) {
  dice random(hash_text("values" + std::to_string(seed)));
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& v : values) v = static_cast<T>(random.roll(1000)) / static_cast<T>(7);
  return vector<T>::from_array(where, values);
}

template <class T>
bool same_bits(const vector<T>& x, const vector<T>& y) {
  const auto a = x.entries(), b = y.entries();
  return x.size() == y.size() && std::ranges::equal(a, b, [](const auto& one, const auto& other) {
           return one.index == other.index && std::memcmp(&one.value, &other.value, sizeof(T)) == 0;
         });
}

class Steps : public OnContext {};

// Steps before and behind a product, sums of both kinds: as PageRank has them.
template <class T, class S>
void check_iteration(const context& where, const S& semiring, index_t rows, index_t columns,
                     bool accumulates, const std::string& what) {
  SCOPED_TRACE(what + ", " + std::to_string(rows) + "x" + std::to_string(columns));
  const auto a = uneven<T>(where, rows, columns, !accumulates);
  const auto u = some_values<T>(where, columns, 1), v = some_values<T>(where, rows, 2);
  vector<T> within(where, rows);
  select(within, bind_second(greater{}, static_cast<T>(60)), v);
  using options = vector_options<T>;
  const options adds = accumulates ? options{.accumulate = plus{}} : options{};

  vector<T> w(where, rows), x(where, rows), terms(where, rows), kept(where, rows);
  apply(w, bind_second(times{}, static_cast<T>(3)), v);
  mxv(w, semiring, a, u, adds);
  ewise_multiply(terms, distance_of{}, w, v);
  const T change = reduce(plus_monoid<T>{}, terms);
  ewise_multiply(x, minimum{}, w, v);
  assign(kept, x, {.mask = structure(within)});
  const T part = reduce(plus_monoid<T>{}, kept), largest = reduce(maximum_monoid<T>{}, x);

  vector<T> w2 = v, x2(where, rows);
  T change2{}, part2{}, largest2{};
  step_list steps(where);
  for (int repeat = 0; repeat < 2; ++repeat) {
    steps.apply(w2, bind_second(times{}, static_cast<T>(3)), v);
    steps.mxv(w2, semiring, a, u, {.accumulate = adds.accumulate});
    steps.reduce(change2, plus_monoid<T>{}, distance_of{}, w2, v);
    steps.ewise_multiply(x2, minimum{}, w2, v);
    steps.reduce(part2, plus_monoid<T>{}, x2, within);
    steps.reduce(largest2, maximum_monoid<T>{}, x2);
    steps.run();
    EXPECT_TRUE(same_bits(w, w2));
    EXPECT_TRUE(same_bits(x, x2));
    EXPECT_EQ(change, change2);
    EXPECT_EQ(part, part2);
    EXPECT_EQ(largest, largest2);
  }
}

TEST_P(Steps, EqualTheSeparateOperations) {
  std::vector<index_t> sizes{1025, 5000};
  if (GetParam() != "opencl_0") sizes.insert(sizes.end(), {1, 2, 3, 1023, 1024, 2048, 40000});
  for (const index_t n : sizes) {
    for (const bool accumulates : {true, false}) {
      check_iteration<double>(where(), plus_times<double>{}, n, n, accumulates, "plus_times");
      check_iteration<std::int32_t>(where(), min_plus<std::int32_t>{}, n, n / 2 + 1, accumulates,
                                    "min_plus");
      check_iteration<float>(where(), plus_first<float>{}, n / 2 + 1, n, accumulates, "plus_first");
    }
  }
}

TEST_P(Steps, OfASemiringGivenAsText) {
  const index_t n = 3000;
  const semiring_description text =
      semiring_from_text("x < y ? x : y", "inf", "x * y + 1", describe<float>());
  const auto a = uneven<float>(where(), n, n, false);
  const auto u = some_values<float>(where(), n, 1), v = some_values<float>(where(), n, 2);
  const auto lesser = describe_operator<float, float, float>(minimum{});
  vector<float> w = v, w2 = v;
  detail::output_options<detail::vector_base> merged;
  merged.accumulator = &lesser;
  detail::multiply("mxv", w.base(), text, detail::factor_of(a), u.base(),
                   detail::factor_order::matrix_first, merged);
  detail::recorded_steps steps(where());
  steps.multiply("mxv", w2.base(), text, detail::factor_of(a), u.base(),
                 detail::factor_order::matrix_first, &lesser, nullptr);
  steps.run();
  EXPECT_TRUE(same_bits(w, w2));
}

TEST_P(Steps, RunInOrder) {
  const index_t n = 3000;
  const auto u = some_values<double>(where(), n, 3), v = some_values<double>(where(), n, 4);
  vector<double> w = u;
  const vector<double> copy = w;  // shares its array
  double before = 0, after = 0;
  step_list steps(where());
  steps.reduce(before, plus_monoid<double>{}, distance_of{}, w, u);
  steps.ewise_multiply(w, plus{}, w, v);
  steps.apply(w, value_and_place{}, w);
  steps.reduce(after, plus_monoid<double>{}, distance_of{}, w, u);
  steps.run();
  vector<double> expected(where(), n), terms(where(), n);
  ewise_multiply(expected, plus{}, u, v);
  apply(expected, value_and_place{}, expected);
  ewise_multiply(terms, distance_of{}, expected, u);
  EXPECT_TRUE(same_bits(w, expected));
  EXPECT_TRUE(same_bits(copy, u));
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, reduce(plus_monoid<double>{}, terms));
}

TEST_P(Steps, TakeGapsChangedInputsAndSeveralProducts) {
  const index_t n = 2500;
  const auto a = uneven<double>(where(), n, n, false);
  const auto u = some_values<double>(where(), n, 5);
  vector<double> few(where(), n);
  few.set(7, 2.5);
  few.set(2400, 0.5);
  double sum_of_few = 0, sum_within = 0, none = 5;
  vector<double> w(where(), n), x(where(), n), y = u, nothing(where(), n);
  step_list steps(where());
  steps.ewise_multiply(w, times{}, few, u);
  steps.reduce(sum_of_few, plus_monoid<double>{}, w);
  steps.reduce(sum_within, plus_monoid<double>{}, u, few);
  steps.reduce(none, plus_monoid<double>{}, u, nothing);
  steps.apply(y, bind_second(times{}, 2.0), u);
  steps.vxm(x, plus_times<double>{}, y, a);  // of a vector that the list has written
  steps.mxv(y, plus_times<double>{}, a, y);
  steps.run();
  EXPECT_EQ(w.nvals(), 2);
  EXPECT_EQ(w.get(7), 2.5 * *u.get(7));
  EXPECT_EQ(sum_of_few, 2.5 * *u.get(7) + 0.5 * *u.get(2400));
  EXPECT_EQ(sum_within, *u.get(7) + *u.get(2400));
  EXPECT_EQ(none, 0);
  vector<double> doubled(where(), n), x2(where(), n), y2(where(), n);
  apply(doubled, bind_second(times{}, 2.0), u);
  vxm(x2, plus_times<double>{}, doubled, a);
  mxv(y2, plus_times<double>{}, a, doubled);
  EXPECT_TRUE(same_bits(x, x2));
  EXPECT_TRUE(same_bits(y, y2));
}

// The list may run in one pass only if no other step writes the input of its product.
TEST_P(Steps, MayWriteTheInputOfTheirProduct) {
  const index_t n = 5000;
  const auto a = uneven<double>(where(), n, n, true);
  const plus_times<double> sums;
  const auto u = some_values<double>(where(), n, 1);
  vector<double> doubled(where(), n), w(where(), n), added = some_values<double>(where(), n, 1);
  apply(doubled, bind_second(times{}, 2.0), u);
  mxv(w, sums, a, doubled);
  mxv(added, sums, a, u, {.accumulate = plus{}});
  step_list steps(where());
  {
    SCOPED_TRACE("before the product");
    vector<double> x = some_values<double>(where(), n, 2), y(where(), n);
    steps.apply(x, bind_second(times{}, 2.0), u);
    steps.mxv(y, sums, a, x);
    steps.run();
    EXPECT_TRUE(same_bits(x, doubled));
    EXPECT_TRUE(same_bits(y, w));
  }
  {
    SCOPED_TRACE("by the product");
    vector<double> x = some_values<double>(where(), n, 1);
    steps.mxv(x, sums, a, x, {.accumulate = plus{}});
    steps.run();
    EXPECT_TRUE(same_bits(x, added));
  }
  {
    SCOPED_TRACE("behind the product");
    vector<double> x = some_values<double>(where(), n, 1), y = x;
    apply(x, bind_second(times{}, 2.0), u);
    steps.mxv(y, sums, a, x);
    steps.apply(x, bind_second(times{}, 0.5), x);
    steps.run();
    EXPECT_TRUE(same_bits(x, u));
    EXPECT_TRUE(same_bits(y, w));
  }
}

// Products of sparse vectors use the workspace of a list's sums, and expect cleared flags.
TEST_P(Steps, LeaveNothingToLaterProducts) {
  const index_t n = 3000;
  const auto a = uneven<double>(where(), n, n, false);  // some rows are empty
  vector<double> few(where(), n), expected(where(), n), found(where(), n);
  for (const index_t i : {n / 3, n / 2, n - 1}) few.set(i, 2.5);  // row n / 3 has all columns
  vxm(expected, plus_times<double>{}, few, a);
  vector<double> w = some_values<double>(where(), n, 2);
  const auto u = some_values<double>(where(), n, 1);
  step_list steps(where());
  steps.mxv(w, plus_times<double>{}, a, u, {.accumulate = plus{}});
  steps.run();
  vxm(found, plus_times<double>{}, few, a);
  EXPECT_EQ(found.nvals(), n);
  EXPECT_TRUE(same_bits(found, expected));
}

TEST_P(Steps, AnEmptyListDoesNothing) {
  step_list steps(where());
  steps.run();
  vector<int> u(where(), 0), w(where(), 0);
  int sum = 3;
  steps.apply(w, identity{}, u);
  steps.reduce(sum, plus_monoid<int>{}, u);
  steps.run();
  EXPECT_EQ(w.nvals(), 0);
  EXPECT_EQ(sum, 0);
}

TEST_P(Steps, AreCheckedWhenTheyAreAdded) {
  vector<double> three(where(), 3, 1.0), four(where(), 4, 1.0);
  const matrix<double> a(where(), 3, 3);
  double sum = 0;
  step_list steps(where());
  EXPECT_THROW(steps.ewise_multiply(three, plus{}, three, four), usage_error);
  EXPECT_THROW(steps.apply(three, identity{}, four), usage_error);
  EXPECT_THROW(steps.mxv(three, plus_times<double>{}, a, four), usage_error);
  EXPECT_THROW(steps.reduce(sum, plus_monoid<double>{}, three, four), usage_error);
  EXPECT_THROW(steps.reduce(sum, plus_monoid<double>{}, plus{}, three, four), usage_error);
  const context other = context::cpu();
  vector<double> foreign(other, 3, 1.0);
  EXPECT_THROW(steps.apply(foreign, identity{}, foreign), usage_error);
  EXPECT_THROW(steps.apply(three, identity{}, foreign), usage_error);
  plan unknown;
  unknown.kernel = "no_such_kernel";
  EXPECT_THROW(steps.mxv(three, plus_times<double>{}, a, three, {.plan = &unknown}), usage_error);
  steps.run();  // none was added
  EXPECT_EQ(three.get(0), 1.0);
}

TEST_P(Steps, RunOnce) {
  vector<double> w(where(), 3, 1.0);
  step_list steps(where());
  steps.apply(w, bind_second(plus{}, 1.0), w);
  steps.run();
  steps.run();
  EXPECT_EQ(w.get(2), 2.0);
}

TROPIC_ON_EVERY_CONTEXT(Steps);

// The names of the operations that a list as PageRank has it runs as.
std::vector<std::string> operations_of_an_iteration(const context& where) {
  const index_t n = 5000;
  const auto a = uneven<double>(where, n, n, false);
  const auto u = some_values<double>(where, n, 1);
  vector<double> w = u, x(where, n), positive(where, n);
  select(positive, bind_second(greater{}, 60.0), u);
  double change = 0, part = 0;
  where.forget_profile();
  step_list steps(where);
  steps.apply(w, bind_second(times{}, 0.5), u);
  steps.vxm(w, plus_times<double>{}, u, a, {.accumulate = plus{}});
  steps.reduce(change, plus_monoid<double>{}, distance_of{}, w, u);
  steps.ewise_multiply(x, times{}, w, u);
  steps.reduce(part, plus_monoid<double>{}, x, positive);
  steps.run();
  std::vector<std::string> names;
  for (const operation_profile& p : where.profile()) names.push_back(p.operation);
  return names;
}

void expect_one_pass(const std::vector<std::string>& names) {
  EXPECT_NE(std::ranges::find(names, "step_list"), names.end());
  EXPECT_EQ(std::ranges::find(names, "apply"), names.end());
  EXPECT_EQ(std::ranges::find(names, "reduce"), names.end());
}

TEST(StepsOnCpu, RunInOnePass) {
  context_options options;
  options.profile = true;
  options.threads = 2;
  expect_one_pass(operations_of_an_iteration(context::cpu(options)));
}

class StepsOnDevice : public OnContext {};

TEST_P(StepsOnDevice, RunInOnePass) {
  context_options options;
  options.profile = true;
  expect_one_pass(operations_of_an_iteration(*make_context(context_name(), options).where));
}

// Positions that no work-item has alone, and sums of many groups.
TEST_P(StepsOnDevice, EqualTheSeparateOperationsOverLongVectors) {
  const index_t n = 600'000;
  const auto u = some_values<double>(where(), n, 1), v = some_values<double>(where(), n, 2);
  vector<double> within(where(), n), w(where(), n), terms(where(), n), kept(where(), n), x = v;
  select(within, bind_second(greater{}, 60.0), v);
  // Of large terms that nearly cancel: another order of them would give another sum.
  ewise_multiply(w, times{}, u, v);
  apply(w, negative_from{300'000.0}, w);
  ewise_multiply(terms, distance_of{}, w, v);
  assign(kept, w, {.mask = structure(within)});
  double change = 0, part = 0, all = 0, smallest = 0;
  step_list steps(where());
  steps.ewise_multiply(x, times{}, u, x);
  steps.apply(x, negative_from{300'000.0}, x);
  steps.reduce(change, plus_monoid<double>{}, distance_of{}, x, v);
  steps.reduce(part, plus_monoid<double>{}, x, within);
  steps.reduce(all, plus_monoid<double>{}, x);
  steps.reduce(smallest, minimum_monoid<double>{}, u, within);
  steps.run();
  EXPECT_TRUE(same_bits(w, x));
  EXPECT_EQ(change, reduce(plus_monoid<double>{}, terms));
  EXPECT_EQ(part, reduce(plus_monoid<double>{}, kept));
  EXPECT_EQ(all, reduce(plus_monoid<double>{}, w));
  assign(kept, u, {.mask = structure(within)});
  EXPECT_EQ(smallest, reduce(minimum_monoid<double>{}, kept));
}

// A sum without terms, lists without sums, and results that share arrays with operands.
TEST_P(StepsOnDevice, LeaveSharedArraysAndSumsWithoutTerms) {
  const index_t n = 3000;
  const auto u = some_values<double>(where(), n, 1);
  vector<double> above(where(), n), x = u, y = u, expected(where(), n);
  select(above, bind_second(greater{}, 60.0), u);
  select(above, bind_second(less{}, 0.0), above);  // a bitmap of no entries
  double none = 5;
  step_list steps(where());
  steps.apply(x, value_and_place{}, u);
  steps.reduce(none, plus_monoid<double>{}, x, above);
  steps.run();
  steps.ewise_multiply(y, plus{}, x, y);
  steps.apply(x, bind_first(minus{}, 1.0), x);
  steps.run();
  EXPECT_EQ(none, 0);
  EXPECT_TRUE(same_bits(u, some_values<double>(where(), n, 1)));
  apply(expected, value_and_place{}, u);
  vector<double> y2(where(), n);
  ewise_multiply(y2, plus{}, expected, u);
  apply(expected, bind_first(minus{}, 1.0), expected);
  EXPECT_TRUE(same_bits(x, expected));
  EXPECT_TRUE(same_bits(y, y2));
}

INSTANTIATE_TEST_SUITE_P(Contexts, StepsOnDevice, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
