// SPDX-License-Identifier: Apache-2.0

// Full matrices as containers, and operations on single positions, which must give what the same
// operations give on sparse matrices.

#include <gtest/gtest.h>

#include <tropic/tropic.hpp>

#include "backends/mxm/spmm_cases.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace full_matrix_test {
namespace {

TROPIC_BINARY_OPERATOR(place_and_value, x * 100 + i * 10 + j);
TROPIC_BINARY_OPERATOR(above_diagonal, i < j);
TROPIC_BINARY_OPERATOR(both_and_place, x * 5 - y + i * 2 + j);

class FullMatrix : public OnContext {
 protected:
  // 7x5 with about `density` of its entries.
  full_matrix<int> random(double density, std::uint64_t seed) const {
    dice of(seed);
    const host_matrix m = random_matrix(describe<int>(), 7, 5, density, flavour::small, of);
    return full_matrix<int>(make_full(where(), m, static_cast<int>(seed % 4)));
  }
};

template <class Act>
std::string message_of(Act&& act) {
  try {
    act();
  } catch (const usage_error& e) {
    return e.what();
  }
  return "no error";
}

template <class T>
std::string unlike(const full_matrix<T>& found, const matrix<T>& expected) {
  return difference(read(expected.base()), read_full(found.base()));
}

TEST_P(FullMatrix, HoldsWhatWasSet) {
  full_matrix<double> m(where(), 3, 4);
  EXPECT_EQ(m.rows(), 3);
  EXPECT_EQ(m.columns(), 4);
  EXPECT_EQ(m.nvals(), 0);
  m.set(2, 3, 1.5);
  m.set(0, 0, 2.5);
  m.set(2, 3, 3.5);
  EXPECT_EQ(m.nvals(), 2);
  EXPECT_EQ(m.get(2, 3), 3.5);
  EXPECT_EQ(m.get(0, 0), 2.5);
  EXPECT_EQ(m.get(1, 0), std::nullopt);
  const full_matrix<double> copy = m;
  m.remove(2, 3);
  m.remove(1, 1);
  EXPECT_EQ(m.nvals(), 1);
  EXPECT_EQ(copy.get(2, 3), 3.5);
  m.clear();
  EXPECT_EQ(m.nvals(), 0);
  EXPECT_EQ(message_of([&] { m.set(3, 0, 1); }), "full matrix: position (3, 0), the matrix is 3x4");
  EXPECT_EQ(message_of([&] { m.get(0, 4); }), "full matrix: position (0, 4), the matrix is 3x4");
  EXPECT_EQ(message_of([&] { m.remove(-1, 0); }),
            "full matrix: position (-1, 0), the matrix is 3x4");
}

TEST_P(FullMatrix, IsMadeFromArrays) {
  std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto copied = full_matrix<float>::from_array(where(), 2, 3, values);
  values[4] = 50;
  EXPECT_EQ(copied.get(1, 1), 5);
  const auto borrowed =
      full_matrix<float>::from_array(where(), 2, 3, array_view<float>{values, nullptr});
  EXPECT_EQ(borrowed.get(1, 1), 50);
  EXPECT_EQ(borrowed.nvals(), 6);
  if (where().name() == "cpu") {
    EXPECT_EQ(borrowed.to_array().data.data(), values.data());
    EXPECT_EQ(borrowed.bytes(), 6 * sizeof(float));
  }
  // Two of three columns.
  auto gaps = full_matrix<float>::from_array(where(), 2, 2, array_view<float>{values, nullptr}, 3);
  EXPECT_EQ(gaps.nvals(), 4);
  EXPECT_EQ(gaps.get(1, 0), 4);
  EXPECT_EQ(gaps.dense(0), (std::vector<float>{1, 2, 4, 50}));
  EXPECT_EQ(gaps.row(1).dense(0), (std::vector<float>{4, 50}));
  gaps.set(0, 1, -1);
  EXPECT_EQ(gaps.get(0, 1), -1);
  EXPECT_EQ(values[1], 2);
  const full_matrix<float> constant(where(), 2, 2, 9.0f);
  EXPECT_EQ(constant.dense(0), (std::vector<float>{9, 9, 9, 9}));
}

TEST_P(FullMatrix, IsMadeFromABitmap) {
  const std::vector<std::uint8_t> present{1, 0, 0, 1};
  const std::vector<int> values{5, 6, 7, 8};
  const auto m =
      full_matrix<int>::from_bitmap(where(), 2, 2, {present, nullptr}, {values, nullptr});
  EXPECT_EQ(m.nvals(), 2);
  EXPECT_EQ(m.dense(-1), (std::vector<int>{5, -1, -1, 8}));
  EXPECT_EQ(m.to_matrix().get(1, 1), 8);
  EXPECT_EQ(m.to_matrix().nvals(), 2);
  const std::vector<std::uint8_t> wrong{1, 0, 2, 1};
  EXPECT_EQ(message_of([&] {
              full_matrix<int>::from_bitmap(where(), 2, 2, {wrong, nullptr}, {values, nullptr});
            }),
            "full matrix: presence of position (1, 0) is 2, expected 0 or 1");
}

TEST_P(FullMatrix, RefusesArraysThatAreTooShort) {
  const std::vector<int> values(10);
  const auto given = [&](index_t rows, index_t columns, index_t leading) {
    return message_of([&] {
      full_matrix<int>::from_array(where(), rows, columns, array_view<int>{values, nullptr},
                                   leading);
    });
  };
  EXPECT_EQ(given(2, 5, 0), "no error");
  EXPECT_EQ(given(2, 4, 6), "no error");
  EXPECT_EQ(given(3, 4, 0), "full matrix: 3x4 in an array of 10 elements, needs 12");
  EXPECT_EQ(given(2, 4, 7), "full matrix: 2x4 in an array of 10 elements, needs 11");
  EXPECT_EQ(given(2, 4, 3), "full matrix: 2x4 with rows 3 elements apart, needs at least 4");
  EXPECT_EQ(given(index_t{1} << 20, index_t{1} << 20, 0),
            "full matrix: 1048576x1048576 has more than 4294967296 positions");
  EXPECT_EQ(given(0, 7, 0), "no error");
  EXPECT_EQ(message_of([&] { full_matrix<int>(where(), -1, 2); }),
            "dimension -1, allowed are 0 to 4294967296");
}

TEST_P(FullMatrix, ExchangesRowsAndColumnsWithVectors) {
  auto m = full_matrix<int>::from_array(where(), 2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(m.row(1).dense(0), (std::vector<int>{4, 5, 6}));
  EXPECT_EQ(m.column(2).dense(0), (std::vector<int>{3, 6}));
  const auto u = vector<int>::from_entries(where(), 3, {0, 2}, {70, 80});
  m.set_row(0, u);
  EXPECT_EQ(m.dense(-1), (std::vector<int>{70, -1, 80, 4, 5, 6}));
  m.set_column(1, vector<int>::from_entries(where(), 2, {0}, {9}));
  EXPECT_EQ(m.dense(-1), (std::vector<int>{70, 9, 80, 4, -1, 6}));
  EXPECT_EQ(m.column(1).nvals(), 1);
  EXPECT_EQ(full_matrix<int>::from_column(u).get(2, 0), 80);
  EXPECT_EQ(full_matrix<int>::from_row(u).get(0, 2), 80);
  EXPECT_EQ(full_matrix<int>::from_row(u).rows(), 1);
  EXPECT_EQ(message_of([&] { m.row(2); }), "full matrix: row 2 of 2");
  EXPECT_EQ(message_of([&] { m.set_column(3, u); }), "full matrix: column 3 of 3");
}

TEST_P(FullMatrix, ComesFromAndGoesToSparseMatrices) {
  for (const double density : {0.0, 0.3, 1.0})
    for (const bool iso : {false, true}) {
      dice of(5);
      host_matrix from = random_matrix(describe<int>(), 7, 5, density, flavour::small, of);
      if (iso) make_iso(from);
      const matrix<int> sparse(make(where(), from, false, iso));
      const auto m = full_matrix<int>::from_matrix(sparse);
      EXPECT_EQ(difference(from, read_full(m.base())), "");
      EXPECT_EQ(difference(from, read(m.to_matrix().base())), "");
    }
}

TEST_P(FullMatrix, IsEmptyAfterAMove) {
  auto m = full_matrix<int>::from_array(where(), 2, 3, {1, 2, 3, 4, 5, 6}, 3);
  full_matrix<int> other = std::move(m);
  EXPECT_EQ(other.nvals(), 6);
  EXPECT_EQ(m.rows(), 0);
  EXPECT_EQ(m.columns(), 0);
  EXPECT_EQ(m.nvals(), 0);
  m = std::move(other);
  EXPECT_EQ(m.get(1, 2), 6);
}

// Every storage of the operands (random) and of the mask; each operation against the sparse one.
TEST_P(FullMatrix, OperatesOnPositionsAsSparseMatricesDo) {
  std::uint64_t seed = 0;
  for (const double density : {0.2, 0.7, 1.0})
    for (int mask = 0; mask < 4; ++mask)
      for (const bool replace : {false, true})
        for (const bool accumulate : {false, true}) {
          const auto a = random(density, ++seed), b = random(0.6, ++seed), c = random(0.5, ++seed);
          const auto m = random(0.5, ++seed);
          const matrix<int> sa = a.to_matrix(), sb = b.to_matrix(), sm = m.to_matrix();
          full_options<int> options{.replace = replace};
          matrix_options<int> plain{.replace = replace};
          if (mask == 1) options.mask = m, plain.mask = sm;
          if (mask == 2)
            options.mask = complement(structure(m)), plain.mask = complement(structure(sm));
          if (mask == 3) options.mask = complement(sm), plain.mask = complement(sm);
          if (accumulate) options.accumulate = plain.accumulate = minus{};
          const auto same = [&](const char* what, auto&& on_full, auto&& on_sparse) {
            full_matrix<int> found = c;
            matrix<int> expected = c.to_matrix();
            on_full(found);
            on_sparse(expected);
            EXPECT_EQ(unlike(found, expected), "") << what << " at seed " << seed;
          };
#define TROPIC_SAME(what, ...)                      \
  same(                                             \
      what,                                         \
      [&](full_matrix<int>& w) {                    \
        const auto &x = a, &y = b;                  \
        const auto& o = options;                    \
        static_cast<void>(x), static_cast<void>(y); \
        __VA_ARGS__;                                \
      },                                            \
      [&](matrix<int>& w) {                         \
        const auto &x = sa, &y = sb;                \
        const auto& o = plain;                      \
        static_cast<void>(x), static_cast<void>(y); \
        __VA_ARGS__;                                \
      })
          TROPIC_SAME("apply", apply(w, bind_second(plus{}, 3), x, o));
          TROPIC_SAME("apply at a position", apply(w, bind_second(place_and_value{}, 0), x, o));
          TROPIC_SAME("ewise_add", ewise_add(w, minus{}, x, y, o));
          TROPIC_SAME("ewise_add at a position", ewise_add(w, both_and_place{}, x, y, o));
          TROPIC_SAME("ewise_multiply", ewise_multiply(w, minus{}, x, y, o));
          TROPIC_SAME("select", select(w, bind_second(greater{}, 2), x, o));
          TROPIC_SAME("select at a position", select(w, bind_second(above_diagonal{}, 0), x, o));
          TROPIC_SAME("assign a value", assign(w, 17, o));
          TROPIC_SAME("assign", assign(w, x, o));
#undef TROPIC_SAME
          EXPECT_EQ(reduce(plus_monoid<int>{}, a), reduce(plus_monoid<int>{}, sa));
          vector<int> found(where(), 7), expected(where(), 7);
          reduce(found, plus_monoid<int>{}, a);
          reduce(expected, plus_monoid<int>{}, sa);
          EXPECT_EQ(difference(read(expected.base()), read(found.base())), "");
          vector<int> of_columns(where(), 5), expected_columns(where(), 5);
          reduce(of_columns, minimum_monoid<int>{}, transpose(a));
          reduce(expected_columns, minimum_monoid<int>{}, transpose(sa));
          EXPECT_EQ(difference(read(expected_columns.base()), read(of_columns.base())), "");
        }
}

TEST_P(FullMatrix, NamesShapesThatDoNotMatch) {
  full_matrix<int> c(where(), 2, 3);
  const full_matrix<int> a(where(), 3, 2);
  EXPECT_EQ(message_of([&] { apply(c, identity{}, a); }), "apply: C is 2x3, its input is 3x2");
  EXPECT_EQ(message_of([&] { ewise_add(c, plus{}, c, a); }),
            "ewise_add: C is 2x3, the second operand is 3x2");
  EXPECT_EQ(message_of([&] { select(c, bind_second(greater{}, 1), a); }),
            "select: C is 2x3, its input is 3x2");
  EXPECT_EQ(message_of([&] { assign(c, a); }), "assign: C is 2x3, A is 3x2");
  EXPECT_EQ(message_of([&] { assign(c, 1, {.mask = a}); }), "assign: C is 2x3, its mask is 3x2");
}

TROPIC_ON_EVERY_CONTEXT(FullMatrix);

TEST(FullMatrixThreads, AMatrixWithGapsIsPackedOnce) {
  const context where = context::cpu();
  std::vector<int> values(40);
  for (int n = 0; n < 40; ++n) values[static_cast<std::size_t>(n)] = n;
  const auto m = full_matrix<int>::from_array(where, 4, 7, array_view<int>{values, nullptr}, 10);
  const void* const first = m.to_array().data.data();
  EXPECT_EQ(m.to_array().data.data(), first);
  EXPECT_EQ(m.bytes(), 37 * sizeof(int) + 28 * sizeof(int));
}

TEST(FullMatrixThreads, OwnersAreReleased) {
  const context where = context::cpu();
  int released = 0;
  int values[6] = {1, 2, 3, 4, 5, 6};
  {
    auto m = full_matrix<int>::from_array(where, 2, 2, adopt(values, 6, [&] { ++released; }), 3);
    EXPECT_EQ(m.get(1, 0), 4);
    m.set(0, 0, 7);
    EXPECT_EQ(m.get(0, 0), 7);
  }
  EXPECT_EQ(released, 1);
  EXPECT_THROW(full_matrix<int>::from_array(where, 3, 3, adopt(values, 6, [&] { ++released; })),
               usage_error);
  EXPECT_EQ(released, 2);
}

}  // namespace
}  // namespace full_matrix_test
}  // namespace tropic::testing
