// SPDX-License-Identifier: Apache-2.0
#include "backends/mxm/mxm_cases.hpp"

#include <cstring>

#include <tropic/detail/operations.hpp>

#include "backends/factors.hpp"
#include "backends/operators.hpp"

namespace tropic::testing {
namespace {

using factor = mxm_factor;

struct mxm_data {
  const test_semiring* algebra = nullptr;
  host_matrix a, b, c, mask;
  mask_kind mask_is;
  bool a_transposed = false, b_transposed = false;
  bool c_is_a = false, c_is_b = false, c_is_mask = false, mask_is_a = false, b_is_a = false;
};

// `entries` at random positions: shapes may have more columns than can be visited.
host_matrix scattered(const type_description& type, index_t rows, index_t columns, index_t entries,
                      flavour kind, dice& random) {
  host_matrix result{&type, rows, columns, {}};
  if (rows == 0 || columns == 0) return result;
  for (index_t n = 0; n < entries; ++n) {
    const auto row = static_cast<index_t>(random.next() % static_cast<std::uint64_t>(rows));
    const auto column = static_cast<index_t>(random.next() % static_cast<std::uint64_t>(columns));
    result.entries[{row, column}] = random_value(type, kind, random);
  }
  return result;
}

void add_row(host_matrix& m, index_t row, flavour kind, dice& random) {
  for (index_t j = 0; j < m.columns; ++j) m.entries[{row, j}] = random_value(*m.type, kind, random);
}
void add_column(host_matrix& m, index_t column, flavour kind, dice& random) {
  for (index_t i = 0; i < m.rows; ++i) m.entries[{i, column}] = random_value(*m.type, kind, random);
}

// `entries` more at rows that `rows_from` lists and columns that `columns_from` lists (empty: at
// random): wide shapes would hardly have products, or masks that meet them, otherwise.
void add_met(host_matrix& m, index_t entries, const std::vector<index_t>& rows_from,
             const std::vector<index_t>& columns_from, flavour kind, dice& random) {
  if (m.rows == 0 || m.columns == 0) return;
  const auto pick = [&](const std::vector<index_t>& list, index_t size) {
    if (list.empty()) return static_cast<index_t>(random.next() % static_cast<std::uint64_t>(size));
    return list[static_cast<std::size_t>(random.next() % list.size())];
  };
  for (index_t n = 0; n < entries; ++n) {
    const index_t row = pick(rows_from, m.rows), column = pick(columns_from, m.columns);
    m.entries[{row, column}] = random_value(*m.type, kind, random);
  }
}

host_matrix transposed(const host_matrix& m) {
  host_matrix result{m.type, m.columns, m.rows, {}};
  for (const auto& [at, value] : m.entries) result.entries[{at.second, at.first}] = value;
  return result;
}

mxm_data data_of(const std::vector<test_semiring>& semirings, const mxm_case& one) {
  dice random(one.seed);
  const levels& at = one.at;
  const mxm_shape& s = one.of;
  mxm_data d;
  d.algebra = &semirings[static_cast<std::size_t>(at[factor::semiring])];
  const semiring_description& semiring = d.algebra->description;
  const flavour kind = at[factor::values] == 1 ? flavour::real : d.algebra->values;
  d.a_transposed = at[factor::transposes] & 1;
  d.b_transposed = at[factor::transposes] & 2;
  d.a = scattered(semiring.a(), s.rows, s.inner, s.entries, kind, random);
  d.b = scattered(semiring.x(), s.inner, s.columns, s.entries, kind, random);
  std::vector<index_t> rows_of_a, columns_of_a, columns_of_b;
  for (const auto& [where, value] : d.a.entries) {
    rows_of_a.push_back(where.first);
    columns_of_a.push_back(where.second);
  }
  add_met(d.b, s.entries / 2, columns_of_a, {}, kind, random);
  for (const auto& [where, value] : d.b.entries) columns_of_b.push_back(where.second);
  if (s.kind == mxm_shape::outer && s.rows > 0 && s.inner > 0 && s.columns > 0) {
    add_column(d.a, 0, kind, random);
    add_row(d.b, 0, kind, random);
    add_row(d.a, s.rows / 2, kind, random);
    add_column(d.b, s.columns / 2, kind, random);
  } else if (s.kind == mxm_shape::long_rows && s.rows > 0 && s.inner > 0) {
    add_row(d.a, 0, kind, random);
    add_row(d.b, 0, kind, random);
  } else if (s.kind == mxm_shape::all) {
    for (index_t i = 0; i < s.rows; ++i) add_row(d.a, i, kind, random);
    for (index_t k = 0; k < s.inner; ++k) add_row(d.b, k, kind, random);
  }
  if (d.a_transposed) d.a = transposed(d.a);
  if (d.b_transposed) d.b = transposed(d.b);
  if (at[factor::first] == 1) make_iso(d.a);
  if (at[factor::second] == 1) make_iso(d.b);
  const index_t few = s.entries / 2;
  d.c = scattered(semiring.z(), s.rows, s.columns,
                  at[factor::output] == 0   ? 0
                  : at[factor::output] == 1 ? few
                                            : 4 * s.entries,
                  flavour::small, random);
  d.mask_is = mask_kind(at[factor::mask]);
  d.mask = scattered(d.mask_is.type(at[factor::mask_type]), s.rows, s.columns,
                     at[factor::mask_density] == 0 ? few : 8 * s.entries, flavour::small, random);
  add_met(d.c, d.c.entries.empty() ? 0 : few, rows_of_a, columns_of_b, flavour::small, random);
  add_met(d.mask, few, rows_of_a, columns_of_b, flavour::small, random);
  const auto same_shape = [](const host_matrix& x, const host_matrix& y) {
    return x.rows == y.rows && x.columns == y.columns;
  };
  switch (at[factor::alias]) {
    case 1: d.c_is_a = same_shape(d.c, d.a) && semiring.a() == semiring.z(); break;
    case 2: d.c_is_b = same_shape(d.c, d.b) && semiring.x() == semiring.z(); break;
    case 3: d.c_is_mask = d.mask_is.may_hold(semiring.z()); break;
    case 4: d.mask_is_a = same_shape(d.mask, d.a) && d.mask_is.may_hold(semiring.a()); break;
    case 5: d.b_is_a = same_shape(d.a, d.b) && semiring.a() == semiring.x(); break;
    default: break;
  }
  if (d.b_is_a) d.b = d.a;
  if (d.c_is_a) d.c = d.a;
  if (d.c_is_b) d.c = d.b;
  if (d.c_is_mask) d.mask = d.c;
  if (d.mask_is_a) d.mask = d.a;
  return d;
}

struct mxm_results {
  host_matrix product, sum;
};

mxm_results run(const context& where, const mxm_case& one, const mxm_data& d) {
  const levels& at = one.at;
  const bool wide = at[factor::wide] == 1;
  detail::matrix_base c = make(where, d.c, wide, false);
  detail::matrix_base a_made, b_made, mask_made;
  if (!d.c_is_a) a_made = make(where, d.a, wide, at[factor::first] == 1);
  const detail::matrix_base& a = d.c_is_a ? c : a_made;
  if (!d.c_is_b && !d.b_is_a) b_made = make(where, d.b, wide, at[factor::second] == 1);
  const detail::matrix_base& b = d.c_is_b ? c : d.b_is_a ? a : b_made;
  if (!d.c_is_mask && !d.mask_is_a) mask_made = make(where, d.mask, wide, false);
  const detail::matrix_base& mask = d.c_is_mask ? c : d.mask_is_a ? a : mask_made;

  const semiring_description& semiring = d.algebra->description;
  detail::output_options<detail::matrix_base> options;
  if (d.mask_is.exists) options.mask = {&mask, d.mask_is.structural, d.mask_is.complemented};
  operator_description accumulator;
  if (at[factor::accumulator] != 0) {
    accumulator = accumulator_of(at[factor::accumulator], semiring.z());
    options.accumulator = &accumulator;
  }
  options.replace = at[factor::replace] == 1;
  const detail::matrix_factor left{.matrix = a, .transposed = d.a_transposed};
  const detail::matrix_factor right{.matrix = b, .transposed = d.b_transposed};

  mxm_results results;
  // The sum is the only entry of a matrix, so that it is compared like any result.
  results.sum.type = &semiring.z();
  scalar_bytes sum;
  std::memset(sum.data(), 0xa5, sizeof sum);
  const bool any =
      detail::reduce_mxm(sum.data(), semiring.add, semiring, left, right, options.mask);
  results.sum.rows = any ? 1 : 0;
  results.sum.entries[{0, 0}] = sum;

  detail::mxm(c, semiring, left, right, options);
  where.synchronize();
  std::string damage;
  if (!d.c_is_a) damage += difference(d.a, read(a));
  if (!d.c_is_b && !(d.b_is_a && d.c_is_a)) damage += difference(d.b, read(b));
  if (d.mask_is.exists && !d.c_is_mask && !(d.mask_is_a && d.c_is_a))
    damage += difference(d.mask, read(mask));
  if (!damage.empty()) throw std::logic_error("an input has changed:\n" + damage);
  results.product = read(c);
  return results;
}

}  // namespace

std::vector<int> mxm_factor_sizes(int semirings) {
  return {semirings, 5, 3, 2, 4, 2, 2, 2, 3, 2, 4, 6, 2};
}

const std::vector<mxm_shape>& mxm_shapes() {
  static const std::vector<mxm_shape> shapes{
      {0, 0, 0, 0},
      {0, 5, 4, 9},
      {5, 0, 4, 9},
      {5, 4, 0, 9},
      {1, 1, 1, 1},
      {7, 9, 5, 20},
      {12, 12, 12, 40},
      {31, 20, 33, 30, mxm_shape::outer},
      {16, 16, 16, 0, mxm_shape::all},
      {9, 70, 63, 160},
      {3, 40, 65, 200, mxm_shape::long_rows},
      {40, 40, 40, 120, mxm_shape::long_rows},
      {5, 30, 140000, 60},
      {4, 140000, 5, 60},
      {300, 300, 7, 40},
  };
  return shapes;
}

namespace {

// The sum over `any` is one of the entries that the mask allows, whichever; "" if it is.
std::string any_difference(const context& reference, mxm_case one, const mxm_data& d,
                           const mxm_results& expected, const mxm_results& found) {
  if (found.sum.rows != expected.sum.rows) return "one is empty, the other is not";
  if (found.sum.rows == 0) return difference(expected.sum, found.sum);
  one.at[factor::accumulator] = 0;
  one.at[factor::replace] = 1;
  const type_description& type = d.algebra->description.z();
  const scalar_bytes& value = found.sum.entries.begin()->second;
  for (const auto& [at, allowed] : run(reference, one, d).product.entries)
    if (same_value(type, allowed, value)) return "";
  return "a value that no entry has";
}

}  // namespace

std::string mxm_difference(const context& where, const context& reference,
                           const std::vector<test_semiring>& semirings, const mxm_case& one) {
  try {
    const mxm_data d = data_of(semirings, one);
    const mxm_results expected = run(reference, one, d), found = run(where, one, d);
    std::string text = difference(expected.product, found.product);
    // Sums of rounded values have an order of their own on each backend.
    const type_code z = d.algebra->description.z().code;
    const bool rounds = one.at[factor::values] == 1 &&
                        (z == type_code::fp32 || z == type_code::fp64 || z == type_code::record);
    if (!rounds) {
      const std::string of_sum = d.algebra->takes_any()
                                     ? any_difference(reference, one, d, expected, found)
                                     : difference(expected.sum, found.sum);
      if (!of_sum.empty()) text += "\nthe sum: " + of_sum;
    }
    return text;
  } catch (const std::exception& e) {
    return std::string("threw: ") + e.what();
  }
}

}  // namespace tropic::testing
