// SPDX-License-Identifier: Apache-2.0
#pragma once

// The oracle of fuzz_operators: prints a syntax tree as text, and evaluates the tree by a plain
// walk, node by node, without registers or a program.

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/from_text.hpp>
#include <tropic/semirings/parse.hpp>
#include <tropic/semirings/typing.hpp>
#include <utility>

#include "fuzz.hpp"

namespace tropic::fuzz {

using expression::node;
using expression::node_kind;
using expression::tree;

/// Prints a tree with the minimum of parentheses; the text parses to the same tree.
class printer {
 public:
  printer(const tree& t, std::string_view text) : tree_(t), text_(text) {}

  std::string result() const { return print(tree_.root); }

 private:
  static constexpr int chosen = 0, prefixed = 11, whole = 12;  // levels beside those of binaries

  static const expression::detail::binary_entry* binary(node_kind kind) {
    for (const auto& entry : expression::detail::binaries)
      if (entry.kind == kind) return &entry;
    return nullptr;
  }
  static int level(node_kind kind) {
    if (kind == node_kind::conditional) return chosen;
    if (kind == node_kind::negate || kind == node_kind::logical_not || kind == node_kind::bit_not)
      return prefixed;
    const auto* entry = binary(kind);
    return entry != nullptr ? entry->level : whole;
  }
  std::string own_text(const node& v) const {
    return std::string(text_.substr(v.text_begin, v.text_size));
  }
  /// In parentheses unless it binds at least as tightly as `needed`.
  std::string part(int n, int needed) const {
    const std::string inner = print(n);
    return level(tree_.at(n).kind) >= needed ? inner : "(" + inner + ")";
  }

  std::string print(int n) const {
    const node& v = tree_.at(n);
    switch (v.kind) {
      case node_kind::x: return "x";
      case node_kind::y: return "y";
      case node_kind::i: return "i";
      case node_kind::k: return "k";
      case node_kind::j: return "j";
      case node_kind::parameter: return "parameter";
      case node_kind::integer:
      case node_kind::floating: return own_text(v);
      case node_kind::truth: return v.index != 0 ? "true" : "false";
      case node_kind::infinity: return "t_inf";
      case node_kind::lowest: return "t_lowest";
      case node_kind::one: return "t_one";
      case node_kind::zero: return "t_zero";
      case node_kind::field: return part(v.a, whole) + " ." + own_text(v);  // "1.a" is a number
      case node_kind::negate: return "- " + part(v.a, prefixed);
      case node_kind::logical_not: return "!" + part(v.a, prefixed);
      case node_kind::bit_not: return "~" + part(v.a, prefixed);
      case node_kind::conditional:
        return part(v.a, chosen + 1) + " ? " + part(v.b, chosen) + " : " + part(v.c, chosen);
      case node_kind::call: {
        std::string text(expression::functions[static_cast<std::size_t>(v.index)].name);
        const char* before = "(";
        for (int a = v.a; a >= 0; a = tree_.at(a).next, before = ", ") text += before + print(a);
        return text + ")";
      }
      default: {
        const auto* entry = binary(v.kind);
        if (entry == nullptr) broken("a node of no kind");
        return part(v.a, entry->level) + " " + std::string(entry->sign) + " " +
               part(v.b, entry->level + 1);
      }
    }
  }

  const tree& tree_;
  std::string_view text_;
};

inline bool same_tree(const tree& a, std::string_view text_of_a, const tree& b,
                      std::string_view text_of_b) {
  if (a.ok() != b.ok() || a.count != b.count || a.root != b.root || a.uses_x != b.uses_x ||
      a.uses_y != b.uses_y || a.uses_i != b.uses_i || a.uses_k != b.uses_k || a.uses_j != b.uses_j)
    return false;
  for (int n = 0; n < a.count; ++n) {
    const node &left = a.at(n), &right = b.at(n);
    if (left.kind != right.kind || left.a != right.a || left.b != right.b || left.c != right.c ||
        left.next != right.next || left.index != right.index ||
        text_of_a.substr(left.text_begin, left.text_size) !=
            text_of_b.substr(right.text_begin, right.text_size))
      return false;
  }
  return true;
}

/// Computes an operator from its typed tree, node by node.
class walker {
 public:
  explicit walker(const operator_description& op)
      : op_(op), tree_(*op.syntax), types_(expression::type_of(op)) {}

  scalar_bytes operator()(const void* x, const void* y, index_t i, index_t k, index_t j) {
    x_ = x;
    y_ = y;
    i_ = i;
    k_ = k;
    j_ = j;
    return converted(tree_.root, *op_.z);
  }

 private:
  static scalar_bytes copy_of(const void* from, std::size_t bytes) {
    scalar_bytes result;
    std::memcpy(result.data(), from, bytes);
    return result;
  }

  scalar_bytes converted(int n, const type_description& to) {
    const type_description& from = types_.at(n);
    const scalar_bytes value = walk(n);
    if (from.code == to.code) return value;
    return with_builtin_type(from.code, [&]<class From>() {
      return with_builtin_type(to.code, [&]<class To>() {
        return scalar_bytes::of(arithmetic::convert<To>(value.as<From>()));
      });
    });
  }
  template <class T>
  T operand(int n) {
    return converted(n, describe<T>()).template as<T>();
  }

  template <class T>
  T literal(const node& v) const {
    const std::string_view text = op_.text.substr(v.text_begin, v.text_size);
    switch (v.kind) {
      case node_kind::truth: return static_cast<T>(v.index != 0);
      case node_kind::infinity: return arithmetic::largest<T>();
      case node_kind::lowest: return arithmetic::smallest<T>();
      case node_kind::one: return T{1};
      case node_kind::zero: return T{};
      default: break;
    }
    const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    if (hex || (v.kind == node_kind::integer && !std::is_floating_point_v<T>)) {
      std::uint64_t whole = 0;
      const char* begin = text.data() + (hex ? 2 : 0);
      const auto read = std::from_chars(begin, text.data() + text.size(), whole, hex ? 16 : 10);
      require(read.ec == std::errc{} && read.ptr == text.data() + text.size(),
              "an integer that does not fit was accepted");
      if constexpr (std::is_floating_point_v<T>) return static_cast<T>(static_cast<double>(whole));
      return arithmetic::convert<T>(whole);
    }
    double real = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), real);
    require(read.ec == std::errc{} && read.ptr == text.data() + text.size(),
            "a number that does not fit was accepted");
    return static_cast<T>(real);
  }

  template <class T>
  scalar_bytes integers(const node& v) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (v.kind == node_kind::bit_not) return scalar_bytes::of(static_cast<T>(~operand<T>(v.a)));
      const T a = operand<T>(v.a);
      if (v.kind == node_kind::shift_left)
        return scalar_bytes::of(arithmetic::shift_left(a, operand<index_t>(v.b)));
      if (v.kind == node_kind::shift_right)
        return scalar_bytes::of(arithmetic::shift_right(a, operand<index_t>(v.b)));
      const T b = operand<T>(v.b);
      switch (v.kind) {
        case node_kind::modulo: return scalar_bytes::of(arithmetic::modulo(a, b));
        case node_kind::bit_and: return scalar_bytes::of(static_cast<T>(a & b));
        case node_kind::bit_or: return scalar_bytes::of(static_cast<T>(a | b));
        default: return scalar_bytes::of(static_cast<T>(a ^ b));
      }
    } else {
      broken("an operator of integers over another type");
    }
  }

  template <class T>
  scalar_bytes numbers(const node& v) {
    const T a = operand<T>(v.a);
    if (v.kind == node_kind::negate) return scalar_bytes::of(arithmetic::negate(a));
    const T b = operand<T>(v.b);
    switch (v.kind) {
      case node_kind::add: return scalar_bytes::of(arithmetic::add(a, b));
      case node_kind::subtract: return scalar_bytes::of(arithmetic::subtract(a, b));
      case node_kind::multiply: return scalar_bytes::of(arithmetic::multiply(a, b));
      case node_kind::divide: return scalar_bytes::of(arithmetic::divide(a, b));
      case node_kind::equal: return scalar_bytes::of(a == b);
      case node_kind::not_equal: return scalar_bytes::of(a != b);
      case node_kind::less: return scalar_bytes::of(a < b);
      case node_kind::less_equal: return scalar_bytes::of(a <= b);
      case node_kind::greater: return scalar_bytes::of(a > b);
      case node_kind::greater_equal: return scalar_bytes::of(a >= b);
      case node_kind::logical_and: return scalar_bytes::of(a != T{} && b != T{});
      case node_kind::logical_or: return scalar_bytes::of(a != T{} || b != T{});
      default: broken("a node of no kind");
    }
  }

  template <class T>
  scalar_bytes called(const node& v) {
    using expression::function;
    const T a = operand<T>(v.a);
    const int second = tree_.at(v.a).next;
    const T b = second >= 0 ? operand<T>(second) : T{};
    const auto f = static_cast<function>(v.index);
    if (f == function::is_nan) return scalar_bytes::of(a != a);
    if constexpr (!std::is_same_v<T, bool>) {
      switch (f) {
        case function::minimum: return scalar_bytes::of(arithmetic::minimum(a, b));
        case function::maximum: return scalar_bytes::of(arithmetic::maximum(a, b));
        case function::power: return scalar_bytes::of(arithmetic::power(a, b));
        case function::tropical_plus: return scalar_bytes::of(arithmetic::tropical_plus(a, b));
        case function::tropical_plus_max:
          return scalar_bytes::of(arithmetic::tropical_plus_max(a, b));
        case function::absolute: return scalar_bytes::of(arithmetic::absolute(a));
        default: break;
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      switch (f) {
        case function::square_root: return scalar_bytes::of(std::sqrt(a));
        case function::exponential: return scalar_bytes::of(std::exp(a));
        case function::logarithm: return scalar_bytes::of(std::log(a));
        case function::floor: return scalar_bytes::of(std::floor(a));
        case function::ceiling: return scalar_bytes::of(std::ceil(a));
        default: break;
      }
    }
    broken("a function over a type that it does not take");
  }

  scalar_bytes make_record(const node& v, const type_description& record) {
    scalar_bytes value;
    int argument = v.a;
    for (const field_description& f : record.fields) {
      const scalar_bytes field = converted(argument, describe(f.code));
      std::memcpy(value.bytes.data() + f.offset, field.data(), describe(f.code).size);
      argument = tree_.at(argument).next;
    }
    return value;
  }

  scalar_bytes walk(int n) {
    const node& v = tree_.at(n);
    const type_description& t = types_.at(n);
    const type_code code = types_.operands_at(n);
    switch (v.kind) {
      case node_kind::x: return copy_of(x_, t.size);
      case node_kind::y: return copy_of(y_, t.size);
      case node_kind::i: return scalar_bytes::of(i_);
      case node_kind::k: return scalar_bytes::of(k_);
      case node_kind::j: return scalar_bytes::of(j_);
      case node_kind::integer:
      case node_kind::floating:
      case node_kind::truth:
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::one:
      case node_kind::zero:
        return with_builtin_type(t.code,
                                 [&]<class T>() { return scalar_bytes::of(literal<T>(v)); });
      case node_kind::field: {
        const scalar_bytes record = walk(v.a);
        for (const field_description& f : types_.at(v.a).fields)
          if (f.name == op_.text.substr(v.text_begin, v.text_size))
            return copy_of(record.bytes.data() + f.offset, describe(f.code).size);
        broken("a field that the record does not have");
      }
      case node_kind::logical_not: return scalar_bytes::of(!operand<bool>(v.a));
      case node_kind::conditional:
        return operand<bool>(v.a) ? converted(v.b, t) : converted(v.c, t);
      case node_kind::modulo:
      case node_kind::bit_and:
      case node_kind::bit_or:
      case node_kind::bit_xor:
      case node_kind::bit_not:
      case node_kind::shift_left:
      case node_kind::shift_right:
        return with_builtin_type(code, [&]<class T>() { return integers<T>(v); });
      case node_kind::call:
        if (static_cast<expression::function>(v.index) == expression::function::make)
          return make_record(v, t);
        return with_builtin_type(code, [&]<class T>() { return called<T>(v); });
      case node_kind::parameter: broken("a parameter, and none was declared");
      default:
        return with_builtin_type(code, [&]<class T>() {
          if constexpr (std::is_same_v<T, bool>) {
            broken("arithmetic on bool");
            return scalar_bytes{};
          } else {
            return numbers<T>(v);
          }
        });
    }
  }

  const operator_description& op_;
  const tree& tree_;
  const expression::typing types_;
  const void *x_ = nullptr, *y_ = nullptr;
  index_t i_ = 0, k_ = 0, j_ = 0;
};

}  // namespace tropic::fuzz
