// SPDX-License-Identifier: Apache-2.0
#include "backends/containers/elementwise_cases.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <tropic/detail/operations.hpp>

#include "backends/factors.hpp"
#include "backends/operators.hpp"
#include "backends/semirings.hpp"

namespace tropic::testing {
namespace {

using factor = elementwise_factor;

const type_description& type_of(int level) {
  return level == builtin_type_count ? describe<test_path>()
                                     : describe(static_cast<type_code>(level));
}
// A list of positions in random order, without repetition.
std::vector<index_t> some_positions(index_t size, dice& random) {
  std::vector<index_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), index_t{0});
  for (std::size_t n = all.size(); n > 1; --n)
    std::swap(all[n - 1], all[static_cast<std::size_t>(random.next() % n)]);
  all.resize(static_cast<std::size_t>(random.next() % (all.size() + 1)));
  if (random.chance(0.5)) std::sort(all.begin(), all.end());
  return all;
}

// The differences between vectors and matrices, under common names.
struct vectors {
  using host = host_vector;
  using base = detail::vector_base;
  static host random(const elementwise_case& one, const type_description& type, index_t rows,
                     index_t, std::size_t f, dice& dice_) {
    // Thin cases have lists so short that their union stays a list.
    const double density =
        one.at[f] == 0 ? std::min(density_of(0), one.density) : density_of(one.at[f]);
    return random_vector(type, rows, density, flavour::small, dice_);
  }
  static base build(const context& where, const elementwise_case& one, const host& from,
                    std::size_t f) {
    return make_held(where, from, one.at[f]);
  }
  static bool same_shape(const host& a, const host& b) { return a.size == b.size; }
};
struct matrices {
  using host = host_matrix;
  using base = detail::matrix_base;
  static host random(const elementwise_case& one, const type_description& type, index_t rows,
                     index_t columns, std::size_t f, dice& dice_) {
    const double scale = std::array{0.4, 1.0, 1.0}[static_cast<std::size_t>(one.at[f])];
    const bool full = one.at[f] == 2 && one.density > 0.1;
    host result =
        random_matrix(type, rows, columns, full ? 1 : one.density * scale, flavour::small, dice_);
    if (one.at[factor::matrix] & 1) make_iso(result);
    return result;
  }
  static base build(const context& where, const elementwise_case& one, const host& from,
                    std::size_t) {
    return make(where, from, one.at[factor::matrix] & 2, one.at[factor::matrix] & 1);
  }
  static bool same_shape(const host& a, const host& b) {
    return a.rows == b.rows && a.columns == b.columns;
  }
};

// The operation with the name of its vector version: matrix_union is union_of on matrices.
operation common_name(operation op) {
  switch (op) {
    case operation::matrix_union: return operation::union_of;
    case operation::matrix_intersection: return operation::intersection;
    case operation::matrix_intersection_to_bool: return operation::intersection_to_bool;
    case operation::matrix_apply: return operation::apply;
    case operation::matrix_apply_first_bound: return operation::apply_first_bound;
    case operation::matrix_apply_second_bound: return operation::apply_second_bound;
    case operation::matrix_apply_position: return operation::apply_position;
    case operation::matrix_apply_conversion: return operation::apply_conversion;
    case operation::matrix_select: return operation::select;
    case operation::matrix_select_bound: return operation::select_bound;
    default: return op;
  }
}

const type_description& output_type(operation op, const type_description& type) {
  switch (common_name(op)) {
    case operation::intersection_to_bool: return describe<bool>();
    case operation::apply_position: return describe<index_t>();
    case operation::apply_conversion: return describe<double>();
    default: return type;
  }
}

template <class Kind>
struct data {
  typename Kind::host w, u, v, mask;
  host_matrix reduced;
  std::vector<index_t> rows, columns;
  scalar_bytes value;
  mask_kind mask_is;
  bool w_is_u = false, w_is_v = false, w_is_mask = false, u_is_mask = false;
};

template <class Kind>
data<Kind> data_of(const elementwise_case& one) {
  dice random(one.seed);
  data<Kind> d;
  const auto op = static_cast<operation>(one.at[factor::operation]);
  const type_description &type = type_of(one.at[factor::type]), &result = output_type(op, type);
  d.mask_is = mask_kind(one.at[factor::mask]);
  d.value = random_value(type, flavour::small, random);
  index_t rows = one.rows, columns = one.columns;
  d.w = Kind::random(one, result, rows, columns, factor::output, random);
  d.mask = Kind::random(one, d.mask_is.type(one.at[factor::mask_type]), rows, columns,
                        factor::mask_storage, random);
  if (op == operation::assign_value_list || op == operation::assign_list ||
      op == operation::matrix_assign_value_list || op == operation::matrix_assign_list) {
    d.rows = some_positions(rows, random);
    d.columns = some_positions(columns, random);
    rows = static_cast<index_t>(d.rows.size());
    columns = static_cast<index_t>(d.columns.size());
  }
  if (op == operation::matrix_transpose) std::swap(rows, columns);
  d.u = Kind::random(one, type, rows, columns, factor::first, random);
  d.v = Kind::random(one, type, rows, columns, factor::second, random);
  if (op == operation::reduce_rows || op == operation::reduce_columns) {
    const bool by_rows = op == operation::reduce_rows;
    d.reduced =
        random_matrix(type, by_rows ? one.rows : one.columns, by_rows ? one.columns : one.rows,
                      one.density, flavour::small, random);
    if (one.at[factor::matrix] & 1) make_iso(d.reduced);
  }
  switch (one.at[factor::alias]) {
    case 1: d.w_is_u = result == type && Kind::same_shape(d.w, d.u); break;
    case 2: d.w_is_v = result == type && Kind::same_shape(d.w, d.v); break;
    case 3: d.w_is_mask = d.mask_is.may_hold(result); break;
    case 4: d.u_is_mask = Kind::same_shape(d.w, d.u) && d.mask_is.may_hold(type); break;
    default: break;
  }
  if (d.w_is_u) d.w = d.u;
  if (d.w_is_v) d.w = d.v;
  if (d.w_is_mask) d.mask = d.w;
  if (d.u_is_mask) d.mask = d.u;
  return d;
}

// The containers of a case in one context, aliased as the case requires.
template <class Kind>
class built {
 public:
  built(const context& where, const elementwise_case& one, const data<Kind>& d) : d_(d) {
    w = Kind::build(where, one, d.w,
                    d.w_is_u   ? factor::first
                    : d.w_is_v ? factor::second
                               : factor::output);
    u_ = Kind::build(where, one, d.u, factor::first);
    v_ = Kind::build(where, one, d.v, factor::second);
    mask_ = Kind::build(where, one, d.mask, factor::mask_storage);
  }
  const auto& u() const { return d_.w_is_u ? w : u_; }
  const auto& v() const { return d_.w_is_v ? w : v_; }
  const auto& mask() const { return d_.w_is_mask ? w : d_.u_is_mask ? u() : mask_; }
  std::string damage() const {
    return difference(d_.u, read(u_)) + difference(d_.v, read(v_)) +
           difference(d_.mask, read(mask_));
  }

  typename Kind::base w;

 private:
  const data<Kind>& d_;
  typename Kind::base u_, v_, mask_;
};

void run_one(operation op, built<vectors>& b, const data<vectors>& d, const context& where,
             const elementwise_case& one, const type_description& type,
             const detail::output_options<detail::vector_base>& options) {
  const std::span<const index_t> list(d.rows);
  const int variant = one.at[factor::variant];
  switch (op) {
    case operation::assign_value: detail::assign(b.w, d.value.data(), nullptr, options); return;
    case operation::assign_value_list: detail::assign(b.w, d.value.data(), &list, options); return;
    case operation::assign: detail::assign(b.w, b.u(), nullptr, options); return;
    case operation::assign_list: detail::assign(b.w, b.u(), &list, options); return;
    case operation::reduce_rows:
    case operation::reduce_columns: {
      const detail::matrix_base a =
          make(where, d.reduced, one.at[factor::matrix] & 2, one.at[factor::matrix] & 1);
      detail::reduce(b.w, some_monoid(variant, type),
                     {.matrix = a, .transposed = op == operation::reduce_columns}, options);
      return;
    }
    default: throw std::logic_error("no such operation");
  }
}

void run_one(operation op, built<matrices>& b, const data<matrices>& d, const context&,
             const elementwise_case&, const type_description&,
             const detail::output_options<detail::matrix_base>& options) {
  const std::span<const index_t> rows(d.rows), columns(d.columns);
  switch (op) {
    case operation::matrix_assign_value:
      detail::assign(b.w, d.value.data(), nullptr, nullptr, options);
      return;
    case operation::matrix_assign_value_list:
      detail::assign(b.w, d.value.data(), &rows, &columns, options);
      return;
    case operation::matrix_assign: detail::assign(b.w, b.u(), nullptr, nullptr, options); return;
    case operation::matrix_assign_list:
      detail::assign(b.w, b.u(), &rows, &columns, options);
      return;
    case operation::matrix_transpose: detail::transpose(b.w, b.u(), options); return;
    default: throw std::logic_error("no such operation");
  }
}

template <class Kind>
typename Kind::host run(const context& where, const elementwise_case& one, const data<Kind>& d) {
  const auto op = static_cast<operation>(one.at[factor::operation]);
  const type_description& type = type_of(one.at[factor::type]);
  const int variant = one.at[factor::variant];
  built<Kind> b(where, one, d);
  detail::output_options<typename Kind::base> options;
  if (d.mask_is.exists) options.mask = {&b.mask(), d.mask_is.structural, d.mask_is.complemented};
  operator_description accumulator;
  if (one.at[factor::accumulator] != 0) {
    accumulator = accumulator_of(one.at[factor::accumulator], output_type(op, type));
    options.accumulator = &accumulator;
  }
  options.replace = one.at[factor::replace] == 1;
  switch (common_name(op)) {
    case operation::union_of:
      detail::ewise("ewise_add", b.w, detail::ewise_positions::set_union,
                    binary_operator(variant, type), b.u(), b.v(), options);
      break;
    case operation::intersection:
      detail::ewise("ewise_multiply", b.w, detail::ewise_positions::intersection,
                    binary_operator(variant, type), b.u(), b.v(), options);
      break;
    case operation::intersection_to_bool:
      detail::ewise("ewise_multiply", b.w, detail::ewise_positions::intersection,
                    comparison(variant, type), b.u(), b.v(), options);
      break;
    case operation::apply:
      detail::apply(b.w, function_of_entry(variant, type), b.u(), options);
      break;
    case operation::apply_first_bound:
      detail::apply(b.w, bound_function(true, variant, type), b.u(), options);
      break;
    case operation::apply_second_bound:
      detail::apply(b.w, bound_function(false, variant, type), b.u(), options);
      break;
    case operation::apply_position:
      detail::apply(b.w, position_function(variant, type), b.u(), options);
      break;
    case operation::apply_conversion: detail::apply(b.w, conversion(type), b.u(), options); break;
    case operation::select: detail::select(b.w, predicate(variant, type), b.u(), options); break;
    case operation::select_bound:
      detail::select(b.w, bound_predicate(variant, type), b.u(), options);
      break;
    case operation::reduce:
    case operation::matrix_reduce: {
      // The sum is stored in w's first position, so that it is compared like any result.
      scalar_bytes sum;
      const bool any = detail::reduce(sum.data(), some_monoid(variant, type), b.u());
      typename Kind::host result;
      result.type = &type;
      if constexpr (std::is_same_v<Kind, vectors>) {
        result.size = any;
        result.entries[0] = sum;
      } else {
        result.rows = any;
        result.entries[{0, 0}] = sum;
      }
      return result;
    }
    default: run_one(op, b, d, where, one, type, options); break;
  }
  where.synchronize();
  const std::string damage = b.damage();
  if (!damage.empty()) throw std::logic_error("an input has changed:\n" + damage);
  return read(b.w);
}

template <class Kind>
std::string difference_of(const context& where, const context& reference,
                          const elementwise_case& one) {
  const data<Kind> d = data_of<Kind>(one);
  try {
    return difference(run<Kind>(reference, one, d), run<Kind>(where, one, d));
  } catch (const std::exception& e) {
    return std::string("threw: ") + e.what();
  }
}

}  // namespace

std::vector<int> elementwise_factor_sizes() {
  return {static_cast<int>(operation::count),
          5,
          3,
          2,
          3,
          builtin_type_count + 1,
          3,
          3,
          3,
          4,
          5,
          4,
          operator_variants};
}

std::string elementwise_difference(const context& where, const context& reference,
                                   const elementwise_case& one) {
  return one.at[factor::operation] < static_cast<int>(operation::matrix_union)
             ? difference_of<vectors>(where, reference, one)
             : difference_of<matrices>(where, reference, one);
}

}  // namespace tropic::testing
