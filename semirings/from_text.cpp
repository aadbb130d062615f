// SPDX-License-Identifier: Apache-2.0
#include <tropic/semirings/from_text.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <tropic/semirings/block_evaluator.hpp>

namespace tropic {

namespace {

// What a text operator owns; the description's views and its `bulk` look here.
struct text_operator {
  std::string text, name;
  expression::tree syntax;
  std::unique_ptr<block_evaluator> run;
};

void run_evaluated(const operator_description& op, const bulk_arguments& arguments) {
  static_cast<const text_operator*>(op.keep.get())->run->operator()(arguments);
}

// Whether integer type T holds a literal, negated or not. One past 64 bits is refused elsewhere.
template <class T>
bool holds(std::string_view literal, bool negative) {
  const bool hex = literal.starts_with("0x") || literal.starts_with("0X");
  if (hex) literal.remove_prefix(2);
  std::uint64_t magnitude = 0;
  std::from_chars(literal.data(), literal.data() + literal.size(), magnitude, hex ? 16 : 10);
  if constexpr (std::is_floating_point_v<T>) return true;
  if (!negative) return magnitude <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if constexpr (std::is_signed_v<T>)
    return magnitude <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + 1;
  return magnitude == 0;
}

// In an operator a literal takes its type, modulo 2^n, as in C. In a value that is a mistake.
void check_literals_fit(const operator_description& op, int n, const type_description& z) {
  const expression::node& v = op.syntax->at(n);
  if (v.kind == expression::node_kind::call && z.code == type_code::record) {
    int argument = v.a;
    for (const field_description& f : z.fields) {
      check_literals_fit(op, argument, describe(f.code));
      argument = op.syntax->at(argument).next;
    }
    return;
  }
  const bool negative = v.kind == expression::node_kind::negate;
  const expression::node& literal = negative ? op.syntax->at(v.a) : v;
  if (literal.kind != expression::node_kind::integer || z.code == type_code::record) return;
  const bool fits = with_builtin_type(z.code, [&]<class T>() {
    return holds<T>(op.text.substr(literal.text_begin, literal.text_size), negative);
  });
  if (!fits)
    throw expression_error(op.text, v.text_begin,
                           "this number does not fit " + std::string(z.name));
}

}  // namespace

operator_description operator_from_text(std::string_view text, const type_description& x,
                                        const type_description& y, const type_description& z,
                                        std::string_view name) {
  auto owned = std::make_shared<text_operator>();
  owned->text = text;
  owned->name = name;
  owned->syntax = expression::parse(owned->text);
  operator_description result;
  result.name = owned->name;
  result.text = owned->text;
  result.syntax = &owned->syntax;
  result.x = &x;
  result.y = &y;
  result.z = &z;
  result.bulk = run_evaluated;
  result.is_compiled = false;
  owned->run = std::make_unique<block_evaluator>(result);  // before `keep`: there is no cycle
  result.keep = owned;
  return result;
}

scalar_bytes value_from_text(std::string_view text, const type_description& z) {
  if (text == "inf") text = "t_inf";
  if (text == "-inf") text = "t_lowest";
  const operator_description op = operator_from_text(text, z, z, z, "value");
  if (op.uses_x() || op.uses_y() || op.syntax->positional())
    throw expression_error(text, 0, "a value has no operands");
  check_literals_fit(op, op.syntax->root, z);
  scalar_bytes value;
  op({.z = value.data(), .count = 1});
  return value;
}

semiring_description semiring_from_text(std::string_view add, std::string_view identity,
                                        std::string_view multiply, const type_description& type) {
  semiring_description result;
  result.add.add = operator_from_text(add, type, type, type, "add");
  result.add.identity = value_from_text(identity, type);
  result.multiply = operator_from_text(multiply, type, type, type, "multiply");
  return result;
}

}  // namespace tropic
