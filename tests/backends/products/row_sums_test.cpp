// SPDX-License-Identifier: Apache-2.0

// Sums of rows on the CPU that take a shorter way for what is known of the values
// (include/tropic/detail/cpu/row_sums.hpp, cpu/row_extrema.hpp, cpu/rows_ahead.hpp), against the
// reference: minima and maxima without the rules for rare values, rows of equal products, results
// in the buffers of w.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "support/cases.hpp"

namespace tropic::testing {
namespace row_sums_test {
namespace {

enum class pool { plain, signs, all };

template <class T>
std::vector<T> values_of(pool kind) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values{0, 1, 2, 3, 5, 100};
  if (kind == pool::plain) return values;
  if constexpr (std::is_signed_v<T>) values.insert(values.end(), {T(-1), T(-3), T(-100)});
  if (kind == pool::signs) return values;
  values.insert(values.end(),
                {arithmetic::largest<T>(), arithmetic::smallest<T>(), limits::max(),
                 limits::lowest(), static_cast<T>(limits::max() - 1), T(limits::max() / 2 + 1)});
  if constexpr (std::is_floating_point_v<T>)
    values.insert(values.end(), {limits::quiet_NaN(), -T{0}, limits::denorm_min()});
  return values;
}

template <class T>
std::vector<T> drawn(std::size_t count, pool kind, dice& random) {
  const std::vector<T> from = values_of<T>(kind);
  std::vector<T> values(count);
  for (T& v : values)
    v = from[static_cast<std::size_t>(random.roll(static_cast<int>(from.size())))];
  return values;
}

// Rows of 0 to 21 entries, some around the blocks of 64 and 256, over `columns` columns.
struct pattern {
  index_t rows = 0, columns = 300;
  std::vector<std::uint32_t> offsets{0}, indices;
};
pattern rows_of_every_length(bool some_empty, dice& random) {
  pattern p;
  std::vector<int> lengths;
  for (int n = some_empty ? 0 : 1; n < 22; ++n) lengths.insert(lengths.end(), 4, n);
  for (const int n : {63, 64, 65, 66, 67, 68, 69, 255, 256, 257, 259, 260, 261, 300})
    lengths.push_back(n);
  for (const int length : lengths) {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t j = 0; j < 300; ++j) columns.push_back(j);
    for (std::size_t n = 0; n < columns.size(); ++n)
      std::swap(columns[n], columns[static_cast<std::size_t>(random.roll(300))]);
    columns.resize(static_cast<std::size_t>(length));
    std::sort(columns.begin(), columns.end());
    p.indices.insert(p.indices.end(), columns.begin(), columns.end());
    p.offsets.push_back(static_cast<std::uint32_t>(p.indices.size()));
    ++p.rows;
  }
  return p;
}

template <class T>
matrix<T> matrix_of(const context& where, const pattern& p, const std::vector<T>& values) {
  std::vector<std::uint32_t> row;
  for (index_t r = 0; r < p.rows; ++r)
    row.resize(p.offsets[static_cast<std::size_t>(r) + 1], static_cast<std::uint32_t>(r));
  return matrix<T>::from_entries(where, p.rows, p.columns, row, p.indices, values);
}

// Equal, both NaN, or two zeros (whose sign depends on the order of a minimum).
template <class T>
bool same(T x, T y) {
  return x == y || (x != x && y != y);
}

template <class T>
void expect_same(const vector<T>& expected, const vector<T>& found, const std::string& what) {
  ASSERT_EQ(expected.nvals(), found.nvals()) << what;
  for (const auto& e : expected.entries()) {
    const auto value = found.get(e.index);
    ASSERT_TRUE(value.has_value()) << what << ", row " << e.index;
    ASSERT_TRUE(same(e.value, *value))
        << what << ", row " << e.index << ": " << +e.value << ", found " << +*value;
  }
}

// `widest`: the values drawn.
template <class T, class Semiring>
void check(const std::string& name, Semiring semiring, pool widest = pool::all) {
  dice random(base_seed());
  const auto pools = {pool::plain, pool::signs, widest};
  for (const bool some_empty : {true, false})
    for (const pool of_matrix : pools)
      for (const pool of_vector : pools)
        for (const bool iso : {false, true}) {
          const pattern p = rows_of_every_length(some_empty, random);
          std::vector<T> values = drawn<T>(p.indices.size(), of_matrix, random);
          if (iso) values.assign(values.size(), values.front());
          const std::vector<T> operand = drawn<T>(300, of_vector, random);
          const context reference = context::reference();
          vector<T> expected(reference, p.rows);
          mxv(expected, semiring, matrix_of(reference, p, values),
              vector<T>::from_array(reference, operand));
          for (const int threads : {1, 2}) {
            const context where = context::cpu({.threads = threads});
            const matrix<T> a = matrix_of(where, p, values);
            const auto u = vector<T>::from_array(where, operand);
            vector<T> w(where, p.rows);
            for (const char* what : {", new w", ", the same w again"}) {
              mxv(w, semiring, a, u);
              expect_same(expected, w, name + what + (iso ? ", iso" : ""));
            }
          }
        }
}

template <class T>
class RowSums : public ::testing::Test {};
using types = ::testing::Types<std::int8_t, std::int32_t, std::int64_t, std::uint8_t, std::uint32_t,
                               float, double>;
TYPED_TEST_SUITE(RowSums, types);

TYPED_TEST(RowSums, MinimaAndMaximaKeepTheRulesForRareValues) {
  using T = TypeParam;
  SCOPED_TRACE(seed_trace());
  check<T>("min_plus", min_plus<T>{});
  check<T>("max_plus", max_plus<T>{});
  check<T>("min_max", min_max<T>{});
  check<T>("max_min", max_min<T>{});
  check<T>("min_first", min_first<T>{});
  check<T>("max_second", max_second<T>{});
}

TYPED_TEST(RowSums, EqualProductsAreSummedByTheirNumber) {
  using T = TypeParam;
  SCOPED_TRACE(seed_trace());
  check<T>("plus_pair", plus_pair<T>{});
  check<T>("any_pair", any_pair<T>{});
  // Floating sums of large values depend on their order.
  check<T>("plus_first", plus_first<T>{}, std::is_floating_point_v<T> ? pool::signs : pool::all);
  check<T>("or_and", or_and<T>{});
}

// Sums of booleans are taken by four, and end where they are known.
TEST(BooleanRows, EndWhereTheyAreKnown) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const index_t rows = 600, width = 40;
  std::vector<std::uint32_t> offsets{0}, columns;
  for (index_t row = 0; row < rows; ++row) {
    for (int n = random.roll(14); n > 0; --n) columns.push_back(static_cast<std::uint32_t>(n * 2));
    std::reverse(columns.begin() + offsets.back(), columns.end());
    offsets.push_back(static_cast<std::uint32_t>(columns.size()));
  }
  const context where = context::cpu({.threads = 1}), reference = context::reference();
  const std::unique_ptr<bool[]> values(new bool[columns.size()]), operand(new bool[width]);
  for (const int rare : {0, 1, 2, 6})  // of one truth value; 0: none of it
    for (const bool usual : {false, true})
      for (const bool iso : {false, true}) {
        const auto draw = [&] { return rare > 0 && random.roll(2 * rare) == 0 ? !usual : usual; };
        for (std::size_t e = 0; e < columns.size(); ++e) values[e] = iso ? !usual : draw();
        for (std::size_t j = 0; j < width; ++j) operand[j] = draw();
        const auto in = [&](const context& c) {
          return matrix<bool>::from_csr(c, rows, width, array_view<std::uint32_t>{offsets, nullptr},
                                        array_view<std::uint32_t>{columns, nullptr},
                                        array_view<bool>{{values.get(), columns.size()}, nullptr});
        };
        const auto check = [&](const auto& semiring) {
          vector<bool> expected(reference, rows), found(where, rows);
          const std::span<const bool> u(operand.get(), width);
          mxv(expected, semiring, in(reference), vector<bool>::from_array(reference, u));
          mxv(found, semiring, in(where), vector<bool>::from_array(where, u));
          ASSERT_EQ(expected.nvals(), found.nvals());
          for (const auto& e : expected.entries())
            ASSERT_EQ(e.value, *found.get(e.index)) << "row " << e.index << ", 1 of " << 2 * rare;
        };
        check(or_and<bool>{});
        check(and_or<bool>{});
      }
}

// Repeated sums of 0.1 round, a product does not.
// Short rows are summed in groups, whose absent entries are -0.0: +0.0 would change these sums.
// Each sum of a row of ones is its length.
TEST(ShortRows, OfNegativeZerosAndOfOnes) {
  const auto check = []<class T>(T) {
    for (const T value : {-T{0}, T{1}})
      for (const bool iso : {false, true}) {
        std::vector<std::uint32_t> offsets{0}, columns;
        const index_t rows = 24;
        for (std::uint32_t length = 1; length <= rows; ++length) {
          for (std::uint32_t j = 0; j < length; ++j) columns.push_back(j);
          offsets.push_back(static_cast<std::uint32_t>(columns.size()));
        }
        const context where = context::cpu({.threads = 1});
        std::vector<T> values(columns.size(), value);
        if (!iso) values.back() = T{5};  // of the last row
        const auto a = matrix<T>::from_csr(where, rows, rows, offsets, columns, values);
        const vector<T> u(where, rows, T{1});
        vector<T> sums(where, rows);
        mxv(sums, plus_times<T>{}, a, u);
        const std::vector<T> found = sums.dense(T{-1});
        for (std::size_t n = 0; n + 1 < found.size(); ++n) {
          EXPECT_EQ(found[n], value == T{1} ? static_cast<T>(n + 1) : T{0}) << n + 1 << " entries";
          EXPECT_EQ(std::signbit(found[n]), value != T{1}) << n + 1 << " entries";
        }
      }
  };
  check(float{});
  check(double{});
}

// Rows of one to four entries in the mean, with some longer ones among them: sums in order, to the
// bit, where values round, where the last entry is a NaN, and where a zero would end an integer's
// product.
TEST(ShortRows, AreSummedInOrder) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  const auto check = [&]<class Monoid>(Monoid, const auto& pool_of_values) {
    using T = typename Monoid::type;
    std::vector<std::uint32_t> offsets{0}, columns;
    const index_t rows = 500, width = 40;
    for (index_t row = 0; row < rows; ++row) {
      const int length = row % 50 == 7 ? 5 + random.roll(8) : 1 + random.roll(4);
      for (int n = 0; n < length; ++n) columns.push_back(static_cast<std::uint32_t>(n * 3));
      offsets.push_back(static_cast<std::uint32_t>(columns.size()));
    }
    const auto draw = [&] {
      return pool_of_values[static_cast<std::size_t>(
          random.roll(static_cast<int>(pool_of_values.size())))];
    };
    std::vector<T> values(columns.size()), operand(static_cast<std::size_t>(width));
    for (T& v : values) v = draw();
    for (T& v : operand) v = draw();
    const context where = context::cpu({.threads = 1});
    const auto a = matrix<T>::from_csr(where, rows, width, offsets, columns, values);
    const auto u = vector<T>::from_array(where, operand);
    vector<T> sums(where, rows);
    mxv(sums, semiring<Monoid, times>{}, a, u);
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      const auto product = [&](std::size_t e) {
        return times{}.template evaluate<T>(values[e], operand[columns[e]]);
      };
      T sum = product(offsets[row]);
      for (std::size_t e = offsets[row] + 1; e < offsets[row + 1]; ++e)
        sum = typename Monoid::operation{}.template evaluate<T>(sum, product(e));
      const T found = *sums.get(static_cast<index_t>(row));
      ASSERT_TRUE(std::memcmp(&sum, &found, sizeof(T)) == 0 || (sum != sum && found != found))
          << "row " << row << ": " << +found << ", expected " << +sum;
    }
  };
  const std::vector<double> rounds{0.1, 0.7, 1e8, -1e8, 1e-3, -0.0, 3};
  const std::vector<float> singles(rounds.begin(), rounds.end());
  std::vector<double> with_nan = rounds;
  with_nan.push_back(std::numeric_limits<double>::quiet_NaN());
  check(plus_monoid<double>{}, rounds);
  check(plus_monoid<double>{}, with_nan);
  check(plus_monoid<float>{}, singles);
  check(times_monoid<float>{}, singles);
  check(plus_monoid<std::int8_t>{}, std::vector<std::int8_t>{1, -1, 100, 7});
  check(times_monoid<std::int16_t>{}, std::vector<std::int16_t>{1, 2, 0, -3});
  check(plus_monoid<std::int64_t>{}, std::vector<std::int64_t>{1, -5, std::int64_t{1} << 40});
  check(xor_monoid<std::uint32_t>{}, std::vector<std::uint32_t>{1, 0, 77});
}

TEST(EqualProducts, ThatRoundAreSummedOneByOne) {
  const std::vector<std::uint32_t> row(10, 0), column{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto where = context::cpu();
  vector<double> w(where, 1);
  mxv(w, plus_first<double>{}, matrix<double>::from_pattern(where, 1, 10, row, column, 0.1),
      vector<double>(where, 10, 1.0));
  double sum = 0;
  for (int n = 0; n < 10; ++n) sum += 0.1;
  EXPECT_EQ(*w.get(0), sum);
  EXPECT_NE(sum, 1.0);
}

// 2^24 + 2 ones: a loop in fp32 stops at 2^24, so the number of entries is not the sum.
TEST(EqualProducts, AreCountedOnlyAsFarAsTheTypeCounts) {
  const index_t n = (index_t{1} << 24) + 2;
  std::vector<std::uint32_t> row(static_cast<std::size_t>(n), 0), column(row.size());
  for (std::size_t e = 0; e < column.size(); ++e) column[e] = static_cast<std::uint32_t>(e);
  const auto sum_in = [&](const context& where) {
    vector<float> w(where, 1);
    mxv(w, plus_pair<float>{}, matrix<float>::from_pattern(where, 1, n, row, column, 1.0f),
        vector<float>(where, n, 1.0f));
    return *w.get(0);
  };
  const float one_thread = sum_in(context::cpu({.threads = 1}));
  EXPECT_EQ(one_thread, sum_in(context::cpu({.threads = 2})));
  EXPECT_NEAR(one_thread, static_cast<float>(n), 4);
}

TEST(MatrixFacts, AreFoundAgainAfterAChange) {
  const auto where = context::cpu();
  const std::vector<std::uint32_t> row{0, 0, 1}, column{0, 1, 1};
  auto a = matrix<std::int32_t>::from_entries(where, 2, 2, row, column, std::vector{1, 1, 1});
  const auto u = vector<std::int32_t>(where, 2, arithmetic::largest<std::int32_t>());
  vector<std::int32_t> w(where, 2);
  mxv(w, min_plus<std::int32_t>{}, a, u);
  EXPECT_EQ(*w.get(0), arithmetic::largest<std::int32_t>());
  a.set(0, 1, -5);  // the identity plus a negative value is the identity
  mxv(w, min_plus<std::int32_t>{}, a, u);
  EXPECT_EQ(*w.get(0), arithmetic::largest<std::int32_t>());
  const auto v = vector<std::int32_t>(where, 2, 7);
  mxv(w, min_plus<std::int32_t>{}, a, v);
  EXPECT_EQ(*w.get(0), 2);
  EXPECT_EQ(*w.get(1), 8);
}

class ResultBuffers : public ::testing::Test {
 protected:
  const context where = context::cpu();
  const std::vector<std::uint32_t> row{0, 0, 1, 2}, column{1, 2, 0, 2};
  const matrix<double> a =
      matrix<double>::from_entries(where, 3, 3, row, column, std::vector{1.0, 2.0, 3.0, 4.0});
  // Rows without entries: the flags are written as well.
  const matrix<double> gaps = matrix<double>::from_entries(
      where, 3, 3, std::vector<std::uint32_t>{1}, std::vector<std::uint32_t>{0}, std::vector{3.0});
};

TEST_F(ResultBuffers, MayBeThoseOfTheInput) {
  for (const matrix<double>* m : {&a, &gaps}) {
    vector<double> x(where, 3, 1.0), expected(where, 3);
    x.set(2, 5.0);
    mxv(expected, plus_times<double>{}, *m, x);
    mxv(x, plus_times<double>{}, *m, x);
    expect_same(expected, x, "w is u");
    vector<double> y(where, 3), again(where, 3);
    y.set(1, 2.0);
    y.set(2, 1.0);
    y.expect_dense();
    mxv(again, plus_times<double>{}, *m, y);
    mxv(y, plus_times<double>{}, *m, y);
    expect_same(again, y, "w is u, with gaps");
  }
}

TEST_F(ResultBuffers, OfACopyOrOfTheCallerAreNotWritten) {
  std::vector<double> values{7, 8, 9};
  auto w = vector<double>::from_array(where,
                                      array_view<double>{{values.data(), values.size()}, nullptr});
  const vector<double> ones(where, 3, 1.0);
  mxv(w, plus_times<double>{}, a, ones);
  EXPECT_EQ(values, (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(*w.get(0), 3);
  const vector<double> copy = w;
  mxv(w, plus_times<double>{}, a, vector<double>(where, 3, 2.0));
  EXPECT_EQ(*copy.get(0), 3);
  EXPECT_EQ(*w.get(0), 6);
}

}  // namespace
}  // namespace row_sums_test
}  // namespace tropic::testing
