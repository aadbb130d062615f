// SPDX-License-Identifier: Apache-2.0

// Operators by name, compiled for every built-in type, and as text.

#include <map>
#include <string_view>
#include <tuple>

#include <tropic/position_operators.hpp>
#include <tropic/semirings/from_text.hpp>
#include <tropic/semirings/operators.hpp>

#include "core.hpp"

namespace tropic::python {

namespace {

struct known_operator {
  std::string_view name, text;
  bool is_comparison;
  operator_description (*over)(type_code type);
};

template <class Op>
constexpr known_operator known{
    Op::tropic_name, Op::tropic_text, false, [](type_code type) {
      return with_builtin_type(type, []<class T>() { return describe_operator<T, T, T>(Op{}); });
    }};
template <class Op>
constexpr known_operator comparison{
    Op::tropic_name, Op::tropic_text, true, [](type_code type) {
      return with_builtin_type(type, []<class T>() { return describe_operator<bool, T, T>(Op{}); });
    }};

constexpr known_operator all[] = {known<plus>,
                                  known<minus>,
                                  known<times>,
                                  known<divide>,
                                  known<minimum>,
                                  known<maximum>,
                                  known<power>,
                                  known<tropical_plus>,
                                  known<tropical_plus_max>,
                                  known<first>,
                                  known<second>,
                                  known<pair>,
                                  known<any>,
                                  known<logical_or>,
                                  known<logical_and>,
                                  known<logical_xor>,
                                  comparison<equal>,
                                  comparison<not_equal>,
                                  comparison<less>,
                                  comparison<less_equal>,
                                  comparison<greater>,
                                  comparison<greater_equal>,
                                  known<identity>,
                                  known<negate>,
                                  known<absolute>,
                                  known<reciprocal>,
                                  known<one>,
                                  comparison<nonzero>,
                                  comparison<logical_not>,
                                  comparison<lower_triangle>,
                                  comparison<strictly_lower_triangle>,
                                  comparison<upper_triangle>,
                                  comparison<strictly_upper_triangle>,
                                  comparison<diagonal>,
                                  comparison<off_diagonal>};

// Whose text is not in the table: over some types alone, or of integers.
struct text_operator {
  std::string_view name, text;
};
constexpr text_operator as_text[] = {
    {"bit_or", "x | y"},          {"bit_and", "x & y"},        {"bit_xor", "x ^ y"},
    {"square_root", "t_sqrt(x)"}, {"exponential", "t_exp(x)"}, {"logarithm", "t_log(x)"},
    {"floor", "t_floor(x)"},      {"ceil", "t_ceil(x)"},       {"isnan", "t_isnan(x)"},
    {"row_index", "i"},           {"column_index", "j"}};

operator_description find_operator(const std::string& text, const type_description& x,
                                   const type_description& y, const type_description& z) {
  for (const known_operator& one : all)
    if (one.name == text) {
      const type_code result = one.is_comparison ? type_code::boolean : x.code;
      if (x.code == y.code && z.code == result) return one.over(x.code);
      return operator_from_text(one.text, x, y, z, one.name);
    }
  for (const text_operator& one : as_text)
    if (one.name == text) return operator_from_text(one.text, x, y, z, one.name);
  return operator_from_text(text, x, y, z);
}

struct known_predicate {
  std::string_view name;
  operator_description (*over)(type_code type, std::int64_t thunk);
};
template <class Op>
constexpr known_predicate predicate{Op::tropic_name, [](type_code type, std::int64_t thunk) {
                                      return with_builtin_type(type, [&]<class T>() {
                                        return describe_operator<bool, T, T>(Op{thunk});
                                      });
                                    }};
constexpr known_predicate predicates[] = {predicate<tril>,          predicate<triu>,
                                          predicate<on_diagonal>,   predicate<off_the_diagonal>,
                                          predicate<rows_up_to>,    predicate<rows_after>,
                                          predicate<columns_up_to>, predicate<columns_after>};

// What the text says without types: (text, uses x, y, i, j, k, whether its value is a truth).
nb::tuple facts(const std::string& text) {
  std::string_view shown = text;
  for (const known_operator& one : all)
    if (one.name == text) shown = one.text;
  for (const text_operator& one : as_text)
    if (one.name == text) shown = one.text;
  const expression::tree tree = expression::parse(shown);
  if (!tree.ok()) throw expression_error(shown, tree.error_position, tree.error);
  using expression::node_kind;
  const expression::node& root = tree.at(tree.root);
  const bool truth =
      root.kind == node_kind::logical_not || root.kind == node_kind::truth ||
      (root.kind >= node_kind::logical_and && root.kind <= node_kind::greater_equal) ||
      (root.kind == node_kind::call &&
       root.index == static_cast<std::int16_t>(expression::function::is_nan));
  return nb::make_tuple(nb::str(shown.data(), shown.size()), tree.uses_x, tree.uses_y, tree.uses_i,
                        tree.uses_j, tree.uses_k, truth);
}

nb::list names() {
  nb::list result;
  for (const known_operator& one : all) result.append(nb::str(one.name.data(), one.name.size()));
  for (const text_operator& one : as_text) result.append(nb::str(one.name.data(), one.name.size()));
  return result;
}

}  // namespace

operator_description operator_over(const std::string& text, const type_description& x,
                                   const type_description& y, const type_description& z) {
  // Parsing takes microseconds, which a program that calls small operations would notice.
  using key = std::tuple<std::string, type_code, type_code, type_code>;
  static auto* const known = new std::map<key, operator_description>;  // guarded by the GIL
  constexpr std::size_t capacity = 1024;
  const key wanted{text, x.code, y.code, z.code};
  if (const auto found = known->find(wanted); found != known->end()) return found->second;
  operator_description result = find_operator(text, x, y, z);
  if (known->size() >= capacity) known->clear();
  known->emplace(wanted, result);
  return result;
}

unary_description predicate_over(const std::string& name, std::int64_t thunk,
                                 const type_description& type) {
  for (const known_predicate& one : predicates)
    if (one.name == name) return {one.over(type.code, thunk)};
  throw usage_error("no predicate of positions is called '" + name + "'");
}

void bind_operators(nb::module_& m) {
  m.def("operator_facts", facts);
  m.def("operator_names", names);
}

}  // namespace tropic::python
