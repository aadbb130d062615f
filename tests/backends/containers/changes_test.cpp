// SPDX-License-Identifier: Apache-2.0

// Single entries of matrices, set and removed: compared with a std::map, for every storage that a
// matrix may have before the change, with reads of the matrix between changes.

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <numeric>
#include <thread>

#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using number = std::int64_t;
constexpr index_t rows = 40, columns = 30;

enum class start { empty, random, iso, wide, lent, symmetric };
constexpr start every_start[] = {start::empty, start::random, start::iso,
                                 start::wide,  start::lent,   start::symmetric};

// The arrays that a borrowing matrix refers to, and their original contents.
template <class T>
struct lent_arrays {
  std::vector<std::uint32_t> offsets, column_indices;
  std::vector<T> values;
};

template <class T>
host_matrix random_entries(start kind, dice& random) {
  host_matrix result = random_matrix(describe<T>(), rows, kind == start::symmetric ? rows : columns,
                                     kind == start::empty ? 0 : 0.15, flavour::small, random);
  if (kind == start::iso) make_iso(result);
  if (kind == start::symmetric) {
    host_matrix both = result;
    for (const auto& [at, value] : result.entries) both.entries[{at.second, at.first}] = value;
    for (auto& [at, value] : both.entries)
      value = both.entries.at({std::min(at.first, at.second), std::max(at.first, at.second)});
    return both;
  }
  return result;
}

template <class T>
matrix<T> matrix_of(const context& where, start kind, const host_matrix& from,
                    lent_arrays<T>& arrays) {
  if (kind != start::lent) {
    matrix<T> result(make(where, from, kind == start::wide, kind == start::iso));
    if (kind == start::symmetric) result.assume_symmetric();
    return result;
  }
  arrays.offsets.assign(rows + 1, 0);
  for (const auto& [at, value] : from.entries) {
    ++arrays.offsets[static_cast<std::size_t>(at.first) + 1];
    arrays.column_indices.push_back(static_cast<std::uint32_t>(at.second));
    arrays.values.push_back(value.template as<T>());
  }
  std::partial_sum(arrays.offsets.begin(), arrays.offsets.end(), arrays.offsets.begin());
  return matrix<T>::from_csr(where, rows, columns,
                             array_view<std::uint32_t>{arrays.offsets, nullptr},
                             array_view<std::uint32_t>{arrays.column_indices, nullptr},
                             array_view<T>{arrays.values, nullptr});
}

// The counts that a matrix stores, recomputed.
void check_measures(const detail::matrix_base& m, const host_matrix& expected) {
  std::vector<index_t> length(static_cast<std::size_t>(expected.rows), 0);
  for (const auto& [at, value] : expected.entries) ++length[static_cast<std::size_t>(at.first)];
  EXPECT_EQ(m.nnz, static_cast<index_t>(expected.entries.size()));
  EXPECT_EQ(m.longest_row, *std::max_element(length.begin(), length.end()));
  EXPECT_EQ(m.empty_rows, std::count(length.begin(), length.end(), 0));
}

class Changes : public AgainstReference {
 protected:
  // A few hundred changes; after each one the matrix is read with probability 1/8.
  template <class T>
  void run(start kind, std::uint64_t seed) {
    dice random(seed);
    host_matrix expected = random_entries<T>(kind, random);
    lent_arrays<T> arrays;
    matrix<T> m = matrix_of<T>(where(), kind, expected, arrays);
    const lent_arrays<T> before = arrays;
    std::vector<std::pair<matrix<T>, host_matrix>> copies;
    const T again = random_value(describe<T>(), flavour::small, random).template as<T>();
    for (int n = 0; n < 200; ++n) {
      const index_t i = random.roll(static_cast<int>(expected.rows)),
                    j = random.roll(static_cast<int>(expected.columns));
      if (random.chance(0.6)) {
        scalar_bytes value = random_value(describe<T>(), flavour::small, random);
        if (random.chance(0.3)) value = scalar_bytes::of(again);
        m.set(i, j, value.as<T>());
        expected.entries[{i, j}] = value;
      } else {
        m.remove(i, j);
        expected.entries.erase({i, j});
      }
      const index_t x = random.chance(0.5) ? i : random.roll(static_cast<int>(expected.rows)),
                    y = random.chance(0.5) ? j : random.roll(static_cast<int>(expected.columns));
      const auto found = m.get(x, y);
      const auto known = expected.entries.find({x, y});
      ASSERT_EQ(found.has_value(), known != expected.entries.end()) << seed << ", change " << n;
      if (found) {
        ASSERT_TRUE(same_value(describe<T>(), scalar_bytes::of(*found), known->second));
      }
      switch (random.roll(48)) {
        case 0: EXPECT_EQ(m.nvals(), static_cast<index_t>(expected.entries.size())); break;
        case 1: copies.emplace_back(m, expected); break;
        case 2: {
          matrix<T> taken = std::move(m);
          m = std::move(taken);
          break;
        }
        case 3: check_measures(m.base(), expected); break;
        case 4: EXPECT_EQ(m.template to_csr<std::int64_t>().values.size(), expected.entries.size());
        default: break;
        case 5: {
          const matrix<T> other = m;
          m = other;
          break;
        }
      }
    }
    EXPECT_EQ(difference(expected, read(m.base())), "") << seed;
    check_measures(m.base(), expected);
    EXPECT_FALSE(m.is_symmetric());
    for (const auto& [copy, held] : copies) EXPECT_EQ(difference(held, read(copy.base())), "");
    EXPECT_EQ(arrays.offsets, before.offsets);
    EXPECT_EQ(arrays.column_indices, before.column_indices);
    EXPECT_TRUE(arrays.values.empty() || std::memcmp(arrays.values.data(), before.values.data(),
                                                     arrays.values.size() * sizeof(T)) == 0);
  }
};

TEST_P(Changes, AgreeWithAMap) {
  for (const start kind : every_start)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed));
      run<number>(kind, base_seed() + seed);
      run<std::uint8_t>(kind, base_seed() + seed);
      run<test_path>(kind, base_seed() + seed);
    }
}

TEST_P(Changes, AreSeenByEveryReader) {
  // What is kept with the matrix (a transpose, plans) predates the change.
  for (const start kind : every_start) {
    dice random(7);
    host_matrix expected = random_entries<number>(kind, random);
    lent_arrays<number> arrays, unchanged;
    matrix<number> m = matrix_of<number>(where(), kind, expected, arrays);
    const auto compare = [&](const char* when) {
      const matrix<number> fresh(make(reference(), expected, false, false));
      const vector<number> u(where(), m.columns(), 3), v(where(), m.rows(), 2),
          u0(reference(), m.columns(), 3), v0(reference(), m.rows(), 2);
      vector<number> w(where(), m.rows()), w0(reference(), m.rows()), x(where(), m.columns()),
          x0(reference(), m.columns());
      for (int n = 0; n < 3; ++n) {  // a transpose is built when it pays off
        mxv(w, plus_times<number>{}, m, u);
        mxv(x, plus_times<number>{}, transpose(m), v);
      }
      mxv(w0, plus_times<number>{}, fresh, u0);
      mxv(x0, plus_times<number>{}, transpose(fresh), v0);
      EXPECT_EQ(difference(read(w0.base()), read(w.base())), "") << when;
      EXPECT_EQ(difference(read(x0.base()), read(x.base())), "") << when;
    };
    compare("before");
    for (int n = 0; n < 12; ++n) {
      const index_t i = n, j = (7 * n) % m.columns();
      m.set(i, j, 5 + n);
      expected.entries[{i, j}] = scalar_bytes::of<number>(5 + n);
      if (n % 3 == 0) compare("after a change");
    }
    if (!expected.entries.empty()) {  // only a value
      const auto at = expected.entries.begin()->first;
      m.set(at.first, at.second, 99);
      expected.entries[at] = scalar_bytes::of<number>(99);
      compare("after a value");
    }
    matrix<number> sum(where(), m.rows(), m.columns());
    m.remove(0, 0);
    expected.entries.erase({0, 0});
    ewise_add(sum, plus{}, m, m);
    EXPECT_EQ(sum.nvals(), static_cast<index_t>(expected.entries.size()));
    m.set(0, 0, 1);
    expected.entries[{0, 0}] = scalar_bytes::of<number>(1);
    EXPECT_EQ(difference(expected, read(m.to(reference()).base())), "");
  }
}

TEST_P(Changes, AreSeenThroughAMaskMadeBefore) {
  matrix<number> m(where(), 3, 3), c(where(), 3, 3);
  const matrix_mask mask = structure(m);
  m.set(1, 2, 1);
  assign(c, number{4}, {.mask = mask});
  EXPECT_EQ(c.nvals(), 1);
  EXPECT_EQ(c.get(1, 2), 4);
}

TEST_P(Changes, OfValuesKeepThePattern) {
  dice random(11);
  const host_matrix from = random_entries<number>(start::random, random);
  lent_arrays<number> arrays;
  matrix<number> m = matrix_of<number>(where(), start::random, from, arrays);
  const auto [i, j] = from.entries.begin()->first;
  const std::uint64_t structure = m.base().structure_version, values = m.base().value_version;
  const auto derived = m.base().derived;
  m.set(i, j, *m.get(i, j));
  m.remove(i, j == 0 ? 1 : 0);
  m.set(i, j == 0 ? 1 : 0, 1);
  if (!from.entries.contains({i, j == 0 ? 1 : 0})) m.remove(i, j == 0 ? 1 : 0);
  EXPECT_EQ(m.base().structure_version, structure) << "nothing changed";
  EXPECT_EQ(m.base().value_version, values);
  EXPECT_EQ(m.base().derived, derived);
  m.set(i, j, 1234);
  EXPECT_EQ(m.base().structure_version, structure) << "a value changed";
  EXPECT_NE(m.base().value_version, values);
  EXPECT_NE(m.base().derived, derived);
  m.remove(i, j);
  EXPECT_NE(m.base().structure_version, structure);
}

TEST_P(Changes, LeaveOneValueForAllWhereItFits) {
  const std::vector<std::uint32_t> row{0, 1, 2}, column{0, 1, 2};
  auto m = matrix<number>::from_pattern(where(), 4, 4, row, column, 7);
  m.set(3, 3, 7);
  m.remove(0, 0);
  EXPECT_TRUE(m.is_iso());
  EXPECT_EQ(m.nvals(), 3);
  EXPECT_EQ(m.values().size(), 1u);
  const matrix<number> copy = m;
  m.set(1, 1, 8);
  EXPECT_FALSE(m.is_iso());
  EXPECT_EQ(m.get(1, 1), 8);
  EXPECT_EQ(m.get(3, 3), 7);
  EXPECT_TRUE(copy.is_iso());
  EXPECT_EQ(copy.get(1, 1), 7);
}

TEST_P(Changes, AreKeptWhereMemoryRunsOut) {
  for (const start kind : every_start) {
    int injected = 0;
    bool succeeded = false;
    for (long n = 0; n < 200 && !succeeded; ++n) {
      dice random(3);
      host_matrix expected = random_entries<number>(kind, random);
      lent_arrays<number> arrays;
      matrix<number> m = matrix_of<number>(where(), kind, expected, arrays);
      const matrix<number> copy = m;
      const host_matrix held = expected;
      where().state()->account.fail_after(n);
      int noted = 0;
      bool removed = false;
      try {
        for (; noted < 40; ++noted) m.set(noted % 7, noted % 11, noted);
        m.remove(0, 0);
        removed = true;
        m.nvals();
        succeeded = true;
      } catch (const out_of_memory& e) {
        ++injected;
        EXPECT_EQ(std::string(e.what()).find(" 0 bytes free"), std::string::npos) << e.what();
      }
      where().state()->account.fail_after(-1);
      for (int k = 0; k < noted; ++k)
        expected.entries[{k % 7, k % 11}] = scalar_bytes::of<number>(k);
      if (removed) expected.entries.erase({0, 0});
      ASSERT_EQ(difference(expected, read(m.base())), "") << "allocation " << n;
      ASSERT_EQ(difference(held, read(copy.base())), "") << "allocation " << n;
    }
    EXPECT_TRUE(succeeded);
    EXPECT_GT(injected, 3);
  }
}

TEST_P(Changes, OfThousandsCostNoMoreThanAMerge) {
  // With one merge per change this would move 10^11 bytes.
  constexpr int count = 200000;
  matrix<double> m(where(), 1000, 1000);
  const auto begin = std::chrono::steady_clock::now();
  dice random(1);
  for (int n = 0; n < count; ++n) {
    const index_t i = random.roll(1000), j = random.roll(1000);
    m.set(i, j, m.get(i, j).value_or(0) + 1);
  }
  vector<double> ones(where(), 1000, 1.0), w(where(), 1000);
  mxv(w, plus_times<double>{}, m, ones);
  EXPECT_EQ(reduce(plus_monoid<double>{}, w), count);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 30);
}

TEST_P(Changes, AreMergedOnceByThreadsThatRead) {
  for (int round = 0; round < 20; ++round) {
    matrix<number> m(where(), 50, 50);
    for (int n = 0; n < 50; ++n) m.set(n, (3 * n) % 50, n + 1);
    const matrix<number>& shared = m;
    std::vector<index_t> found(4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        if (t == 0) found[0] = shared.nvals();
        if (t == 1) found[1] = *shared.get(49, (3 * 49) % 50);
        if (t == 2) found[2] = matrix<number>(shared).nvals();
        if (t == 3) found[3] = static_cast<index_t>(shared.base().column_indices->bytes());
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(found, (std::vector<index_t>{50, 50, 50, 200}));
  }
}

// For the thread sanitizer.
TEST_P(Changes, MatricesThatWereMovedFromAreReadByThreads) {
  for (int round = 0; round < 20; ++round) {
    matrix<number> m(where(), 5, 5);
    const matrix<number> taken = std::move(m);
    const matrix<number>& shared = m;
    std::vector<index_t> found(4, -1);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        if (t == 0) found[0] = shared.nvals();
        if (t == 1) found[1] = shared.rows();
        if (t == 2) found[2] = shared.where().name() == where().name() ? 0 : 1;
        if (t == 3) found[3] = matrix<number>(shared).columns();
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(found, (std::vector<index_t>{0, 0, 0, 0}));
  }
}

TEST_P(Changes, PastTheEndAreRefused) {
  matrix<number> m(where(), 3, 4);
  EXPECT_THROW(m.set(3, 0, 1), usage_error);
  EXPECT_THROW(m.set(0, 4, 1), usage_error);
  EXPECT_THROW(m.set(-1, 0, 1), usage_error);
  EXPECT_THROW(m.remove(0, -1), usage_error);
  EXPECT_THROW(m.remove(3, 3), usage_error);
  EXPECT_EQ(m.nvals(), 0);
}

TROPIC_ON_EVERY_CONTEXT(Changes);

TEST(ChangesOfWideRows, ReachTheLastColumn) {
  const context where = context::cpu();
  const index_t last = (index_t{1} << 32) - 1;
  matrix<double> m(where, 3, index_t{1} << 32);
  m.set(2, last, 1.5);
  m.set(0, 0, 2.5);
  m.set(2, 0, 3.5);
  EXPECT_EQ(m.nvals(), 3);
  EXPECT_EQ(m.get(2, last), 1.5);
  m.remove(2, 0);
  EXPECT_EQ(m.nvals(), 2);
  EXPECT_EQ(m.get(2, last), 1.5);
  EXPECT_LT(m.bytes(), 100u);
}

}  // namespace
}  // namespace tropic::testing
