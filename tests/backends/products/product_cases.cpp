// SPDX-License-Identifier: Apache-2.0
#include "backends/products/product_cases.hpp"

#include <algorithm>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/evaluate.hpp>

#include "backends/factors.hpp"
#include "support/contexts.hpp"

namespace tropic::testing {
namespace {

using factor = product_factor;

// The data of a case on the host.
struct product_data {
  const test_semiring* algebra = nullptr;
  host_matrix a;
  host_vector u, w, mask;
  mask_kind mask_is;
  bool transposed = false, vector_first = false, symmetric = false, iso = false;
  bool w_is_u = false, w_is_mask = false, u_is_mask = false;
};

product_data data_of(const std::vector<test_semiring>& semirings, const product_case& one) {
  dice random(one.seed);
  const levels& at = one.at;
  product_data d;
  d.algebra = &semirings[static_cast<std::size_t>(at[factor::semiring])];
  const semiring_description& semiring = d.algebra->description;
  d.transposed = at[factor::orientation] & 1;
  d.vector_first = at[factor::orientation] & 2;
  const type_description& matrix_type = d.vector_first ? semiring.x() : semiring.a();
  const type_description& input_type = d.vector_first ? semiring.a() : semiring.x();
  d.a = matrix_of_shape(one.of, matrix_type, d.algebra->values, random);
  d.iso = at[factor::matrix] == 1;
  if (d.iso) make_iso(d.a);
  if (at[factor::matrix] == 2 && d.a.rows == d.a.columns) {
    d.symmetric = true;
    auto lower = d.a.entries;
    for (const auto& [where, value] : lower)
      d.a.entries[{where.second, where.first}] = d.a.entries[where] = value;
  }
  const bool rows_are_output = d.transposed == d.vector_first;
  const index_t outputs = rows_are_output ? d.a.rows : d.a.columns;
  const index_t inputs = rows_are_output ? d.a.columns : d.a.rows;
  d.u = random_vector(input_type, inputs, density_of(at[factor::input]), d.algebra->values, random);
  d.w =
      random_vector(semiring.z(), outputs, density_of(at[factor::output]), flavour::small, random);

  d.mask_is = mask_kind(at[factor::mask]);
  d.mask = random_vector(d.mask_is.type(at[factor::mask_type]), outputs,
                         density_of(at[factor::mask_storage]), flavour::small, random);
  switch (at[factor::alias]) {
    case 1: d.w_is_u = outputs == inputs && input_type == semiring.z(); break;
    case 2: d.w_is_mask = d.mask_is.may_hold(semiring.z()); break;
    case 3: d.u_is_mask = outputs == inputs && d.mask_is.may_hold(input_type); break;
    default: break;
  }
  if (d.w_is_u) d.w = d.u;
  if (d.w_is_mask) d.mask = d.w;
  if (d.u_is_mask) d.mask = d.u;
  return d;
}

host_vector run(const context& where, const product_case& one, const product_data& d,
                std::string_view kernel) {
  const levels& at = one.at;
  detail::matrix_base a = make(where, d.a, at[factor::wide] == 1, d.iso);
  a.symmetric = d.symmetric;
  detail::vector_base w = make_held(where, d.w, at[d.w_is_u ? factor::input : factor::output]);
  detail::vector_base u_made, mask_made;
  if (!d.w_is_u) u_made = make_held(where, d.u, at[factor::input]);
  const detail::vector_base& u = d.w_is_u ? w : u_made;
  if (!d.w_is_mask && !d.u_is_mask) mask_made = make_held(where, d.mask, at[factor::mask_storage]);
  const detail::vector_base& mask = d.w_is_mask ? w : d.u_is_mask ? u : mask_made;

  detail::output_options<detail::vector_base> options;
  if (d.mask_is.exists) options.mask = {&mask, d.mask_is.structural, d.mask_is.complemented};
  operator_description accumulator;
  if (at[factor::accumulator] != 0) {
    accumulator = accumulator_of(at[factor::accumulator], d.algebra->description.z());
    options.accumulator = &accumulator;
  }
  options.replace = at[factor::replace] == 1;
  plan forced;
  forced.kernel = kernel;
  if (!kernel.empty()) options.forced = &forced;

  detail::multiply(
      "product", w, d.algebra->description, {.matrix = a, .transposed = d.transposed}, u,
      d.vector_first ? detail::factor_order::vector_first : detail::factor_order::matrix_first,
      options);
  where.synchronize();

  // Inputs must be unchanged.
  std::string damage = difference(d.a, read(a));
  if (!d.w_is_u) damage += difference(d.u, read(u));
  if (d.mask_is.exists && !d.w_is_mask && !(d.u_is_mask && d.w_is_u))
    damage += difference(d.mask, read(mask));
  if (!damage.empty()) throw std::logic_error("an input has changed:\n" + damage);
  return read(w);
}

// `any` may return any product, so if the values differ, the value found must be another product of
// its position.
std::string difference_by_membership(const product_data& d, const levels& at,
                                     const host_vector& expected, const host_vector& found) {
  const semiring_description& semiring = d.algebra->description;
  const evaluator times(semiring.multiply);
  const bool rows_are_output = d.transposed == d.vector_first;
  host_vector corrected = found;
  for (auto& [out, value] : corrected.entries) {
    const auto wanted = expected.entries.find(out);
    if (wanted == expected.entries.end() || same_value(semiring.z(), wanted->second, value))
      continue;
    for (const auto& [where, a] : d.a.entries) {
      if ((rows_are_output ? where.first : where.second) != out) continue;
      const index_t inner = rows_are_output ? where.second : where.first;
      const auto u = d.u.entries.find(inner);
      if (u == d.u.entries.end()) continue;
      scalar_bytes product;
      if (d.vector_first)
        times(product.data(), u->second.data(), a.data(), 0, inner, out);
      else
        times(product.data(), a.data(), u->second.data(), out, inner, 0);
      const auto old = d.w.entries.find(out);
      if (at[factor::accumulator] != 0 && old != d.w.entries.end()) {
        const evaluator combine(accumulator_of(at[factor::accumulator], semiring.z()));
        scalar_bytes both;
        combine(both.data(), old->second.data(), product.data());
        product = both;
      }
      if (same_value(semiring.z(), product, value)) {
        value = wanted->second;
        break;
      }
    }
  }
  return difference(expected, corrected);
}

}  // namespace

std::vector<int> product_factor_sizes(int semirings, int kernels) {
  return {semirings, kernels + 1, 5, 3, 2, 3, 2, 4, 3, 3, 3, 4, 4};
}

const std::vector<shape>& product_shapes() {
  static const std::vector<shape> shapes{
      {0, 0, shape::random},   {0, 5, shape::random},      {5, 0, shape::random},
      {1, 1, shape::all},      {1, 1, shape::inner},       {7, 9, shape::inner},
      {8, 8, shape::inner},    {20, 31, shape::dense_row}, {31, 20, shape::dense_column},
      {40, 40, shape::skewed}, {63, 65, shape::random},    {65, 63, shape::random},
      {64, 64, shape::random}, {9, 9, shape::all},         {1, 70, shape::random},
      {70, 1, shape::random},  {3, 400, shape::dense_row}, {1000, 40, shape::gaps}};
  return shapes;
}

host_matrix matrix_of_shape(const shape& s, const type_description& type, flavour kind,
                            dice& random) {
  host_matrix result{&type, s.rows, s.columns, {}};
  for (index_t i = 0; i < s.rows; ++i)
    for (index_t j = 0; j < s.columns; ++j) {
      double density = 0.05;
      switch (s.kind) {
        case shape::random: density = 0.06; break;
        case shape::dense_row: density = i == s.rows / 2 ? 1 : 0.05; break;
        case shape::dense_column: density = j == s.columns / 2 ? 1 : 0.05; break;
        case shape::skewed:
          density = 1.0 / static_cast<double>(1 + i) + 0.5 / static_cast<double>(1 + j);
          break;
        case shape::inner:  // first and last rows and columns stay empty: at 1x1 everything
          density = i == 0 || i == s.rows - 1 || j == 0 || j == s.columns - 1 ? 0 : 0.4;
          break;
        case shape::gaps: density = i % 331 == 3 ? 0.6 : 0; break;
        case shape::all: density = 1; break;
      }
      if (random.chance(density))
        result.entries.emplace(std::pair{i, j}, random_value(type, kind, random));
    }
  return result;
}

std::string product_difference(const context& where, const context& reference,
                               const std::vector<test_semiring>& semirings,
                               const product_case& one) {
  const product_data d = data_of(semirings, one);
  const std::vector<std::string> kernels = kernels_under_test(where);
  const int level = one.at[factor::kernel];
  const std::string kernel = level == 0 ? "" : kernels[static_cast<std::size_t>(level - 1)];
  try {
    const host_vector expected = run(reference, one, d, {});
    const host_vector found = run(where, one, d, kernel);
    return d.algebra->takes_any() ? difference_by_membership(d, one.at, expected, found)
                                  : difference(expected, found);
  } catch (const std::exception& e) {
    return std::string("threw: ") + e.what();
  }
}

}  // namespace tropic::testing
