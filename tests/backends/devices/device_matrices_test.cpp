// SPDX-License-Identifier: Apache-2.0

// Operations on matrices and lists of positions on devices: no array is copied to the host, and
// sorting, sums and merges are right on both sides of every boundary of tiles and digits.

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include <tropic/detail/operations.hpp>
#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

#include "backends/operators.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace detail;

TROPIC_BINARY_OPERATOR(weighs_position, x + y + 1000 * i + j);

class DeviceMatrices : public OnContext {
 protected:
  // The bytes that a call copies to the host and to the device.
  void expect_stays(const std::string& what, const std::function<void()>& call,
                    std::uint64_t sent = 0) {
    call();  // builds what is kept with a matrix, compiles programs
    const device_traffic before = where().traffic();
    call();
    const device_traffic after = where().traffic();
    EXPECT_GT(after.launches, before.launches) << what;
    EXPECT_LE(after.to_host - before.to_host, 64u) << what << ": bytes to the host";
    EXPECT_LE(after.to_device - before.to_device, sent) << what << ": bytes to the device";
  }
};

TEST_P(DeviceMatrices, StayOnTheDeviceInEveryOperation) {
  const auto entries = generate("kron:9:8:3", {.weighted = true, .type = type_code::int32});
  const auto a = make_matrix<std::int32_t>(where(), entries);
  const index_t n = a.rows();
  matrix<std::int32_t> c(where(), n, n), b(where(), n, n);
  matrix<bool> mask(where(), n, n);
  transpose(b, a);
  apply(mask, bind_second(less{}, std::int32_t{3}), a);
  vector<std::int32_t> w(where(), n);
  const plus add;
  expect_stays("transpose", [&] { transpose(c, a, {.mask = mask}); });
  expect_stays("union", [&] { ewise_add(c, add, a, b); });
  expect_stays("union, in place", [&] { ewise_add(c, add, c, b, {.accumulate = add}); });
  expect_stays("intersection", [&] { ewise_multiply(c, add, a, b, {.mask = complement(mask)}); });
  expect_stays("apply", [&] { apply(c, bind_first(minus{}, std::int32_t{7}), a); });
  expect_stays("select", [&] { select(c, bind_second(less{}, std::int32_t{1}), a); });
  expect_stays("assign", [&] { assign(c, a, {.mask = structure(mask), .replace = true}); });
  expect_stays(
      "assign a value", [&] { assign(c, 7, {.mask = mask}); }, sizeof(std::int32_t));
  expect_stays("reduce rows", [&] { reduce(w, plus_monoid<std::int32_t>{}, a); });
  expect_stays("reduce", [&] { reduce(plus_monoid<std::int32_t>{}, a); });
  matrix<double> real(where(), n, n);
  apply(real, identity{}, a);
  expect_stays("reduce, rounding", [&] { reduce(plus_monoid<double>{}, real); });
}

TEST_P(DeviceMatrices, ListedPositionsStayThere) {
  const index_t n = 3000;
  std::vector<index_t> list;
  for (index_t i = n - 2; i > 0; i -= 7) list.push_back(i);
  vector<float> w(where(), n, 1.0f);
  vector<float> u(where(), static_cast<index_t>(list.size()), 3.0f);
  const std::uint64_t sent = list.size() * sizeof(std::uint32_t);
  expect_stays(
      "assign a value", [&] { assign(w, 2.0f, list); }, sent);
  expect_stays(
      "assign", [&] { assign(w, u, list); }, sent);

  const auto a = make_matrix<float>(where(), generate("urand:6:4:1"));
  matrix<float> c(where(), n, n);
  const std::vector<index_t> rows(list.begin(), list.begin() + a.rows()),
      columns(list.end() - a.columns(), list.end());
  const std::uint64_t lists = 4 * rows.size() * sizeof(std::uint32_t);  // and in ascending order
  expect_stays(
      "assign a matrix", [&] { assign(c, a, rows, columns); }, lists);
  expect_stays(
      "assign a value to a matrix", [&] { assign(c, 2.0f, rows, columns); }, lists + sizeof(float));
}

// Operators that read positions: every entry has the right row and column, also after empty rows.
TEST_P(DeviceMatrices, EntriesKnowTheirRowAndColumn) {
  const auto entries = generate("urand:9:3:8");
  const auto a = make_matrix<float>(where(), entries);
  const index_t n = a.rows();
  matrix<index_t> row(where(), n, n), column(where(), n, n), sum(where(), n, n);
  apply(row, row_index{}, a);
  apply(column, column_index{}, a);
  ewise_multiply(sum, weighs_position{}, row, column);
  matrix<float> lower(where(), n, n);
  select(lower, strictly_lower_triangle{}, a);
  index_t below = 0;
  const auto columns = a.column_indices();
  for (index_t i = 0; i < n; ++i)
    for (index_t e = a.offset(i); e < a.offset(i + 1); ++e) {
      const index_t j = columns.data[static_cast<std::size_t>(e)];
      ASSERT_EQ(row.get(i, j), i);
      ASSERT_EQ(column.get(i, j), j);
      ASSERT_EQ(sum.get(i, j), i + j + 1000 * i + j);
      ASSERT_EQ(lower.get(i, j).has_value(), j < i);
      below += j < i;
    }
  EXPECT_EQ(lower.nvals(), below);
  EXPECT_EQ(sum.nvals(), a.nvals());
}

// Every (rows, columns) around digits of 4 bits, every number of entries around tiles of 1024.
TEST_P(DeviceMatrices, TransposesOnEverySideOfADigitAndATile) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const type_description& type = describe<std::uint16_t>();
  for (const int columns : {1, 2, 15, 16, 17, 255, 256, 257, 4096, 4097, 70000})
    for (const unsigned entries : {1u, 7u, 127u, 128u, 1023u, 1024u, 1025u, 2048u, 5000u}) {
      const index_t rows = 1 + random.roll(3000);
      host_matrix from{&type, rows, columns, {}}, expected{&type, columns, rows, {}};
      for (unsigned n = 0; n < entries; ++n) {
        const index_t i = random.roll(static_cast<int>(rows)),
                      j = random.roll(static_cast<int>(columns));
        const scalar_bytes value = random_value(type, flavour::small, random);
        from.entries[{i, j}] = value;
        expected.entries[{j, i}] = value;
      }
      const bool iso = random.chance(0.2);
      if (iso) {
        for (auto& [at, value] : from.entries) value = from.entries.begin()->second;
        for (auto& [at, value] : expected.entries) value = from.entries.begin()->second;
      }
      const matrix_base a = make(where(), from, random.chance(0.5), iso);
      matrix_base c = empty_matrix(where().state(), type, columns, rows);
      transpose(c, a, {});
      ASSERT_EQ(difference(expected, read(c)), "")
          << rows << "x" << columns << ", " << from.entries.size() << " entries";
      index_t longest = 0, empty = 0;
      for (index_t row = 0; row < c.rows; ++row) {
        const index_t length = offset_at(c, row + 1) - offset_at(c, row);
        longest = std::max(longest, length);
        empty += length == 0;
      }
      ASSERT_EQ(c.longest_row, longest);
      ASSERT_EQ(c.empty_rows, empty);
    }
}

// Few programs, many cases: listed rows and columns in any order, no rows, all rows, masks,
// accumulators, one value or a matrix, iso and wide matrices, an output that is its own mask.
TEST_P(DeviceMatrices, AssignmentsToListsAreTheReferences) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const context reference = context::reference();
  const type_description& type = describe<std::int32_t>();
  const operator_description sum = binary_operator(0, type);
  const auto some = [&](index_t size) {
    std::vector<index_t> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), index_t{0});
    for (std::size_t n = all.size(); n > 1; --n)
      std::swap(all[n - 1], all[static_cast<std::size_t>(random.next() % n)]);
    all.resize(static_cast<std::size_t>(random.next() % (all.size() + 1)));
    return all;
  };
  for (int n = 0; n < 400; ++n) {
    const index_t rows = random.roll(40), columns = random.roll(n % 8 == 0 ? 300 : 30);
    const std::vector<index_t> row_list = some(rows), column_list = some(columns);
    const std::span<const index_t> of_rows(row_list), of_columns(column_list);
    const bool all_rows = random.chance(0.2), all_columns = random.chance(0.2);
    const double density = random.chance(0.3) ? 0.8 : 0.15;
    const host_matrix c = random_matrix(type, rows, columns, density, flavour::small, random);
    host_matrix a = random_matrix(type, all_rows ? rows : std::ssize(row_list),
                                  all_columns ? columns : std::ssize(column_list), density,
                                  flavour::small, random);
    const host_matrix mask =
        random_matrix(describe<std::uint8_t>(), rows, columns, 0.4, flavour::small, random);
    const bool iso = random.chance(0.2), wide = random.chance(0.3), masked = random.chance(0.6),
               masked_by_output = random.chance(0.2), structural = random.chance(0.5),
               complemented = random.chance(0.5), replace = masked && random.chance(0.5),
               accumulates = random.chance(0.4), one_value = random.chance(0.5);
    if (iso) make_iso(a);
    const scalar_bytes value = random_value(type, flavour::small, random);
    const auto assigned = [&](const context& on) {
      matrix_base to = make(on, c, wide, false);
      const matrix_base from = make(on, a, wide, iso), m = make(on, mask, false, false);
      output_options<matrix_base> options;
      if (masked) options.mask = {masked_by_output ? &to : &m, structural, complemented};
      options.replace = replace;
      if (accumulates) options.accumulator = &sum;
      const auto* i = all_rows ? nullptr : &of_rows;
      const auto* j = all_columns ? nullptr : &of_columns;
      if (one_value)
        assign(to, value.data(), i, j, options);
      else
        assign(to, from, i, j, options);
      return read(to);
    };
    ASSERT_EQ(difference(assigned(reference), assigned(where())), "")
        << "case " << n << ": " << rows << "x" << columns << ", " << row_list.size() << " rows, "
        << column_list.size() << " columns";
  }
}

// Floating-point sums that round: a push adds in the order of u's entries.
TEST_P(DeviceMatrices, PushesThatRoundAreTheSameFromRunToRun) {
  const auto entries = generate("kron:11:16:5", {.weighted = true, .type = type_code::fp32});
  const context cpu = context::cpu();
  const auto here = make_matrix<float>(cpu, entries), there = make_matrix<float>(where(), entries);
  const index_t n = here.rows();
  plan push;
  push.kernel = "push";
  for (const index_t step : {1, 3, 64, 1000}) {
    const auto pushed = [&](const context& on, const matrix<float>& a) {
      vector<float> u(on, n), w(on, n);
      for (index_t i = 0; i < n; i += step) u.set(i, 1.0f / static_cast<float>(i + 3));
      vxm(w, plus_times<float>{}, u, a, {.plan = &push});
      return w.dense(-1.0f);
    };
    const std::vector<float> expected = pushed(cpu, here), first = pushed(where(), there);
    EXPECT_EQ(first, pushed(where(), there)) << step;
    ASSERT_EQ(expected.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_NEAR(expected[i], first[i], 1e-4f * std::abs(expected[i]) + 1e-30f)
          << step << ", " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceMatrices, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
