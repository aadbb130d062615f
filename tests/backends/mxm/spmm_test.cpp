// SPDX-License-Identifier: Apache-2.0

// mxm with a full result on every context against the reference: every pair of levels of all
// factors, every semiring among them; all combinations of mask x accumulator x replace x side for
// the adversarial semirings; random cases; large ones, which are divided into parts and panels. A
// failure prints the line that replays it:
//   TROPIC_REPLAY=spmm:... tropic_backends_tests --gtest_filter='*Spmm*Replay*'

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "backends/mxm/spmm_cases.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace spmm_test {
namespace {

using factor = spmm_factor;

class Spmm : public AgainstReference {
 protected:
  bool check(bool adversarial, const spmm_case& one) {
    const auto& semirings = adversarial ? adversarial_semirings() : all_semirings();
    return agrees(
        semirings[static_cast<std::size_t>(one.at[factor::semiring])].name,
        spmm_difference(where(), reference(), semirings, one),
        replay_line("spmm", {one.at,
                             {adversarial ? "adversarial" : "all", std::to_string(one.of.rows),
                              std::to_string(one.of.inner), std::to_string(one.of.columns),
                              std::to_string(one.of.density), std::to_string(one.of.has_long_row),
                              std::to_string(one.seed)}}));
  }
  // Each case runs a fifth of the shapes, in rotation, unless TROPIC_EVERY=1 asks for all.
  void check_shapes(bool adversarial, const std::vector<levels>& cases) {
    const std::size_t step = is_quick_run() ? 5 : 1;
    // On PoCL nearly every case of the pairs is a new program: it runs every 16th, from one that
    // the seed selects.
    const bool samples = is_on_pocl(where()) && !adversarial && is_quick_run();
    const std::size_t stride = samples ? 16 : stride_of_cases();
    for (std::size_t n = samples ? base_seed() % stride : 0; n < cases.size(); n += stride)
      for (std::size_t s = n % step; s < spmm_shapes().size(); s += step)
        if (!check(adversarial, {cases[n], spmm_shapes()[s], n * 64 + s + 1})) return;
  }
};

std::vector<int> all_sizes() {
  return spmm_factor_sizes(static_cast<int>(all_semirings().size()));
}

TEST_P(Spmm, AgreesForEveryPairOfLevels) {
  const auto flags = compiled_quickly(where());
  check_shapes(false, every_pair(all_sizes()));
}

TEST_P(Spmm, AgreesForAdversarialSemirings) {
  const std::vector<int> sizes =
      spmm_factor_sizes(static_cast<int>(adversarial_semirings().size()));
  std::vector<int> crossed(sizes.begin(), sizes.begin() + factor::transposed);
  crossed[factor::accumulator] = 2;
  std::vector<levels> cases = every_combination(crossed);
  dice random(19);
  for (levels& one : cases)
    for (std::size_t f = factor::transposed; f < factor::count; ++f)
      one.push_back(random.roll(sizes[f]));
  check_shapes(true, cases);
}

TEST_P(Spmm, AgreesOnRandomCases) {
  const auto flags = compiled_quickly(where());
  dice random(base_seed());
  const int cases = is_on_pocl(where()) && is_quick_run() ? 40 : 150;
  for (int n = 0; n < cases; ++n) {
    const spmm_shape of{random.roll(40), random.roll(40), random.roll(80), 0.2, random.chance(0.2)};
    if (!check(false, {random.pick(all_sizes()), of, random.next()})) return;
  }
}

TEST_P(Spmm, Replay) {
  const auto found = replay_of("spmm", factor::count, 7);
  if (!found) GTEST_SKIP() << "no TROPIC_REPLAY=spmm:...";
  const std::vector<std::string>& other = found->others;
  check(other[0] == "adversarial", {found->at,
                                    {std::stol(other[1]), std::stol(other[2]), std::stol(other[3]),
                                     std::stod(other[4]), other[5] == "1"},
                                    std::stoull(other[6])});
}

// Rows of 0 to 3 entries, and one of all columns, which has several parts.
template <class T>
matrix<T> uneven(const context& where, index_t n, const T& scale) {
  std::vector<std::uint32_t> row, column;
  std::vector<T> value;
  dice random(7);
  for (index_t i = 0; i < n; ++i)
    for (index_t e = 0, length = i == n / 3 ? n : i % 4; e < length; ++e) {
      row.push_back(static_cast<std::uint32_t>(i));
      column.push_back(static_cast<std::uint32_t>(i == n / 3 ? e : (i * 37 + e * 1009) % n));
      value.push_back(static_cast<T>(1 + random.roll(9)) * scale);
    }
  return matrix<T>::from_entries(where, n, n, row, column, value, duplicates::first);
}

template <class T>
full_matrix<T> batch(const context& where, index_t n, index_t k, double density) {
  dice random(11);
  std::vector<T> values;
  std::vector<std::uint8_t> present;
  for (index_t at = 0; at < n * k; ++at) {
    values.push_back(static_cast<T>(random.roll(1000)));
    present.push_back(random.chance(density) ? 1 : 0);
  }
  if (density == 1.0) return full_matrix<T>::from_array(where, n, k, std::move(values));
  return full_matrix<T>::from_bitmap(where, n, k, adopt(std::move(present)),
                                     adopt(std::move(values)));
}

// Many parts, and rows longer than a part.
TEST_P(Spmm, ColumnsOfLargeProductsAreThoseOfMxv) {
  // The reference follows the definition and is slow.
  const index_t n = where().name() == "reference" ? 300 : 9000;
  const auto a = uneven<std::int64_t>(where(), n, 1);
  for (const index_t k : {1, 5, 40, 150})
    for (const double density : {1.0, 0.3}) {
      const auto b = batch<std::int64_t>(where(), n, k, density);
      full_matrix<std::int64_t> c(where(), n, k), d(where(), k, n);
      mxm(c, plus_times<std::int64_t>{}, a, b);
      full_matrix<std::int64_t> rows(where(), k, n);
      for (index_t j = 0; j < k; ++j) rows.set_row(j, b.column(j));
      mxm(d, plus_times<std::int64_t>{}, rows, transpose(a));
      for (index_t j = 0; j<k; j += k> 5 ? 13 : 1) {
        vector<std::int64_t> w(where(), n);
        mxv(w, plus_times<std::int64_t>{}, a, b.column(j));
        EXPECT_EQ(difference(read(w.base()), read(c.column(j).base())), "")
            << "column " << j << " of " << k << ", density " << density;
        EXPECT_EQ(difference(read(w.base()), read(d.row(j).base())), "") << "row " << j;
      }
    }
}

// Rows around the lengths at which devices cut them into pieces and join few or many of these, in
// an order that mixes them, with numbers of columns around those of packs and panels.
TEST_P(Spmm, RowsOfEveryLengthAreTheSumsOfTheirEntries) {
  const bool is_reference = where().name() == "reference";
  const index_t n = is_reference ? 400 : 2200;
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> value;
  dice random(23);
  std::uint32_t rows = 0;
  for (int turn = 0; turn < 3; ++turn)
    for (index_t length : {0,   1,   3,   4,   5,   8, 31,  32,  33,  64,   65,   2,  96, 127,
                           128, 129, 255, 256, 257, 7, 288, 289, 300, 1000, 2100, 16, 17}) {
      length = std::min(length, n);
      for (index_t e = 0; e < length; ++e) {
        row.push_back(rows);
        column.push_back(static_cast<std::uint32_t>(e * n / length));
        value.push_back(random.roll(100) - 50);
      }
      ++rows;
    }
  const std::uint32_t empty_rows = 3;
  for (int short_row = 0; short_row < 2000; ++short_row, ++rows) {  // so that pieces are short
    row.push_back(rows);
    column.push_back(static_cast<std::uint32_t>(short_row * 7 % n));
    value.push_back(short_row);
  }
  const auto a = matrix<std::int64_t>::from_entries(where(), rows, n, row, column, value);
  for (const index_t k : {1, 3, 15, 16, 20, 35, 128, 132})
    for (const double density : {1.0, 0.3}) {
      const auto b = batch<std::int64_t>(where(), n, k, density);
      const auto wanted = batch<std::int64_t>(where(), rows, k, 0.5);
      full_matrix<std::int64_t> c(where(), rows, k), masked(where(), rows, k);
      mxm(c, plus_times<std::int64_t>{}, a, b);
      if (density == 1.0) {
        EXPECT_EQ(c.nvals(), (rows - empty_rows) * k);
      }
      mxm(masked, plus_times<std::int64_t>{}, a, b, {.mask = structure(wanted)});
      for (const index_t j : {index_t{0}, k / 2, k - 1}) {
        vector<std::int64_t> w(where(), rows), w_masked(where(), rows);
        mxv(w, plus_times<std::int64_t>{}, a, b.column(j));
        assign(w_masked, w, {.mask = structure(wanted.column(j))});
        EXPECT_EQ(difference(read(w.base()), read(c.column(j).base())), "")
            << "column " << j << " of " << k << ", density " << density;
        EXPECT_EQ(difference(read(w_masked.base()), read(masked.column(j).base())), "")
            << "masked, column " << j << " of " << k << ", density " << density;
      }
    }
}

// C = A C, of which nothing is written before all has been read: full, so that the result could
// take the place of the operand.
TEST_P(Spmm, AResultReplacesItsOperand) {
  const index_t n = where().name() == "reference" ? 50 : 5000;
  std::vector<std::uint32_t> row, column;
  for (index_t i = 0; i < n; ++i)
    for (const index_t j : {(i * 7) % n, (i * 7 + n / 2) % n}) {
      row.push_back(static_cast<std::uint32_t>(i));
      column.push_back(static_cast<std::uint32_t>(j));
    }
  const auto a = matrix<std::int64_t>::from_pattern(where(), n, n, row, column, 2);
  auto c = batch<std::int64_t>(where(), n, 6, 1);
  full_matrix<std::int64_t> expected(where(), n, 6), start(where(), n, 6, 1);
  assign(start, c);
  assign(c, start, {.accumulate = second{}});  // in memory of its own
  mxm(expected, plus_times<std::int64_t>{}, a, start);
  mxm(c, plus_times<std::int64_t>{}, a, c);
  EXPECT_EQ(difference(read_full(expected.base()), read_full(c.base())), "");
}

// Each sum has one product, or few: NaN, clamped sums, the identity of the monoid. Without gaps,
// and with some, where sums may have no product.
template <class S>
void compare_rare_operands(const context& where, const context& reference,
                           const std::vector<typename S::z_type>& rare) {
  using T = typename S::z_type;
  const auto n = static_cast<index_t>(rare.size());
  std::vector<std::uint32_t> row, column;
  std::vector<T> value;
  for (std::uint32_t i = 0; i < 3 * rare.size(); ++i)
    for (std::uint32_t e = 0; e <= i / rare.size(); ++e) {
      row.push_back(i);
      column.push_back((i + e) % static_cast<std::uint32_t>(n));
      value.push_back(rare[(i + 2 * e) % rare.size()]);
    }
  std::vector<T> cells;
  std::vector<std::uint8_t> present;
  for (index_t at = 0; at < n * 21; ++at) {
    cells.push_back(rare[static_cast<std::size_t>((at / 21 + at % 21) % n)]);
    present.push_back(at * 7 % 5 < 2 ? 1 : 0);
  }
  const auto product_on = [&](const context& on, bool has_gaps) {
    const auto a = matrix<T>::from_entries(on, 3 * n, n, row, column, value, duplicates::first);
    full_matrix<T> c(on, 3 * n, 21);
    mxm(c, S{}, a,
        has_gaps ? full_matrix<T>::from_bitmap(on, n, 21, adopt(std::vector(present)),
                                               adopt(std::vector(cells)))
                 : full_matrix<T>::from_array(on, n, 21, cells));
    return read_full(c.base());
  };
  for (const bool has_gaps : {false, true})
    EXPECT_EQ(difference(product_on(reference, has_gaps), product_on(where, has_gaps)), "")
        << has_gaps;
}

TEST_P(Spmm, RareOperandsFollowTheRules) {
  constexpr float largest = std::numeric_limits<float>::max(),
                  infinity = std::numeric_limits<float>::infinity(),
                  nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> reals{largest, infinity, nan, -largest, 1, -infinity, 0, -0.0f};
  compare_rare_operands<min_plus<float>>(where(), reference(), reals);
  compare_rare_operands<max_plus<float>>(where(), reference(), reals);
  compare_rare_operands<min_max<float>>(where(), reference(), reals);
  compare_rare_operands<plus_times<float>>(where(), reference(), reals);
  compare_rare_operands<plus_first<float>>(where(), reference(), reals);
  compare_rare_operands<min_second<float>>(where(), reference(), reals);
  compare_rare_operands<plus_pair<float>>(where(), reference(), reals);
  constexpr std::int32_t largest_integer = std::numeric_limits<std::int32_t>::max();
  compare_rare_operands<min_plus<std::int32_t>>(where(), reference(),
                                                {largest_integer, largest_integer - 1, 2, 0, 5});
  compare_rare_operands<min_plus<std::int32_t>>(where(), reference(),
                                                {largest_integer, -7, -largest_integer, 0, 5});
  const std::vector<std::int32_t> integers{largest_integer,
                                           std::numeric_limits<std::int32_t>::min(), -1, 0, 3};
  compare_rare_operands<max_min<std::int32_t>>(where(), reference(), integers);
  compare_rare_operands<min_times<std::int32_t>>(where(), reference(), integers);
  compare_rare_operands<min_first<std::int32_t>>(where(), reference(), integers);
  compare_rare_operands<max_second<std::int32_t>>(where(), reference(), integers);
  compare_rare_operands<plus_times<std::int32_t>>(where(), reference(), integers);
  compare_rare_operands<or_and<std::int32_t>>(where(), reference(), integers);
}

// Sums of rows of up to 15 entries have one order in both.
// On devices the kernels of mxv add in another order.
TEST(SpmmOnCpu, RoundedColumnsAreThoseOfMxvToTheBit) {
  std::vector<std::uint32_t> row, column;
  std::vector<float> value;
  dice random(3);
  for (std::uint32_t i = 0; i < 500; ++i)
    for (std::uint32_t e = 0; e < i % 16; ++e) {
      row.push_back(i);
      column.push_back((i * 31 + e * 57) % 500);
      value.push_back(static_cast<float>(std::sin(static_cast<double>(random.roll(100000)))));
    }
  std::vector<float> cells;
  for (int n = 0; n < 500 * 19; ++n)
    cells.push_back(static_cast<float>(std::cos(static_cast<double>(n))));
  for (const int threads : {1, 2, 3}) {
    const context here = context::cpu({.threads = threads});
    const auto a = matrix<float>::from_entries(here, 500, 500, row, column, value);
    const auto b = full_matrix<float>::from_array(here, 500, 19, cells);
    full_matrix<float> c(here, 500, 19);
    mxm(c, plus_times<float>{}, a, b);
    for (index_t j = 0; j < 19; ++j) {
      vector<float> w(here, 500);
      mxv(w, plus_times<float>{}, a, b.column(j));
      for (const auto& [at, found] : w.entries()) {
        const float other = *c.get(at, j);
        ASSERT_EQ(std::memcmp(&found, &other, sizeof found), 0) << at << ", " << j;
      }
    }
  }
}

TEST_P(Spmm, FindsTheParentsOfABatchOfSearches) {
  // A path 0 - 1 - ... - 9, searched from vertices 0, 4 and 9.
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t i = 0; i + 1 < 10; ++i) {
    row.insert(row.end(), {i, i + 1});
    column.insert(column.end(), {i + 1, i});
  }
  const auto graph = matrix<bool>::from_pattern(where(), 10, 10, row, column, true);
  full_matrix<bool> frontier(where(), 10, 3);
  full_matrix<index_t> parent(where(), 10, 3), next(where(), 10, 3);
  const index_t sources[] = {0, 4, 9};
  for (index_t j = 0; j < 3; ++j) {
    frontier.set(sources[j], j, true);
    parent.set(sources[j], j, sources[j]);
  }
  int rounds = 0;
  for (; frontier.nvals() > 0; ++rounds) {
    mxm(next, any_firstj<bool>{}, transpose(graph), frontier,
        {.mask = complement(structure(parent)), .replace = true});
    assign(parent, next, {.mask = structure(next)});
    full_matrix<bool> reached(where(), 10, 3);
    assign(reached, true, {.mask = structure(next)});
    frontier = reached;
  }
  EXPECT_EQ(rounds, 10);
  EXPECT_EQ(parent.nvals(), 30);
  for (index_t j = 0; j < 3; ++j)
    for (index_t i = 0; i < 10; ++i)
      EXPECT_EQ(parent.get(i, j), i < sources[j] ? i + 1 : i > sources[j] ? i - 1 : i);
}

// The n-th allocation fails, for every n: C and the operands are as before, and with memory the
// product succeeds.
TEST_P(Spmm, FailingAllocationsChangeNothing) {
  const auto a = uneven<std::int64_t>(where(), 40, 1);
  const auto b = batch<std::int64_t>(where(), 40, 5, 0.5),
             dense = batch<std::int64_t>(where(), 40, 5, 1);
  const auto rows = batch<std::int64_t>(where(), 5, 40, 1);
  const auto mask = batch<std::int64_t>(where(), 40, 5, 0.5).to_matrix();
  const plus_times<std::int64_t> semiring;
  const auto run = [&](int kind, full_matrix<std::int64_t>& c, full_matrix<std::int64_t>& d) {
    if (kind == 0) mxm(c, semiring, a, dense);
    if (kind == 1) mxm(c, semiring, transpose(a), b);
    if (kind == 2) mxm(c, semiring, a, b, {.mask = structure(mask), .accumulate = plus{}});
    if (kind == 3) mxm(d, semiring, rows, a);
  };
  for (int kind = 0; kind < 4; ++kind) {
    full_matrix<std::int64_t> expected_c(where(), 40, 5, 3), expected_d(where(), 5, 40, 4);
    run(kind, expected_c, expected_d);
    int failures = 0;
    for (long n = 0; n < 1000; ++n) {
      full_matrix<std::int64_t> c(where(), 40, 5, 3), d(where(), 5, 40, 4);
      const auto sparse = matrix<std::int64_t>(a);
      where().state()->account.fail_after(n);
      bool failed = false;
      try {
        run(kind, c, d);
      } catch (const out_of_memory&) {
        failed = true;
      }
      where().state()->account.fail_after(-1);
      if (!failed) {
        EXPECT_EQ(difference(read_full(expected_c.base()), read_full(c.base())), "");
        EXPECT_EQ(difference(read_full(expected_d.base()), read_full(d.base())), "");
        break;
      }
      ++failures;
      ASSERT_EQ(c.dense(0), std::vector<std::int64_t>(200, 3)) << "allocation " << n;
      ASSERT_EQ(d.dense(0), std::vector<std::int64_t>(200, 4)) << "allocation " << n;
    }
    EXPECT_GT(failures + (kind == 0), 0) << kind;
  }
}

TEST_P(Spmm, OperandsAndResultsStayOnTheDevice) {
  if (where().state()->device_memory == nullptr || where().name() == "fake")
    GTEST_SKIP() << "no device with memory of its own";
  const auto a = uneven<float>(where(), 3000, 1.0f);
  const auto b = batch<float>(where(), 3000, 8, 1), gaps = batch<float>(where(), 3000, 8, 0.4);
  full_matrix<float> c(where(), 3000, 8), d(where(), 3000, 8);
  const auto run = [&] {
    mxm(c, plus_times<float>{}, a, b);
    mxm(d, min_plus<float>{}, a, gaps, {.mask = complement(structure(gaps)), .replace = true});
    ewise_add(d, minimum{}, d, c);
  };
  run();
  where().synchronize();
  const device_traffic before = where().traffic();
  run();
  where().synchronize();
  const device_traffic after = where().traffic();
  EXPECT_LE(after.to_host - before.to_host, 64u);
  EXPECT_LE(after.to_device - before.to_device, 64u);
  EXPECT_GT(after.launches, before.launches);
}

TEST_P(Spmm, TakesMatricesThatWereMovedFrom) {
  full_matrix<double> b(where(), 4, 3, 1.0), c(where(), 5, 3, 2.0);
  const full_matrix<double> kept_b = std::move(b), kept_c = std::move(c);
  matrix<double> a(where(), 5, 4);
  const plus_times<double> semiring;
  EXPECT_THROW(mxm(c, semiring, a, kept_b), usage_error);
  EXPECT_THROW(mxm(c, semiring, a, b), usage_error);
  matrix<double> gone(where(), 5, 4);
  const matrix<double> kept = std::move(gone);
  mxm(c, semiring, gone, b);
  EXPECT_EQ(c.nvals(), 0);
  apply(c, identity{}, b, {.mask = structure(b)});
  ewise_add(c, plus{}, b, b);
  select(c, bind_second(greater{}, 1.0), b);
  assign(c, 1.0);
  EXPECT_EQ(reduce(plus_monoid<double>{}, b), 0);
  vector<double> w(where(), 0);
  reduce(w, plus_monoid<double>{}, b);
  EXPECT_EQ(b.to_matrix().nvals(), 0);
  EXPECT_EQ(b.to_array().size(), 0u);
  b = kept_b;
  EXPECT_EQ(b.get(3, 2), 1.0);
  EXPECT_EQ(kept_c.nvals(), 15);
}

TEST_P(Spmm, NamesBothShapesOfOperandsThatDoNotMatch) {
  const matrix<double> a(where(), 5, 6);
  const full_matrix<double> b(where(), 7, 8, 1.0), d(where(), 6, 8, 1.0);
  full_matrix<double> c(where(), 5, 8), wrong(where(), 6, 8);
  const auto message_of = [](auto&& act) -> std::string {
    try {
      act();
    } catch (const usage_error& e) {
      return e.what();
    }
    return "no error";
  };
  const plus_times<double> semiring;
  EXPECT_EQ(message_of([&] { mxm(c, semiring, a, b); }), "mxm: A is 5x6, B is 7x8, needs 6 rows");
  EXPECT_EQ(message_of([&] { mxm(c, semiring, transpose(a), b); }),
            "mxm: A is 6x5, B is 7x8, needs 5 rows");
  EXPECT_EQ(message_of([&] { mxm(c, semiring, b, a); }), "mxm: A is 7x8, B is 5x6, needs 8 rows");
  EXPECT_EQ(message_of([&] { mxm(wrong, semiring, a, d); }),
            "mxm: A is 5x6, B is 6x8, C is 6x8, needs 5x8");
  EXPECT_EQ(message_of([&] { mxm(c, semiring, a, d); }), "no error");
  const full_matrix<bool> mask(where(), 5, 7);
  EXPECT_EQ(message_of([&] { mxm(c, semiring, a, d, {.mask = structure(mask)}); }),
            "mxm: C is 5x8, its mask is 5x7");
  const matrix<bool> sparse_mask(where(), 4, 8);
  EXPECT_EQ(message_of([&] { mxm(c, semiring, a, d, {.mask = structure(sparse_mask)}); }),
            "mxm: C is 5x8, its mask is 4x8");
  EXPECT_EQ(message_of([&] { mxm(c, semiring, a, d, {.mask = complement(full_mask())}); }),
            "mxm: a complement needs a mask");
}

TROPIC_ON_EVERY_CONTEXT(Spmm);

TEST(SpmmCases, EveryPairOfLevelsOccurs) {
  const std::vector<int> sizes = all_sizes();
  ASSERT_EQ(sizes.size(), factor::count);
  EXPECT_EQ(missing_pairs(sizes, every_pair(sizes)), "");
}

// A compiled semiring without its kernels runs by the evaluator, with the same results.
TEST(SpmmCases, UserDefinedSemiringsHaveKernels) {
  for (const test_semiring& s : all_semirings()) {
    const bool from_text = s.name.rfind("text_", 0) == 0;
    EXPECT_EQ(s.description.cpu_spmm_kernels == nullptr, from_text) << s.name;
  }
}

TEST(SpmmMemory, ProductsThatDoNotFitAreRefusedAndTheOutputIsUnchanged) {
  const context where = context::cpu({.threads = 2, .memory_limit = 20 << 20});
  const auto a = matrix<double>::from_pattern(where, 100000, 1, std::vector<std::uint32_t>{5},
                                              std::vector<std::uint32_t>{0}, 2.0);
  const full_matrix<double> b(where, 1, 40, 3.0);
  full_matrix<double> c(where, 100000, 40);
  c.clear();
  detail::vector_base one = detail::empty_vector(where.state(), describe<double>(), 4000000);
  const double value = 7;
  detail::set_element(one, 11, &value);
  c.base().cells = one;
  const std::size_t used = where.memory_used();
  try {
    mxm(c, plus_times<double>{}, a, b);
    FAIL() << "32 MB within a limit of 20 MB";
  } catch (const out_of_memory& e) {
    EXPECT_NE(std::string(e.what()).find("mxm"), std::string::npos) << e.what();
  }
  EXPECT_EQ(where.memory_used(), used);
  EXPECT_EQ(c.nvals(), 1);
  EXPECT_EQ(c.get(0, 11), 7.0);
}

TEST(SpmmCancel, AProductEndsByItsToken) {
  cancel_token token;
  const context where = context::cpu({.threads = 2, .cancel = token});
  const auto a = uneven<float>(where, 100, 1.0f);
  const full_matrix<float> b(where, 100, 3, 1.0f);
  full_matrix<float> c(where, 100, 3, 5.0f);
  token.cancel();
  EXPECT_THROW(mxm(c, plus_times<float>{}, a, b), cancelled);
  EXPECT_EQ(c.get(0, 0), 5.0f);
}

}  // namespace
}  // namespace spmm_test
}  // namespace tropic::testing
