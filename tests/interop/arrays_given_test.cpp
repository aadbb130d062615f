// SPDX-License-Identifier: Apache-2.0

// Arrays of user programs: std::vector, std::span, std::array and braces, with indices of every
// integer type; what is kept and what is copied.

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <span>
#include <vector>

#include <tropic/tropic.hpp>

#include "support/messages.hpp"

namespace tropic::testing {
namespace {

const context& here() {
  static const context one = context::cpu();
  return one;
}

template <class P>
class GivenArrays : public ::testing::Test {};
template <class O, class I>
struct pair_of {
  using offset = O;
  using index = I;
};
using short_ = std::int16_t;
using pairs =
    ::testing::Types<pair_of<short_, short_>, pair_of<std::uint16_t, int>,
                     pair_of<int, std::uint16_t>, pair_of<int, int>, pair_of<unsigned, unsigned>,
                     pair_of<long, unsigned long>, pair_of<unsigned long long, long long>,
                     pair_of<int, std::size_t>, pair_of<std::size_t, int>>;
TYPED_TEST_SUITE(GivenArrays, pairs);

TYPED_TEST(GivenArrays, CsrIsCopiedFromWhatTheCallerKeeps) {
  std::vector<typename TypeParam::offset> offsets{0, 2, 3};
  std::vector<typename TypeParam::index> columns{0, 2, 1};
  std::vector<double> values{1, 2, 3};
  const auto m = matrix<double>::from_csr(here(), 2, 3, offsets, columns, values);
  const auto s = matrix<double>::from_csr(here(), 2, 3, std::span(offsets), std::span(columns),
                                          std::span<const double>(values));
  offsets.assign(3, 1);
  columns.assign(3, 1);
  values.assign(3, 9);
  for (const matrix<double>& one : {m, s}) {
    EXPECT_EQ(one.nvals(), 3);
    EXPECT_EQ(one.get(0, 0), 1.0);
    EXPECT_EQ(one.get(0, 2), 2.0);
    EXPECT_EQ(one.get(1, 1), 3.0);
  }
}

TYPED_TEST(GivenArrays, VectorsThatAreMovedInAreKept) {
  std::vector<typename TypeParam::offset> offsets{0, 2, 3};
  std::vector<typename TypeParam::index> columns{0, 2, 1};
  std::vector<double> values{1, 2, 3};
  const double* held = values.data();
  const auto m = matrix<double>::from_csr(here(), 2, 3, std::move(offsets), std::move(columns),
                                          std::move(values));
  EXPECT_EQ(m.values().data.data(), held);
  EXPECT_EQ(m.get(0, 2), 2.0);
  EXPECT_EQ(m.get(1, 1), 3.0);
}

TYPED_TEST(GivenArrays, CscEntriesPatternsAndVectors) {
  using index = typename TypeParam::index;
  const std::vector<typename TypeParam::offset> offsets{0, 1, 1, 2};
  const std::vector<index> rows{1, 0};
  const std::vector<double> values{5, 6};
  const auto c = matrix<double>::from_csc(here(), 2, 3, offsets, rows, values);
  EXPECT_EQ(c.get(1, 0), 5.0);
  EXPECT_EQ(c.get(0, 2), 6.0);
  const std::array<index, 2> columns{2, 0};
  const auto e = matrix<double>::from_entries(here(), 2, 3, rows, columns, values);
  EXPECT_EQ(e.get(1, 2), 5.0);
  EXPECT_EQ(e.get(0, 0), 6.0);
  EXPECT_EQ(matrix<double>::from_pattern(here(), 2, 3, rows, columns, 4).get(1, 2), 4.0);
  EXPECT_EQ(vector<double>::from_entries(here(), 5, columns, values).get(0), 6.0);
  EXPECT_EQ(vector<double>::from_sparse(here(), 5, std::vector<index>{0, 4}, values).get(4), 6.0);
}

TYPED_TEST(GivenArrays, ListsOfAssignHoldAnyInteger) {
  const std::vector<typename TypeParam::index> list{1, 3};
  vector<double> w(here(), 5);
  assign(w, 2.0, list);
  assign(w, vector<double>(here(), 2, 1.0), list, {.accumulate = plus{}});
  EXPECT_EQ(w.dense(0), (std::vector<double>{0, 3, 0, 3, 0}));
  matrix<double> m(here(), 4, 4);
  assign(m, 7.0, list, std::vector<typename TypeParam::offset>{0});
  assign(m, matrix<double>::from_csr(here(), 2, 2, {0, 1, 1}, {1}, {8}), list, list);
  EXPECT_EQ(m.get(1, 3), 8.0);
  EXPECT_EQ(m.get(3, 1), std::nullopt);
}

TEST(GivenArray, BracesAndSets) {
  const auto m = matrix<float>::from_csr(here(), 2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3});
  EXPECT_EQ(m.get(1, 1), 3.F);
  EXPECT_EQ(matrix<float>::from_csr(here(), 2, 3, {0, 0, 0}, {}, {}).nvals(), 0);
  EXPECT_EQ(vector<float>::from_array(here(), {}).size(), 0);
  EXPECT_EQ(vector<float>::from_array(here(), {1, 2}).get(1), 2.F);
  EXPECT_EQ(vector<float>::from_entries(here(), 9, {4, 1}, {1, 2}).get(1), 2.F);
  EXPECT_EQ(vector<float>::from_sparse(here(), 9, {1, 4}, {1, 2}).get(4), 2.F);
  vector<float> w(here(), 5);
  assign(w, 1.F, std::set<unsigned>{4, 2});
  EXPECT_EQ(w.nvals(), 2);
  EXPECT_THROW(assign(w, 1.F, std::vector<int>{-1}), usage_error);
}

TEST(GivenArray, ViewsAndVectorsTogether) {
  const std::vector<int> offsets{0, 1};
  const std::vector<double> values{8};
  const array_view<int> lent{offsets, nullptr};
  const auto m = matrix<double>::from_csr(here(), 1, 1, lent, std::vector<int>{0}, values);
  EXPECT_EQ(m.get(0, 0), 8.0);
  EXPECT_EQ(m.offsets<int>().data.data(), offsets.data());
  // All views: nothing is copied.
  const auto v = matrix<double>::from_csr(
      here(), 1, 1, lent, array_view<int>{lent.data.first(1), nullptr}, {values, nullptr});
  EXPECT_EQ(v.values().data.data(), values.data());
}

TEST(GivenArray, VectorsOfBoolHaveBits) {
  const std::vector<bool> bits{true, false, true};
  const auto m = matrix<bool>::from_csr(here(), 2, 3, {0, 2, 3}, {0, 2, 1}, bits);
  EXPECT_EQ(m.get(0, 2), false);
  EXPECT_EQ(m.get(1, 1), true);
  EXPECT_EQ(vector<bool>::from_array(here(), bits).get(1), false);
  EXPECT_EQ(vector<bool>::from_entries(here(), 4, {3, 1, 0}, bits).get(1), false);
}

TEST(GivenArray, CopiesCountAgainstTheMemoryLimit) {
  const auto small = context::cpu({.memory_limit = 4096});
  const std::vector<double> values(1 << 16);
  EXPECT_THROW(vector<double>::from_array(small, values), out_of_memory);
  EXPECT_NO_THROW(vector<double>::from_array(small, array_view<double>{values, nullptr}));
}

TEST(GivenArray, IndicesOf16BitsAreChecked) {
  const std::vector<short> offsets{0, 2}, columns{0, -1};
  const std::vector<double> values{1, 2};
  EXPECT_EQ(message_of([&] { matrix<double>::from_csr(here(), 1, 3, offsets, columns, values); }),
            "matrix: row 0 has column -1 at entry 1, expected 0 to 2");
  EXPECT_THROW(matrix<double>::from_csr(here(), 1, 3, std::vector<short>{0, -2},
                                        std::vector<short>{0, 1}, values),
               usage_error);
}

}  // namespace
}  // namespace tropic::testing
