// SPDX-License-Identifier: Apache-2.0

// mxm and reduce_mxm on every context against the reference: every pair of levels of all factors,
// every semiring among them; all combinations of mask x accumulator x replace x transposes for the
// adversarial semirings; random cases; large ones, which the CPU divides into parts. A failure
// prints the line that replays it:
//   TROPIC_REPLAY=mxm:... tropic_backends_tests --gtest_filter='*Mxm*Replay*'

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/mxm/mxm_cases.hpp"
#include "backends/mxm/mxm_limits.hpp"
#include "backends/operators.hpp"
#include "support/messages.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace mxm_test {
namespace {

using factor = mxm_factor;

class Mxm : public AgainstReference {
 protected:
  // On a device every other case has so low limits that small matrices cross them.
  bool check(bool adversarial, const mxm_case& one) {
    if (detail::mxm_limits* limits = mxm_limits_of(where()))
      *limits = one.seed % 2 == 0 ? detail::mxm_limits{} : low_mxm_limits();
    const auto& semirings = adversarial ? adversarial_semirings() : all_semirings();
    return agrees(
        semirings[static_cast<std::size_t>(one.at[factor::semiring])].name,
        mxm_difference(where(), reference(), semirings, one),
        replay_line("mxm", {one.at,
                            {adversarial ? "adversarial" : "all", std::to_string(one.of.rows),
                             std::to_string(one.of.inner), std::to_string(one.of.columns),
                             std::to_string(one.of.entries), std::to_string(one.of.kind),
                             std::to_string(one.seed)}}));
  }
  // Each case runs a fifth of the shapes, in rotation, unless TROPIC_EVERY=1 asks for all. On PoCL,
  // where nearly every case of the pairs is two new programs, every 32nd case, from one that the
  // seed selects.
  void check_shapes(bool adversarial, const std::vector<levels>& cases) {
    const std::size_t step = is_quick_run() ? 5 : 1;
    const bool samples = is_on_pocl(where()) && !adversarial && is_quick_run();
    const std::size_t stride = samples ? 32 : stride_of_cases();
    for (std::size_t n = samples ? base_seed() % stride : 0; n < cases.size(); n += stride)
      for (std::size_t s = n % step; s < mxm_shapes().size(); s += step)
        if (!check(adversarial, {cases[n], mxm_shapes()[s], n * 64 + s + 1})) return;
  }
};

std::vector<int> all_sizes() {
  return mxm_factor_sizes(static_cast<int>(all_semirings().size()));
}

TEST_P(Mxm, AgreesForEveryPairOfLevels) {
  const auto flags = compiled_quickly(where());
  check_shapes(false, every_pair(all_sizes()));
}

TEST_P(Mxm, AgreesForAdversarialSemirings) {
  const std::vector<int> sizes = mxm_factor_sizes(static_cast<int>(adversarial_semirings().size()));
  std::vector<int> crossed(sizes.begin(), sizes.begin() + factor::wide);
  crossed[factor::accumulator] = 2;
  std::vector<levels> cases = every_combination(crossed);
  dice random(17);
  for (levels& one : cases)
    for (std::size_t f = factor::wide; f < factor::count; ++f) one.push_back(random.roll(sizes[f]));
  check_shapes(true, cases);
}

TEST_P(Mxm, AgreesOnRandomCases) {
  const auto flags = compiled_quickly(where());
  dice random(base_seed());
  const int cases = !is_on_pocl(where()) ? 300 : is_quick_run() ? 20 : 40;
  for (int n = 0; n < cases; ++n) {
    mxm_case one{random.pick(all_sizes()), {}, random.next()};
    const index_t max_size = random.chance(0.2) ? 5000 : 150;
    one.of = {random.roll(150), random.roll(150), random.roll(static_cast<int>(max_size)),
              random.roll(600), static_cast<mxm_shape::pattern>(random.roll(3))};
    if (random.chance(0.4)) one.of.columns = one.of.inner = one.of.rows;
    if (!check(false, one)) return;
  }
}

// Several parts of rows, several blocks a part, rows of every kind: sorted by insertion, through
// the bitmap, by scanning.
TEST_P(Mxm, AgreesOnLargeMatrices) {
  dice random(5);
  const mxm_shape shapes[] = {{500, 400, 500, 7000},
                              {900, 900, 70000, 4000},
                              {3000, 3000, 3000, 5000},
                              {20, 5000, 4097, 8000}};
  for (const mxm_shape& of : shapes)
    for (int mask = 0; mask < 5; mask += 2)
      for (int transposes = 0; transposes < 4; transposes += 3) {
        levels at = random.pick(mxm_factor_sizes(static_cast<int>(adversarial_semirings().size())));
        at[factor::mask] = mask;
        at[factor::transposes] = transposes;
        at[factor::alias] = 0;
        if (!check(true, {at, of, random.next()})) return;
      }
}

// Rows of exactly so many columns, around every limit of how they are sorted.
TEST_P(Mxm, SortsRowsOfEveryLength) {
  constexpr index_t columns = 70000;
  std::vector<index_t> lengths{0, 1, 2, 23, 24, 25, 26, 63, 64, 65, 4374, 4375, 4376, 20000};
  const auto rows = static_cast<index_t>(lengths.size());
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> value;
  dice random(2);
  for (index_t i = 0; i < rows; ++i) {
    const index_t length = lengths[static_cast<std::size_t>(i)];
    // Two rows of B for each row of C, with interleaved columns.
    for (index_t n = 0; n < length; ++n) {
      row.push_back(static_cast<std::uint32_t>(2 * i + n % 2));
      column.push_back(
          static_cast<std::uint32_t>(length < 4000 ? n * (columns / (length + 1)) : n * 3));
      value.push_back(n + 1);
    }
  }
  std::vector<std::uint32_t> a_row, a_column;
  for (index_t k = 0; k < 2 * rows; ++k) {
    a_row.push_back(static_cast<std::uint32_t>(k / 2));
    a_column.push_back(static_cast<std::uint32_t>(k % 2 == 0 ? k + 1 : k - 1));
  }
  const auto a = matrix<std::int64_t>::from_pattern(where(), rows, 2 * rows, a_row, a_column, 3);
  const auto b = matrix<std::int64_t>::from_entries(where(), 2 * rows, columns, row, column, value);
  matrix<std::int64_t> c(where(), rows, columns);
  mxm(c, plus_times<std::int64_t>{}, a, b);
  const host_matrix found = read(c.base());
  ASSERT_EQ(found.entries.size(), value.size());
  for (std::size_t n = 0; n < value.size(); ++n) {
    const auto at = found.entries.find({row[n] / 2, column[n]});
    ASSERT_NE(at, found.entries.end()) << "row " << row[n] / 2 << ", column " << column[n];
    ASSERT_EQ(at->second.as<std::int64_t>(), 3 * value[n]);
  }
}

// Short rows of A and long rows of B', whose inner products search: with few columns, and with so
// many that no array of them is made.
TEST_P(Mxm, SearchesInLongRows) {
  for (const index_t inner : {300, 1 << 20}) {
    const auto last = static_cast<std::uint32_t>(inner - 1);
    const std::vector<std::uint32_t> a_row{0, 0, 0, 1, 2, 2}, a_column{0, 150, last, 0, 7, last};
    std::vector<std::uint32_t> b_row, b_column, m_row, m_column;
    for (std::uint32_t j = 0; j < 4; ++j) {
      for (std::uint32_t k = j; k < 200; ++k) b_row.push_back(j), b_column.push_back(k);
      b_row.push_back(j), b_column.push_back(last);
      for (std::uint32_t i = 0; i < 4; ++i) m_row.push_back(i), m_column.push_back(j);
    }
    const auto a = matrix<std::int64_t>::from_entries(
        where(), 4, inner, a_row, a_column, std::vector<std::int64_t>{1, 2, 4, 8, 16, 32});
    const auto b = matrix<std::int64_t>::from_pattern(where(), 4, inner, b_row, b_column, 3);
    const auto mask = matrix<bool>::from_pattern(where(), 4, 4, m_row, m_column, true);
    matrix<std::int64_t> c(where(), 4, 4);
    mxm(c, plus_times<std::int64_t>{}, a, transpose(b), {.mask = structure(mask)});
    for (index_t j = 0; j < 4; ++j) {
      EXPECT_EQ(c.get(0, j), j == 0 ? 21 : 18);
      EXPECT_EQ(c.get(1, j), j == 0 ? std::optional<std::int64_t>(24) : std::nullopt);
      EXPECT_EQ(c.get(2, j), 144);
      EXPECT_EQ(c.get(3, j), std::nullopt);
    }
  }
}

TEST_P(Mxm, CountsTriangles) {
  // A complete graph of 40 vertices has 40 * 39 * 38 / 6 triangles.
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i < 40; ++i)
    for (std::uint32_t j = 0; j < i; ++j) row.push_back(i), column.push_back(j);
  const auto lower = matrix<float>::from_pattern(where(), 40, 40, row, column, 1.0f);
  const plus_pair<std::int64_t, float> count;
  EXPECT_EQ(
      reduce_mxm(plus_monoid<std::int64_t>{}, count, lower, transpose(lower), structure(lower)),
      9880);
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, count, lower, lower, structure(lower)), 9880);
  matrix<std::int64_t> c(where(), 40, 40);
  mxm(c, count, lower, transpose(lower), {.mask = structure(lower)});
  EXPECT_EQ(reduce(plus_monoid<std::int64_t>{}, c), 9880);
  EXPECT_EQ(c.get(39, 38), 38);
  EXPECT_EQ(c.get(1, 0), std::nullopt);
  const matrix<float> none(where(), 40, 40);
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, count, none, lower), 0);
}

// c<mask> = a b' over (plus, pair) by that kernel; empty: any.
template <class Z>
void count_shared(matrix<Z>& c, const matrix<bool>& a, const matrix<bool>& b,
                  const matrix<bool>& mask, const char* kernel) {
  plan forced;
  forced.kernel = kernel;
  detail::output_options<detail::matrix_base> options;
  options.forced = &forced;
  options.mask = {&mask.base(), true, false};
  detail::mxm(c.base(), detail::describe_for_mxm(plus_pair<Z, bool, bool>{}), {.matrix = a.base()},
              {.matrix = b.base(), .transposed = true}, options);
}

TEST_P(Mxm, CountsTheColumnsThatRowsShare) {
  // Rows of B' of every kind: none, few entries, a dense run that ends anywhere, a run far from the
  // first column, every third column, and a long row that is sparse.
  constexpr index_t inner = 3000;
  const auto rows_of = [](std::uint32_t shift) {
    std::vector<std::vector<std::uint32_t>> rows(1);
    const auto run = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t step) {
      rows.emplace_back();
      for (std::uint32_t k = begin; k < end; k += step) rows.back().push_back(k);
    };
    for (const std::uint32_t begin : {0U, 1U, 63U, 64U, 511U, 512U, 1000U, 1535U})
      for (const std::uint32_t length : {1U, 2U, 4U, 5U, 63U, 64U, 65U, 511U, 513U, 1100U})
        run(begin + shift, begin + shift + length, 1);
    run(shift, inner, 3);
    run(shift, inner, 97);
    return rows;
  };
  const auto as_matrix = [&](const std::vector<std::vector<std::uint32_t>>& rows) {
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t r = 0; r < rows.size(); ++r)
      for (const std::uint32_t k : rows[r]) row.push_back(r), column.push_back(k);
    return matrix<bool>::from_pattern(where(), static_cast<index_t>(rows.size()), inner, row,
                                      column, true);
  };
  const auto of_a = rows_of(0), of_b = rows_of(2);
  const matrix<bool> a = as_matrix(of_a), b = as_matrix(of_b);
  const auto n = static_cast<std::uint32_t>(of_a.size());
  // All positions but one in seven.
  std::vector<std::uint32_t> mask_row, mask_column;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      if ((i + 2 * j) % 7 != 0) mask_row.push_back(i), mask_column.push_back(j);
  const auto mask = matrix<bool>::from_pattern(where(), n, n, mask_row, mask_column, true);
  const bool is_on_cpu = GetParam().starts_with("cpu");
  const auto check = [&]<class Z>(Z) {
    matrix<Z> c(where(), n, n);
    count_shared<Z>(c, a, b, mask, is_on_cpu ? "inner" : "");
    std::int64_t total = 0;
    std::vector<std::uint32_t> row, column;
    std::vector<Z> value;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        std::vector<std::uint32_t> shared;
        std::set_intersection(of_a[i].begin(), of_a[i].end(), of_b[j].begin(), of_b[j].end(),
                              std::back_inserter(shared));
        if ((i + 2 * j) % 7 == 0 || shared.empty()) continue;
        row.push_back(i), column.push_back(j);
        value.push_back(static_cast<Z>(shared.size()));
        total += static_cast<std::int64_t>(shared.size());
      }
    const auto found = c.template to_coo<std::uint32_t, std::uint32_t>();
    EXPECT_TRUE(std::equal(row.begin(), row.end(), found.rows.begin(), found.rows.end()));
    EXPECT_TRUE(
        std::equal(column.begin(), column.end(), found.columns.begin(), found.columns.end()));
    EXPECT_TRUE(std::equal(value.begin(), value.end(), found.values.begin(), found.values.end()));
    return total;
  };
  const std::int64_t total = check(std::int64_t{});
  check(std::int8_t{});  // wraps
  check(float{});
  EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, bool, bool>{}, a,
                       transpose(b), structure(mask)),
            total);
}

// B has a few rows, and an entry in the last of its columns.
TEST_P(Mxm, HasFarMoreColumnsThanB) {
  constexpr index_t columns = 1 << 24;
  const auto a = matrix<double>::from_entries(where(), 4, 3, std::vector<std::uint32_t>{0, 1, 3},
                                              std::vector<std::uint32_t>{2, 0, 2},
                                              std::vector<double>{2, 3, 5});
  const auto b = matrix<double>::from_entries(
      where(), 3, columns, std::vector<std::uint32_t>{0, 2, 2},
      std::vector<std::uint32_t>{7, 1, columns - 1}, std::vector<double>{11, 13, 17});
  matrix<double> c(where(), 4, columns);
  mxm(c, plus_times<double>{}, a, b);
  EXPECT_EQ(c.nvals(), 5);
  EXPECT_EQ(c.get(0, columns - 1), 34);
  EXPECT_EQ(c.get(1, 7), 33);
  EXPECT_EQ(c.get(3, 1), 65);
}

// 0.1 and its multiples: another order of the sums would round differently.
TEST_P(Mxm, RunsTheKernelThatIsNamed) {
  std::vector<std::uint32_t> row, column;
  std::vector<double> value;
  for (std::uint32_t i = 0; i < 30; ++i)
    for (std::uint32_t j = i % 3; j < 30; j += 1 + i % 4) {
      row.push_back(i);
      column.push_back(j);
      value.push_back(0.1 * (1 + (i * 7 + j) % 13));
    }
  const auto a = matrix<double>::from_entries(where(), 30, 30, row, column, value);
  const auto product = [&](const matrix_options<double>& options, std::string_view kernel) {
    matrix<double> c(where(), 30, 30);
    mxm(c, plus_times<double>{}, a, transpose(a), options, kernel);
    return c.to_coo();
  };
  const auto expect_all = [&](const matrix_options<double>& options, bool inner) {
    const auto expected = product(options, "");
    for (const detail::kernel_info* kernel : where().state()->executor->mxm_kernels()) {
      if (kernel->needs_mask && !inner) {
        EXPECT_NE(message_of<usage_error>([&] {
                    product(options, kernel->name);
                  }).find("computes entries of a mask"),
                  std::string::npos);
        continue;
      }
      const auto found = product(options, kernel->name);
      EXPECT_TRUE(std::ranges::equal(found.columns, expected.columns)) << kernel->name;
      EXPECT_TRUE(std::ranges::equal(found.values, expected.values)) << kernel->name;
    }
  };
  expect_all({}, false);
  expect_all({.mask = structure(a)}, true);
  expect_all({.mask = complement(structure(a))}, false);
  EXPECT_NE(message_of<usage_error>([&] {
              product({}, "nosuch");
            }).find("mxm: no kernel 'nosuch', expected one of "),
            std::string::npos);
}

TEST_P(Mxm, NamesBothShapesOfOperandsThatDoNotMatch) {
  const matrix<double> a(where(), 5, 6), b(where(), 7, 8);
  matrix<double> c(where(), 5, 8);
  const auto message_of = [](auto&& act) -> std::string {
    try {
      act();
    } catch (const usage_error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message_of([&] { mxm(c, plus_times<double>{}, a, b); }),
            "mxm: A is 5x6, B is 7x8, needs 6 rows");
  EXPECT_EQ(message_of([&] { mxm(c, plus_times<double>{}, transpose(a), transpose(b)); }),
            "mxm: A' is 6x5, B' is 8x7, needs 5 rows");
  matrix<double> d(where(), 6, 8);
  EXPECT_EQ(message_of([&] { mxm(c, plus_times<double>{}, a, d); }), "no error");
  EXPECT_EQ(message_of([&] { mxm(d, plus_times<double>{}, a, d); }),
            "mxm: A is 5x6, B is 6x8, C is 6x8, needs 5x8");
  const matrix<bool> mask(where(), 5, 7);
  EXPECT_EQ(message_of([&] { mxm(c, plus_times<double>{}, a, d, {.mask = structure(mask)}); }),
            "mxm: C is 5x8, its mask 5x7");
  EXPECT_EQ(message_of([&] {
              reduce_mxm(plus_monoid<double>{}, plus_times<double>{}, a, d, structure(mask));
            }),
            "reduce_mxm: C is 5x8, its mask 5x7");
}

TEST_P(Mxm, Replay) {
  const auto found = replay_of("mxm", factor::count, 7);
  if (!found) GTEST_SKIP() << "no TROPIC_REPLAY=mxm:...";
  const std::vector<std::string>& other = found->others;
  check(other[0] == "adversarial",
        {found->at,
         {std::stol(other[1]), std::stol(other[2]), std::stol(other[3]), std::stol(other[4]),
          static_cast<mxm_shape::pattern>(std::stoi(other[5]))},
         std::stoull(other[6])});
}

TROPIC_ON_EVERY_CONTEXT(Mxm);

TEST(MxmCases, EveryPairOfLevelsOccurs) {
  const std::vector<int> sizes = all_sizes();
  ASSERT_EQ(sizes.size(), factor::count);
  EXPECT_EQ(missing_pairs(sizes, every_pair(sizes)), "");
}

// Half of the mask's positions have no shared column, so that a value written behind a row's
// entries is one of another row.
TEST(MxmInPlace, CountsSharedColumnsRowByRow) {
  constexpr std::uint32_t n = 800;  // three parts
  std::vector<std::uint32_t> row, column, shifted, all_rows, all_columns;
  for (std::uint32_t i = 0; i < n; ++i) {
    row.push_back(i), column.push_back(i % 2);
    shifted.push_back((i + 1) % 2);
    for (std::uint32_t j = 0; j < n; ++j) all_rows.push_back(i), all_columns.push_back(j);
  }
  for (const int threads : {1, 3}) {
    const context where = context::cpu({.threads = threads, .memory_limit = 12 << 20});
    const auto a = matrix<bool>::from_pattern(where, n, 2, row, column, true);
    const auto mask = matrix<bool>::from_pattern(where, n, n, all_rows, all_columns, true);
    matrix<std::int64_t> c(where, n, n);
    const auto b = matrix<bool>::from_pattern(where, n, 2, row, shifted, true);
    count_shared<std::int64_t>(c, a, b, mask, "inner");
    const auto found = c.to_coo<std::uint32_t, std::uint32_t>();
    ASSERT_EQ(found.rows.size(), std::size_t{n} * n / 2);
    for (std::size_t e = 0; e < found.rows.size(); ++e) {
      ASSERT_EQ(found.rows[e], e / (n / 2));
      ASSERT_EQ(found.columns[e], 2 * (e % (n / 2)) + (found.rows[e] + 1) % 2);
      ASSERT_EQ(found.values[e], 1);
    }
  }
}

// Rows of up to four columns, compared at once, and a few longer ones; rows at the end of the
// arrays, where four cannot be loaded.
TEST_P(Mxm, SumsTheColumnsThatShortRowsShare) {
  dice random(5);
  for (const std::uint32_t n : {1U, 2U, 3U, 5U, 64U, 700U})
    for (const int longest : {1, 3, 4, 6}) {
      std::vector<std::vector<std::uint32_t>> rows(n);
      std::vector<std::uint32_t> row, column;
      for (std::uint32_t i = 0; i < n; ++i) {
        const auto inner = static_cast<int>(std::min(n, 9U));
        std::set<std::uint32_t> columns;
        for (int k = random.roll(longest + 1); k > 0; --k)
          columns.insert(n - 1 - static_cast<std::uint32_t>(random.roll(inner)));
        rows[i].assign(columns.begin(), columns.end());
        for (const std::uint32_t k : columns) row.push_back(i), column.push_back(k);
      }
      const auto a = matrix<bool>::from_pattern(where(), n, n, row, column, true);
      std::int64_t expected = 0;
      for (std::uint32_t i = 0; i < n; ++i)
        for (const std::uint32_t j : rows[i]) {
          std::vector<std::uint32_t> shared;
          std::ranges::set_intersection(rows[i], rows[j], std::back_inserter(shared));
          expected += static_cast<std::int64_t>(shared.size());
        }
      EXPECT_EQ(reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, bool>{}, a,
                           transpose(a), structure(a)),
                expected)
          << n << " rows of up to " << longest;
    }
}

// A lower triangle is known to be one after `tril`, and not by its entries: the sums are the same,
// in groups of four columns, by marks and by bitmaps, also for other rows and another mask.
TEST_P(Mxm, SumsTheColumnsOfALowerTriangle) {
  dice random(6);
  using rows_of_columns = std::vector<std::set<std::uint32_t>>;
  const auto rows_of = [&](std::uint32_t n, int longest) {
    rows_of_columns rows(n);
    for (auto& columns : rows)
      for (int k = random.roll(longest + 1); k > 0; --k)
        columns.insert(static_cast<std::uint32_t>(random.roll(static_cast<int>(n))));
    return rows;
  };
  const auto as_matrix = [&](const rows_of_columns& rows) {
    const auto n = static_cast<std::uint32_t>(rows.size());
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t i = 0; i < n; ++i)
      for (const std::uint32_t k : rows[i]) row.push_back(i), column.push_back(k);
    return matrix<bool>::from_pattern(where(), n, n, row, column, true);
  };
  const auto sum = [&](const matrix<bool>& a, const matrix<bool>& b, const matrix<bool>& mask) {
    return reduce_mxm(plus_monoid<std::int64_t>{}, plus_pair<std::int64_t, bool>{}, a, transpose(b),
                      structure(mask));
  };
  const auto expected = [](const rows_of_columns& a, const rows_of_columns& b,
                           const rows_of_columns& mask) {
    std::int64_t all = 0;
    for (std::size_t i = 0; i < mask.size(); ++i)
      for (const std::uint32_t j : mask[i])
        all += std::ranges::count_if(a[i], [&](std::uint32_t k) { return b[j].contains(k); });
    return all;
  };
  for (const std::uint32_t n : {2U, 6U, 70U, 700U})
    for (const int longest : {1, 4, 6, 60}) {
      const rows_of_columns of_graph = rows_of(n, longest), of_a = rows_of(n, longest),
                            of_mask = rows_of(n, longest);
      rows_of_columns of_lower = of_graph;
      for (std::uint32_t i = 0; i < n; ++i)
        std::erase_if(of_lower[i], [&](std::uint32_t k) { return k >= i; });
      const matrix<bool> a = as_matrix(of_a), mask = as_matrix(of_mask);
      matrix<bool> lower(where(), n, n), again(where(), n, n);
      select(lower, tril{-1}, as_matrix(of_graph));
      select(again, tril{-1}, lower);  // keeps all
      const std::string what = std::to_string(n) + " rows of up to " + std::to_string(longest);
      for (const matrix<bool>* b : {&lower, &again}) {
        EXPECT_EQ(sum(*b, *b, *b), expected(of_lower, of_lower, of_lower)) << what;
        EXPECT_EQ(sum(a, *b, mask), expected(of_a, of_lower, of_mask)) << what;
        EXPECT_EQ(sum(*b, a, *b), expected(of_lower, of_a, of_lower)) << what;
      }
      // The diagonal is no part of it, nor is a matrix that gets other entries.
      matrix<bool> with_diagonal(where(), n, n);
      select(with_diagonal, tril{0}, as_matrix(of_graph));
      rows_of_columns of_diagonal = of_graph;
      for (std::uint32_t i = 0; i < n; ++i)
        std::erase_if(of_diagonal[i], [&](std::uint32_t k) { return k > i; });
      EXPECT_EQ(sum(a, with_diagonal, mask), expected(of_a, of_diagonal, of_mask)) << what;
      again.set(0, n - 1, true);
      of_lower[0].insert(n - 1);
      EXPECT_EQ(sum(a, again, mask), expected(of_a, of_lower, of_mask)) << what;
      ewise_add(lower, first{}, lower, as_matrix(of_graph));
      EXPECT_EQ(sum(lower, lower, lower), expected(of_graph, of_graph, of_graph)) << what;
    }
}

// A compiled semiring without its kernels runs by the evaluator, with the same results.
TEST(MxmCases, UserDefinedSemiringsHaveKernels) {
  for (const test_semiring& s : all_semirings()) {
    const bool from_text = s.name.rfind("text_", 0) == 0;
    EXPECT_EQ(s.description.cpu_mxm_kernels == nullptr, from_text) << s.name;
  }
}

}  // namespace
}  // namespace mxm_test
}  // namespace tropic::testing
