// SPDX-License-Identifier: Apache-2.0

// Products that are divided into parts: rows longer than a part, many rows, pushes with many
// entries. Against the reference for the adversarial semirings; and identical bits for every number
// of threads and every run, even if floating-point sums round.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/semirings.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace {

// Entries generated without visiting every position.
host_matrix scattered(index_t rows, index_t columns, std::size_t entries,
                      const type_description& type, flavour kind, dice& random) {
  host_matrix result{&type, rows, columns, {}};
  for (std::size_t e = 0; e < entries; ++e)
    result.entries.emplace(
        std::pair{static_cast<index_t>(random.next() % static_cast<std::uint64_t>(rows)),
                  static_cast<index_t>(random.next() % static_cast<std::uint64_t>(columns))},
        random_value(type, kind, random));
  return result;
}

// Three rows, the middle one with an entry in almost every column.
host_matrix one_long_row(index_t columns, const type_description& type, flavour kind,
                         dice& random) {
  host_matrix result{&type, 3, columns, {}};
  for (index_t j = 0; j < columns; ++j) {
    if (random.chance(0.98))
      result.entries.emplace(std::pair{index_t{1}, j}, random_value(type, kind, random));
    if (random.chance(0.01))
      result.entries.emplace(std::pair{index_t{2}, j}, random_value(type, kind, random));
  }
  return result;
}

struct large_case {
  const char* name;
  bool long_row;
  double density;
};
constexpr large_case large_cases[] = {
    {"a long row, all of u", true, 1.0},     {"a long row, some of u", true, 0.5},
    {"many rows, all of u", false, 1.0},     {"many rows, some of u", false, 0.4},
    {"many rows, little of u", false, 0.02},
};

// By a kernel, or by the library's choice.
host_vector run(const context& where, const test_semiring& algebra, const detail::matrix_base& a,
                const host_vector& u, const host_vector& mask, bool transposed, bool vector_first,
                std::string_view kernel) {
  const detail::vector_base input =
      make(where, u,
           static_cast<index_t>(u.entries.size()) == u.size ? vector_storage::full
                                                            : vector_storage::bitmap);
  const index_t outputs = transposed == vector_first ? a.rows : a.columns;
  detail::vector_base w = detail::empty_vector(where.state(), algebra.description.z(), outputs);
  const detail::vector_base masked = make(where, mask, vector_storage::sparse);
  detail::output_options<detail::vector_base> options;
  if (mask.size == outputs) options.mask = {&masked, true, true};
  plan forced;
  forced.kernel = kernel;
  if (!kernel.empty()) options.forced = &forced;
  detail::multiply(
      "product", w, algebra.description, {.matrix = a, .transposed = transposed}, input,
      vector_first ? detail::factor_order::vector_first : detail::factor_order::matrix_first,
      options);
  return read(w);
}

class LargeProduct : public AgainstReference {
 protected:
  // The kernels that run with adversarial semiring `n`. In a quick run PoCL, which compiles a
  // program for each, takes every third: each kernel with two of the six semirings, which the seed
  // selects.
  std::vector<std::string> kernels_for(std::size_t n) const {
    std::vector<std::string> kernels = kernels_under_test(where());
    kernels.emplace_back();  // the library's choice
    if (!is_on_pocl(where()) || !is_quick_run()) return kernels;
    std::vector<std::string> some;
    for (std::size_t k = (n + base_seed()) % 3; k < kernels.size(); k += 3)
      some.push_back(kernels[k]);
    return some;
  }
};

TEST_P(LargeProduct, AgreesWithTheReference) {
  const auto flags = compiled_quickly(where());
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  std::size_t cases = 0, algebras = 0;
  for (const test_semiring& algebra : adversarial_semirings()) {
    const std::vector<std::string> kernels = kernels_for(algebras++);
    for (const large_case& one : large_cases)
      for (const int orientation : {0, 1, 3}) {
        if (cases++ % stride_of_cases() != 0) continue;
        const bool transposed = orientation & 1, vector_first = orientation & 2;
        const semiring_description& s = algebra.description;
        const type_description& a_type = vector_first ? s.x() : s.a();
        const type_description& u_type = vector_first ? s.a() : s.x();
        const host_matrix a = one.long_row
                                  ? one_long_row(70000, a_type, algebra.values, random)
                                  : scattered(2500, 2700, 45000, a_type, algebra.values, random);
        const bool rows_are_output = transposed == vector_first;
        const host_vector u = random_vector(u_type, rows_are_output ? a.columns : a.rows,
                                            one.density, algebra.values, random);
        // Every second mask is complemented.
        const index_t outputs = rows_are_output ? a.rows : a.columns;
        const host_vector mask = random_vector(describe<bool>(), random.chance(0.5) ? outputs : 0,
                                               0.3, flavour::small, random);
        const host_vector expected = run(reference(), algebra, make(reference(), a, false, false),
                                         u, mask, transposed, vector_first, "");
        const detail::matrix_base made = make(where(), a, false, false);
        for (const std::string& kernel : kernels)
          ASSERT_EQ(difference(expected, run(where(), algebra, made, u, mask, transposed,
                                             vector_first, kernel)),
                    "")
              << algebra.name << ", " << one.name << ", orientation " << orientation << ", kernel '"
              << kernel << "'";
      }
  }
}

TROPIC_ON_EVERY_CONTEXT(LargeProduct);

// Early exit in bad cases: the only match of a long row is its last entry, or there is none, with
// short rows before, between and after.
TEST_P(LargeProduct, RowsThatEndLateOrNeverAgree) {
  const auto value = [](bool is_true) { return scalar_bytes::of(is_true); };
  const type_description& type = describe<bool>();
  constexpr index_t columns = 5000;
  host_matrix a{&type, 70, columns, {}};
  for (const index_t row : {3, 34, 35, 69})
    for (index_t j = row % 2; j < columns - row % 3; ++j)
      a.entries.emplace(std::pair{row, j}, value(row != 35 && j + row % 3 + 1 == columns));
  for (index_t row = 0; row < a.rows; row += 2)
    for (index_t n = 0; n < row % 7; ++n)
      a.entries.emplace(std::pair{row, (97 * row + 31 * n) % columns}, value(n % 3 == 1));
  const host_vector no_mask{&type, 0, {}};
  for (const char* name : {"or_and", "and_or", "any_pair", "any_second"}) {
    const test_semiring algebra{name, *builtin_semiring(name, type_code::boolean), flavour::small};
    const detail::matrix_base known = make(reference(), a, false, false),
                              made = make(where(), a, false, false);
    for (const index_t step : {1, 2, 4999}) {  // all of u, half of it, two entries
      host_vector u{&type, columns, {}};
      for (index_t j = 0; j < columns; j += step) u.entries.emplace(j, value(true));
      const host_vector expected = run(reference(), algebra, known, u, no_mask, false, false, "");
      for (const std::string& kernel : kernels_under_test(where()))
        ASSERT_EQ(
            difference(expected, run(where(), algebra, made, u, no_mask, false, false, kernel)), "")
            << name << ", every " << step << "th entry of u, kernel '" << kernel << "'";
    }
  }
}

// The flags of a u of 2^20 positions are packed into bits on devices.
TEST_P(LargeProduct, SumsOverALargeBitmapAgree) {
  constexpr index_t columns = (1 << 20) + 37, rows = 613;
  std::vector<std::uint32_t> row_of, column_of;
  std::vector<std::int64_t> values, expected(rows, 0), of_u;
  std::vector<bool> found(rows);
  for (index_t j = 0; j < columns; ++j) of_u.push_back(j * 7919 % 1000);
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = i; j < columns; j += rows) {
      row_of.push_back(static_cast<std::uint32_t>(i));
      column_of.push_back(static_cast<std::uint32_t>(j));
      values.push_back(i % 5 + j % 3 + 1);
      const std::int64_t other = of_u[static_cast<std::size_t>(j)];
      if (other < 300 && i % 7 != 0) {  // every seventh row gets no entry
        expected[static_cast<std::size_t>(i)] += values.back() * other;
        found[static_cast<std::size_t>(i)] = true;
      }
      if (i % 7 == 0) of_u[static_cast<std::size_t>(j)] = 999;
    }
  const auto a = matrix<std::int64_t>::from_entries(where(), rows, columns, row_of, column_of,
                                                    std::span<const std::int64_t>(values));
  const auto all = vector<std::int64_t>::from_array(where(), of_u);
  vector<std::int64_t> u(where(), columns);
  select(u, bind_second(less{}, std::int64_t{300}), all);
  for (const std::string& kernel : kernels_under_test(where())) {
    vector<std::int64_t> w(where(), rows);
    const plan forced{.kernel = kernel};
    mxv(w, plus_times<std::int64_t>{}, a, u, {.plan = &forced});
    EXPECT_EQ(w.nvals(), std::ranges::count(found, true)) << kernel;
    EXPECT_EQ(w.dense(0), expected) << kernel;
  }
}

bool same_bits(const host_vector& a, const host_vector& b) {
  if (a.entries.size() != b.entries.size()) return false;
  for (auto left = a.entries.begin(), right = b.entries.begin(); left != a.entries.end();
       ++left, ++right)
    if (left->first != right->first ||
        std::memcmp(left->second.data(), right->second.data(), a.type->size) != 0)
      return false;
  return true;
}

// Rows that span groups are combined after the groups, in whatever order these finish. Every tenth
// run has a matrix of its own, which is converted anew.
TEST_P(LargeProduct, IsTheSameFromRunToRun) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const test_semiring algebra{"plus_times", *builtin_semiring("plus_times", type_code::fp64),
                              flavour::real};
  const type_description& type = algebra.description.z();
  const host_matrix a = scattered(2500, 2700, 45000, type, flavour::real, random);
  const host_vector u = random_vector(type, a.columns, 1.0, flavour::real, random);
  const host_vector no_mask{&describe<bool>(), 0, {}};
  std::vector<std::string> kernels = kernels_under_test(where());
  kernels.emplace_back();
  for (const std::string& kernel : kernels) {
    host_vector first;
    detail::matrix_base made;
    for (int n = 0; n <= 60; ++n) {
      if (n % 10 == 0) made = make(where(), a, false, false);
      const host_vector found = run(where(), algebra, made, u, no_mask, false, false, kernel);
      if (n == 0) first = found;
      ASSERT_TRUE(same_bits(first, found)) << "kernel '" << kernel << "', run " << n;
    }
  }
}

TEST(Threads, DoNotChangeTheResult) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const std::unique_ptr<context> one_thread = make_context("cpu_1").where,
                                 two = make_context("cpu_2").where,
                                 three = make_context("cpu_3").where;
  for (const type_code code : {type_code::fp32, type_code::fp64})
    for (const char* name : {"plus_times", "max_times"})
      for (const large_case& one : large_cases)
        for (const char* kernel : {"pull", "push"})
          for (const bool transposed : {false, true}) {
            const test_semiring algebra{name, *builtin_semiring(name, code), flavour::real};
            const type_description& type = describe(code);
            const host_matrix a = one.long_row
                                      ? one_long_row(70000, type, flavour::real, random)
                                      : scattered(2500, 2700, 45000, type, flavour::real, random);
            const host_vector u = random_vector(type, transposed ? a.rows : a.columns, one.density,
                                                flavour::real, random);
            const host_vector no_mask{&describe<bool>(), 0, {}};
            const auto with = [&](const context& where) {
              return run(where, algebra, make(where, a, false, false), u, no_mask, transposed,
                         false, kernel);
            };
            const host_vector alone = with(*one_thread);
            EXPECT_TRUE(same_bits(alone, with(*two))) << name << ", " << one.name << ", " << kernel;
            EXPECT_TRUE(same_bits(alone, with(*three)))
                << name << ", " << one.name << ", " << kernel;
            EXPECT_TRUE(same_bits(alone, with(*three))) << name << ", " << one.name << ", again";
          }
}

}  // namespace
}  // namespace tropic::testing
