// SPDX-License-Identifier: Apache-2.0

// The reference backend on examples computed by hand: as the specification, it must be checked
// independently.

#include <gtest/gtest.h>

#include <optional>

#include <tropic/semirings/from_text.hpp>
#include <tropic/tropic.hpp>

#include "support/messages.hpp"

TROPIC_BINARY_OPERATOR(place, 10 * i + j);

namespace tropic::testing {
namespace reference_test {
namespace {

const context& where() {
  static const context result = context::reference();
  return result;
}

using some = std::optional<std::int64_t>;
constexpr std::nullopt_t none = std::nullopt;

vector<std::int64_t> vector_of(const std::vector<some>& values) {
  std::vector<index_t> indices;
  std::vector<std::int64_t> given;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]) indices.push_back(static_cast<index_t>(i)), given.push_back(*values[i]);
  return vector<std::int64_t>::from_entries(where(), static_cast<index_t>(values.size()), indices,
                                            given);
}
std::vector<some> values_of(const vector<std::int64_t>& v) {
  std::vector<some> found(static_cast<std::size_t>(v.size()));
  for (const auto& e : v.entries()) found[static_cast<std::size_t>(e.index)] = e.value;
  return found;
}
using grid = std::vector<std::vector<some>>;
matrix<std::int64_t> matrix_of(const grid& rows, index_t columns) {
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      if (rows[i][j]) {
        row.push_back(static_cast<std::uint32_t>(i));
        column.push_back(static_cast<std::uint32_t>(j));
        values.push_back(*rows[i][j]);
      }
  return matrix<std::int64_t>::from_entries(where(), static_cast<index_t>(rows.size()), columns,
                                            row, column, values);
}
grid values_of(const matrix<std::int64_t>& m) {
  grid found(static_cast<std::size_t>(m.rows()),
             std::vector<some>(static_cast<std::size_t>(m.columns())));
  for (index_t i = 0; i < m.rows(); ++i)
    for (index_t j = 0; j < m.columns(); ++j)
      found[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = m.get(i, j);
  return found;
}

// A = [ 1 2 . ]   row 2 is empty
//     [ . 3 4 ]
//     [ . . . ]
matrix<std::int64_t> example() {
  return matrix_of({{1, 2, none}, {none, 3, 4}, {none, none, none}}, 3);
}

TEST(Reference, MultipliesWithPatternAndAllOrientations) {
  const auto a = example();
  const auto u = vector_of({10, none, 100});
  auto w = vector_of({7, 7, 7});
  mxv(w, plus_times<std::int64_t>{}, a, u);
  EXPECT_EQ(values_of(w), (std::vector<some>{10, 400, none}));
  mxv(w, plus_times<std::int64_t>{}, transpose(a), u);
  EXPECT_EQ(values_of(w), (std::vector<some>{10, 20, none}));
  vxm(w, plus_times<std::int64_t>{}, u, a);
  EXPECT_EQ(values_of(w), (std::vector<some>{10, 20, none}));
  vxm(w, plus_times<std::int64_t>{}, u, transpose(a));
  EXPECT_EQ(values_of(w), (std::vector<some>{10, 400, none}));
  mxv(w, min_plus<std::int64_t>{}, a, vector_of({5, 1, 1}));
  EXPECT_EQ(values_of(w), (std::vector<some>{3, 4, none}));
  mxv(w, min_secondi<std::int64_t>{}, a, vector_of({5, none, 1}));
  EXPECT_EQ(values_of(w), (std::vector<some>{0, 2, none}));
  vxm(w, min_first<std::int64_t>{}, u, a);
  EXPECT_EQ(values_of(w), (std::vector<some>{10, 10, none}));
  mxv(w, plus_first<std::int64_t>{}, a, u);
  EXPECT_EQ(values_of(w), (std::vector<some>{1, 4, none}));
}

TEST(Reference, MaskAccumulatorAndReplaceFollowTheSpecification) {
  const auto u = vector_of({1, 2, none, none, 5, 6});
  const auto mask = vector_of({1, 0, 1, none, 1, none});
  const auto old = vector_of({10, 20, 30, 40, none, none});
  const auto after = [&](const vector_options<std::int64_t>& options) {
    auto w = old;
    apply(w, identity{}, u, options);
    return values_of(w);
  };
  EXPECT_EQ(after({}), (std::vector<some>{1, 2, none, none, 5, 6}));
  EXPECT_EQ(after({.accumulate = plus{}}), (std::vector<some>{11, 22, 30, 40, 5, 6}));
  EXPECT_EQ(after({.mask = mask}), (std::vector<some>{1, 20, none, 40, 5, none}));
  EXPECT_EQ(after({.mask = structure(mask)}), (std::vector<some>{1, 2, none, 40, 5, none}));
  EXPECT_EQ(after({.mask = complement(mask)}), (std::vector<some>{10, 2, 30, none, none, 6}));
  EXPECT_EQ(after({.mask = complement(structure(mask))}),
            (std::vector<some>{10, 20, 30, none, none, 6}));
  EXPECT_EQ(after({.mask = mask, .replace = true}),
            (std::vector<some>{1, none, none, none, 5, none}));
  EXPECT_EQ(after({.mask = mask, .accumulate = plus{}}),
            (std::vector<some>{11, 20, 30, 40, 5, none}));
  EXPECT_EQ(after({.mask = mask, .accumulate = plus{}, .replace = true}),
            (std::vector<some>{11, none, 30, none, 5, none}));
}

TEST(Reference, OutputsMayBeInputsAndMasks) {
  auto w = vector_of({1, 0, 3});
  mxv(w, plus_times<std::int64_t>{}, example(), w, {.mask = w});
  EXPECT_EQ(values_of(w), (std::vector<some>{1, 0, none}));  // 1*1+2*0; masked out; empty row
}

TEST(Reference, UnionIntersectionAndSelect) {
  const auto u = vector_of({1, 2, none, none}), v = vector_of({10, none, 30, none});
  auto w = vector_of({none, none, none, 9});
  ewise_add(w, minus{}, u, v);
  EXPECT_EQ(values_of(w), (std::vector<some>{-9, 2, 30, none}));
  ewise_multiply(w, minus{}, u, v);
  EXPECT_EQ(values_of(w), (std::vector<some>{-9, none, none, none}));
  ewise_add(w, row_index{}, vector_of({5, 5, 5, none}), vector_of({none, 6, 6, 6}));
  EXPECT_EQ(values_of(w), (std::vector<some>{5, 1, 2, 6}));
  select(w, bind_second(greater{}, std::int64_t{1}), u);
  EXPECT_EQ(values_of(w), (std::vector<some>{none, 2, none, none}));
  apply(w, bind_first(minus{}, std::int64_t{100}), v);
  EXPECT_EQ(values_of(w), (std::vector<some>{90, none, 70, none}));
  apply(w, row_index{}, v);
  EXPECT_EQ(values_of(w), (std::vector<some>{0, none, 2, none}));
  auto c = example();
  ewise_multiply(c, place{}, example(), example());
  EXPECT_EQ(values_of(c), (grid{{0, 1, none}, {none, 11, 12}, {none, none, none}}));
  select(c, upper_triangle{}, example());
  EXPECT_EQ(values_of(c), values_of(example()));
  select(c, diagonal{}, example());
  EXPECT_EQ(values_of(c), (grid{{1, none, none}, {none, 3, none}, {none, none, none}}));
}

// Operators given as text are checked only at run time; typed ones do not compile.
TEST(Reference, RefusesPositionsWhereThereIsNone) {
  const type_description& t = describe<std::int64_t>();
  const operator_description inner = operator_from_text("x + k", t, t, t);
  const operator_description row = operator_from_text("x + i", t, t, t);
  const auto u = vector_of({1, 2});
  auto w = vector_of({none, none});
  const auto a = matrix_of({{1, none}, {none, 2}}, 2);
  const auto refused = [](const char* reason, auto&& act) {
    const std::string message = message_of<usage_error>(act);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  };
  const detail::output_options<detail::vector_base> plain{}, merged{{}, &row};
  for (const auto positions :
       {detail::ewise_positions::set_union, detail::ewise_positions::intersection})
    refused("'x + k' uses k",
            [&] { detail::ewise("ewise", w.base(), positions, inner, u.base(), u.base(), plain); });
  refused("apply: the operator 'x + k'",
          [&] { detail::apply(w.base(), {inner}, u.base(), plain); });
  refused("apply: the accumulator 'x + i'", [&] {
    detail::apply(w.base(), {describe_operator<index_t, index_t, index_t>(negate{})}, u.base(),
                  merged);
  });
  monoid_description sum = describe_monoid(plus_monoid<std::int64_t>{});
  sum.add = row;
  std::int64_t total = 0;
  refused("reduce: the monoid 'x + i'", [&] { detail::reduce(&total, sum, u.base()); });
  refused("reduce: the monoid 'x + i'", [&] { detail::reduce(&total, sum, a.base()); });
  refused("reduce: the monoid 'x + i'",
          [&] { detail::reduce(w.base(), sum, {.matrix = a.base()}, plain); });
  semiring_description semiring = semiring_from_text("x + y", "0", "x * y", t);
  semiring.add = sum;
  refused("mxv: the semiring's add 'x + i'", [&] {
    detail::multiply("mxv", w.base(), semiring, {.matrix = a.base()}, u.base(),
                     detail::factor_order::matrix_first, plain);
  });
  EXPECT_EQ(values_of(w), (std::vector<some>{none, none}));
}

TEST(Reference, ReducesRowsColumnsAndAll) {
  auto w = vector_of({none, none, 5});
  reduce(w, plus_monoid<std::int64_t>{}, example());
  EXPECT_EQ(values_of(w), (std::vector<some>{3, 7, none}));
  reduce(w, plus_monoid<std::int64_t>{}, transpose(example()));
  EXPECT_EQ(values_of(w), (std::vector<some>{1, 5, 4}));
  EXPECT_EQ(reduce(plus_monoid<std::int64_t>{}, example()), 10);
  EXPECT_EQ(reduce(minimum_monoid<std::int64_t>{}, vector_of({4, none, -2})), -2);
  EXPECT_EQ(reduce(minimum_monoid<std::int64_t>{}, vector_of({none})),
            std::numeric_limits<std::int64_t>::max());
}

TEST(Reference, AssignsToListedPositions) {
  const index_t to[] = {3, 1};
  const auto after = [&](const vector_options<std::int64_t>& options, bool value) {
    auto w = vector_of({10, 20, none, 40, 50});
    if (value)
      assign(w, 7, std::span<const index_t>(to), options);
    else
      assign(w, vector_of({1, none}), std::span<const index_t>(to), options);
    return values_of(w);
  };
  EXPECT_EQ(after({}, true), (std::vector<some>{10, 7, none, 7, 50}));
  EXPECT_EQ(after({}, false), (std::vector<some>{10, none, none, 1, 50}));  // 1 loses its entry
  EXPECT_EQ(after({.accumulate = plus{}}, false), (std::vector<some>{10, 20, none, 41, 50}));
  // The mask applies to all of w; replace deletes outside it, listed or not.
  const auto mask = vector_of({1, none, none, 1, none});
  EXPECT_EQ(after({.mask = mask}, true), (std::vector<some>{10, 20, none, 7, 50}));
  EXPECT_EQ(after({.mask = mask, .replace = true}, true),
            (std::vector<some>{10, none, none, 7, none}));
  auto c = example();
  const index_t rows[] = {2, 0}, columns[] = {1};
  assign(c, matrix_of({{8}, {none}}, 1), std::span<const index_t>(rows),
         std::span<const index_t>(columns));
  EXPECT_EQ(values_of(c), (grid{{1, none, none}, {none, 3, 4}, {none, 8, none}}));
}

TEST(Reference, RefusesPositionsThatAreListedTwice) {
  // Ascending lists, short ones that do not ascend, and those with an entry for every few
  // positions.
  const context where = context::reference();
  for (const auto& [size, list] :
       std::vector<std::pair<index_t, std::vector<index_t>>>{{5, {1, 1}},
                                                             {5, {0, 1, 3, 3, 4}},
                                                             {5, {3, 1, 3}},
                                                             {1000, {9, 0, 9}},
                                                             {100, {9, 0, 9}}}) {
    vector<double> w(where, size);
    const std::string twice = list[1] == 1 && list.size() > 3 ? "3" : std::to_string(list.back());
    EXPECT_EQ(message_of<usage_error>([&, &twice_listed = list] {
                assign(w, 1.0, std::span<const index_t>(twice_listed));
              }),
              "assign: position " + twice + " is listed twice");
    EXPECT_EQ(w.nvals(), 0);
  }
}

TEST(Reference, TransposesEveryEntry) {
  auto c = matrix_of({{1, none, 9}, {none, none, 9}, {none, none, none}}, 3);
  transpose(c, example(), {.accumulate = plus{}});
  EXPECT_EQ(values_of(c), (grid{{2, none, 9}, {2, 3, 9}, {none, 4, none}}));
}

}  // namespace
}  // namespace reference_test
}  // namespace tropic::testing
