// SPDX-License-Identifier: Apache-2.0

// Arrays that do not form a matrix or vector are rejected with a message that states the error,
// released once, and leave everything unchanged.

#include <gtest/gtest.h>

#include <limits>
#include <tropic/tropic.hpp>

#include "interop/plain_arrays.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

void expect_in(const std::string& part, const std::string& message) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

// Row 0: 1, 4; row 1: none; row 2: 0, 2, 3.
template <class Offset, class Index>
struct arrays {
  std::vector<Offset> offsets{0, 2, 2, 5};
  std::vector<Index> indices{1, 4, 0, 2, 3};
  std::vector<double> values{1, 2, 3, 4, 5};
  int released = 0;

  matrix<double> take(index_t columns = 5, const import_options& options = {}) {
    const auto count = [this] { ++released; };
    return matrix<double>::from_csr(context::cpu(), static_cast<index_t>(offsets.size()) - 1,
                                    columns, adopt(offsets.data(), offsets.size(), count),
                                    adopt(indices.data(), indices.size(), count),
                                    adopt(values.data(), values.size(), count), options);
  }
  std::string refused(index_t columns = 5) {
    const auto before = *this;
    const std::string message = message_of<usage_error>([&] { take(columns); });
    EXPECT_EQ(released, 3) << "each array is released once";
    EXPECT_EQ(offsets, before.offsets);
    EXPECT_EQ(indices, before.indices);
    return message;
  }
};

template <class Pair>
class BadArrays : public ::testing::Test {};
template <class O, class I>
struct types {
  using offset = O;
  using index = I;
};
using index_types =
    ::testing::Types<types<std::int32_t, std::int32_t>, types<std::uint32_t, std::uint32_t>,
                     types<std::int64_t, std::int64_t>, types<std::uint64_t, std::uint64_t>,
                     types<std::int64_t, std::int32_t>, types<std::uint32_t, std::int64_t>>;
TYPED_TEST_SUITE(BadArrays, index_types);

template <class P>
arrays<typename P::offset, typename P::index> good() {
  return {};
}

TYPED_TEST(BadArrays, ValidOnesAreAccepted) {
  auto a = good<TypeParam>();
  EXPECT_EQ(a.take().nvals(), 5);
  EXPECT_EQ(a.released, 3);
}

TYPED_TEST(BadArrays, UnsortedColumnsAreRefused) {
  auto a = good<TypeParam>();
  a.indices = {1, 4, 2, 0, 3};
  expect_in("matrix: row 2 has column 0 at entry 3 after 2, expected ascending order", a.refused());
}

TYPED_TEST(BadArrays, RepeatedColumnsAreRefused) {
  auto a = good<TypeParam>();
  a.indices = {1, 1, 0, 2, 3};
  expect_in("matrix: row 0 has column 1 twice, at entries 0 and 1, expected each once",
            a.refused());
}

TYPED_TEST(BadArrays, ColumnsOutOfRangeAreRefused) {
  auto a = good<TypeParam>();
  expect_in("matrix: row 0 has column 4 at entry 1, expected 0 to 3", a.refused(4));
}

TYPED_TEST(BadArrays, NegativeColumnsAreRefused) {
  using index = typename TypeParam::index;
  auto a = good<TypeParam>();
  a.indices[2] = static_cast<index>(-1);
  expect_in(
      "matrix: row 2 has column " + std::to_string(a.indices[2]) + " at entry 2, expected 0 to 4",
      a.refused());
  if (sizeof(index) == 4 && std::is_signed_v<index>) {
    // At this width the number, taken as unsigned, would be a valid column.
    auto wide = good<TypeParam>();
    wide.indices = {1, 4, 0, 2, static_cast<index>(-1)};
    expect_in("row 2 has column -1 at entry 4", wide.refused(index_t{1} << 32));
  }
}

TYPED_TEST(BadArrays, ColumnsPast32BitsAreRefused) {
  using index = typename TypeParam::index;
  if constexpr (sizeof(index) == 8) {
    auto a = good<TypeParam>();
    a.indices[4] = static_cast<index>((std::uint64_t{1} << 32) + 3);  // 3 in 32 bits
    expect_in("row 2 has column 4294967299 at entry 4, expected 0 to 4", a.refused());
    auto trusted = good<TypeParam>();
    trusted.indices[4] = static_cast<index>((std::uint64_t{1} << 32) + 3);
    expect_in("4294967299", message_of<usage_error>([&] {
                trusted.take(5, {.trusted = true});
              }));  // what narrows looks
  }
}

TYPED_TEST(BadArrays, OffsetsThatFallOrEndElsewhereAreRefused) {
  using offset = typename TypeParam::offset;
  auto falling = good<TypeParam>();
  falling.offsets = {0, 3, 2, 5};
  expect_in("offsets fall after row 1", falling.refused());
  auto late = good<TypeParam>();
  late.offsets = {1, 2, 2, 5};
  expect_in("offsets run from 1 to 5, needed 0 to 5", late.refused());
  auto few = good<TypeParam>();
  few.offsets = {0, 2, 2, 4};
  expect_in("offsets run from 0 to 4, needed 0 to 5", few.refused());
  auto negative = good<TypeParam>();
  negative.offsets = {0, static_cast<offset>(-2), 2, 5};
  expect_in("row 0 is negative, or past the 5 entries", negative.refused());
  auto none = good<TypeParam>();
  none.offsets.clear();
  EXPECT_THROW(none.take(), usage_error);
}

TEST(BadArrays, LengthsThatDoNotMatchAreRefused) {
  arrays<std::uint32_t, std::uint32_t> a;
  a.values.resize(4);
  expect_in("5 columns, 4 values", a.refused());
  arrays<std::uint32_t, std::uint32_t> b;
  const auto take = [&](index_t rows, index_t columns) {
    return message_of<usage_error>([&] {
      matrix<double>::from_csr(context::cpu(), rows, columns, lend(b.offsets), lend(b.indices),
                               lend(b.values));
    });
  };
  expect_in("4 rows need 5 offsets, found 4", take(4, 5));
  expect_in("dimension -1", take(-1, 5));
  expect_in("dimension 4294967297", take(3, (index_t{1} << 32) + 1));
  expect_in("4 columns need 5 offsets, found 4", message_of<usage_error>([&] {
              matrix<double>::from_csc(context::cpu(), 5, 4, lend(b.offsets), lend(b.indices),
                                       lend(b.values));
            }));
}

TEST(BadArrays, NullPointersAreRefused) {
  arrays<std::uint32_t, std::uint32_t> a;
  const array_view<double> nowhere{{static_cast<const double*>(nullptr), std::size_t{5}}, nullptr};
  expect_in("null pointer", message_of<usage_error>([&] {
              matrix<double>::from_csr(context::cpu(), 3, 5, lend(a.offsets), lend(a.indices),
                                       nowhere);
            }));
}

TEST(BadArrays, CscArraysAreRefusedByColumn) {
  arrays<std::int64_t, std::int64_t> a;
  a.indices = {1, 4, 2, 0, 3};
  expect_in("matrix: column 2 has row 0 at entry 3 after 2, expected ascending order",
            message_of<usage_error>([&] {
              matrix<double>::from_csc(context::cpu(), 5, 3, lend(a.offsets), lend(a.indices),
                                       lend(a.values));
            }));
  a.indices = {1, 4, 9, 0, 3};
  expect_in("matrix: column 2 has row 9 at entry 2, expected 0 to 4", message_of<usage_error>([&] {
              matrix<double>::from_csc(context::cpu(), 5, 3, lend(a.offsets), lend(a.indices),
                                       lend(a.values));
            }));
}

TEST(BadArrays, EntriesOutsideTheMatrixAreRefused) {
  const std::vector<std::int64_t> row{0, 1, 2};
  const std::vector<double> value{1, 2, 3};
  const auto refused = [&](const std::vector<std::int64_t>& rows,
                           const std::vector<std::int64_t>& columns) {
    return message_of<usage_error>(
        [&] { matrix<double>::from_entries(context::cpu(), 3, 4, rows, columns, value); });
  };
  expect_in("column index -1 of entry 1, needed 0 to 3", refused(row, {0, -1, 2}));
  expect_in("column index 4 of entry 2", refused(row, {0, 1, 4}));
  expect_in("row index 3 of entry 0, needed 0 to 2", refused({3, 0, 0}, row));
  expect_in("row index 4294967296 of entry 2", refused({0, 1, std::int64_t{1} << 32}, row));
  expect_in("a second entry at (1, 2)", refused({0, 1, 1}, {0, 2, 2}));
  expect_in("3 row indices, 2 column indices", refused(row, {0, 1}));
  const std::vector<std::int32_t> negative{0, -5, 2};
  expect_in("row index -5 of entry 1", message_of<usage_error>([&] {
              matrix<double>::from_entries(context::cpu(), 3, 4, negative, row, value);
            }));
}

TEST(BadArrays, ArraysOfVectorsAreRefusedByEntry) {
  const std::vector<double> value{1, 2, 3};
  const auto refused = [&]<class I>(std::vector<I> indices, index_t size) {
    return message_of<usage_error>(
        [&] { vector<double>::from_sparse(context::cpu(), size, lend(indices), lend(value)); });
  };
  expect_in("vector: index 1 twice, at entries 0 and 1, expected each once",
            refused(std::vector<std::uint32_t>{1, 1, 2}, 10));
  expect_in("vector: index 1 at entry 1 after 2, expected ascending order",
            refused(std::vector<std::int64_t>{2, 1, 3}, 10));
  const char* range = "vector: index 10 at entry 2, expected 0 to 9";
  expect_in(range, refused(std::vector<std::uint32_t>{1, 2, 10}, 10));
  expect_in(range, refused(std::vector<std::int64_t>{1, 2, 10}, 10));
  expect_in("index -1 at entry 0", refused(std::vector<std::int32_t>{-1, 2, 3}, 10));
  expect_in("index -1 at entry 2", refused(std::vector<std::int32_t>{1, 2, -1}, index_t{1} << 32));
  expect_in("2 indices, 3 values", refused(std::vector<std::int32_t>{1, 2}, 10));
  const std::vector<std::int32_t> negative{0, -5, 2};
  expect_in("index -5 of entry 1", message_of<usage_error>([&] {
              vector<double>::from_entries(context::cpu(), 10, negative, value);
            }));
}

TEST(BadArrays, TypesTooSmallForWhatComesOut) {
  const std::vector<std::uint32_t> row{0}, column{0xfffffffeu};
  const std::vector<double> value{1};
  const auto m =
      matrix<double>::from_entries(context::cpu(), 1, index_t{1} << 32, row, column, value);
  const auto wide = m.to_csr<std::int32_t, std::int64_t>();
  EXPECT_EQ(wide.indices[0], 0xfffffffe);
  EXPECT_EQ((m.to_csr<std::int32_t, std::uint32_t>().indices[0]), 0xfffffffeu);
  expect_in("columns up to 4294967295, more than int32 can hold",
            message_of<usage_error>([&] { m.to_csr<std::int32_t, std::int32_t>(); }));
  expect_in("more than int32",
            message_of<usage_error>([&] { m.to_coo<std::int32_t, std::int32_t>(); }));
}

TEST(BadArrays, ArraysOnAnAbsentDeviceAreRefused) {
  std::vector<double> values(3);
  int released = 0;
  expect_in("cpu has no memory but the host's", message_of<usage_error>([&] {
              vector<double>::from_array(
                  context::cpu(), adopt_device<double>(values.data(), 3, [&] { ++released; }));
            }));
  EXPECT_EQ(released, 1);
  const vector<double> v(context::cpu(), 3, 1.);
  expect_in("cpu has no memory", message_of<usage_error>([&] { v.to_device_array(); }));
}

}  // namespace
}  // namespace tropic::testing
