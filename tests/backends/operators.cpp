// SPDX-License-Identifier: Apache-2.0
#include "backends/operators.hpp"

#include <tropic/semirings/from_text.hpp>

namespace tropic::testing {
namespace {

bool is_record(const type_description& type) {
  return type.code == type_code::record;
}

operator_description text(const char* words, const type_description& x, const type_description& z) {
  return operator_from_text(words, x, x, z);
}

scalar_bytes some_value(const type_description& type) {
  if (is_record(type)) return scalar_bytes::of(test_path{1, 2});
  return with_builtin_type(type.code, []<class T>() { return scalar_bytes::of(T(1)); });
}

template <class Op>
operator_description over(const type_description& type, const Op& op) {
  return with_builtin_type(type.code, [&]<class T>() { return describe_operator<T, T, T>(op); });
}
template <class Z, class Op>
operator_description into(const type_description& type, const Op& op) {
  if (is_record(type)) return describe_operator<Z, test_path, test_path>(op);
  return with_builtin_type(type.code, [&]<class T>() { return describe_operator<Z, T, T>(op); });
}

}  // namespace

operator_description binary_operator(int variant, const type_description& type) {
  if (is_record(type)) {
    if (variant == 0) return describe_operator<test_path, test_path, test_path>(test_shorter{});
    if (variant == 1) return describe_operator<test_path, test_path, test_path>(test_extend{});
    return text("t_make(x.length - 2 * y.length, y.hops + i - 3 * j)", type, type);
  }
  if (variant == 0) return over(type, plus{});
  if (variant == 1) return over(type, minus{});
  return text("x - 2 * y + (i - 3 * j)", type, type);
}

operator_description comparison(int variant, const type_description& type) {
  const auto& truth = describe<bool>();
  if (is_record(type)) return text("x.length > y.length", type, truth);
  if (variant == 2) return text("x > y || x == 1", type, truth);
  return with_builtin_type(type.code, [&]<class T>() {
    return variant == 0 ? describe_operator<bool, T, T>(greater{})
                        : describe_operator<bool, T, T>(less_equal{});
  });
}

unary_description function_of_entry(int variant, const type_description& type) {
  if (is_record(type)) return {text("t_make(-x.length, x.hops + 2 * i - j)", type, type)};
  if (variant == 0) return {over(type, negate{})};
  if (variant == 1) return {over(type, absolute{})};
  return {text("x + x + (i - 3 * j)", type, type)};
}

unary_description bound_function(bool first, int variant, const type_description& type) {
  unary_description result{binary_operator(variant == 0 ? 1 : variant, type)};
  result.bound_first = first;
  result.bound_second = !first;
  result.bound = some_value(type);
  return result;
}

unary_description position_function(int variant, const type_description& type) {
  if (variant == 0) return {into<index_t>(type, row_index{})};
  if (variant == 1) return {into<index_t>(type, column_index{})};
  return {text("2 * i - j", type, describe<index_t>())};
}

unary_description conversion(const type_description& type) {
  if (is_record(type)) return {text("x.length", type, describe<double>())};
  return {with_builtin_type(type.code,
                            []<class T>() { return describe_operator<double, T, T>(identity{}); })};
}

unary_description predicate(int variant, const type_description& type) {
  if (variant == 1) return {into<bool>(type, lower_triangle{})};
  if (is_record(type)) return {text("x.hops > 0 && i % 3 != 1", type, describe<bool>())};
  if (variant == 2) return {text("x > 0 || i % 3 == j % 2", type, describe<bool>())};
  return {with_builtin_type(type.code,
                            []<class T>() { return describe_operator<bool, T, T>(nonzero{}); })};
}

unary_description bound_predicate(int variant, const type_description& type) {
  unary_description result{comparison(variant, type)};
  result.bound_second = variant != 1;
  result.bound_first = variant == 1;
  result.bound = some_value(type);
  return result;
}

monoid_description some_monoid(int variant, const type_description& type) {
  if (is_record(type)) return describe_monoid<test_shorter_monoid<test_path>>();
  return with_builtin_type(type.code, [&]<class T>() {
    if (variant == 0) return describe_monoid<plus_monoid<T>>();
    if (variant == 1) return describe_monoid<minimum_monoid<T>>();
    monoid_description result = describe_monoid<maximum_monoid<T>>();
    result.add = operator_from_text("t_max(x, y)", type, type, type);
    return result;
  });
}

}  // namespace tropic::testing
