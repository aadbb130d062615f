// SPDX-License-Identifier: Apache-2.0

// mxm and reduce_mxm on every context against the reference: every pair of levels of all factors,
// every semiring among them; all combinations of mask x accumulator x replace x transposes for the
// adversarial semirings; random cases; large ones, which the CPU divides into parts. A failure
// prints the line that replays it:
//   TROPIC_REPLAY=mxm:... tropic_backends_tests --gtest_filter='*Mxm*Replay*'

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

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
