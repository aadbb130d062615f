// SPDX-License-Identifier: Apache-2.0
#include <tropic/semirings/typing.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic {

std::string expression_error::message(std::string_view text, std::size_t position,
                                      std::string_view reason) {
  // Of a long text only the part around the error. No character of UTF-8 is cut in two.
  constexpr std::size_t longest_shown = 160;
  const auto inside_character = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  std::size_t begin = 0, end = text.size();
  if (text.size() > longest_shown) {
    const std::size_t before = std::min(position, text.size());
    begin = before > longest_shown / 2 ? before - longest_shown / 2 : 0;
    begin = std::min(begin, text.size() - longest_shown);
    end = begin + longest_shown;
    while (begin < before && inside_character(begin)) ++begin;
    while (end > begin && inside_character(end)) --end;
  }
  const std::string left = begin > 0 ? "..." : "", right = end < text.size() ? "..." : "";
  std::string line = left + std::string(text.substr(begin, end - begin)) + right;
  for (char& c : line)
    if (c == '\n' || c == '\t') c = ' ';
  return std::string(reason) + "\n  " + line + "\n  " +
         std::string(position - begin + left.size(), ' ') + "^";
}

namespace expression {
namespace {

// Literals have no type until a typed operand is beside them: `infer` works upwards and
// leaves them null, `settle` brings a type down to them.
class typist {
 public:
  explicit typist(const operator_description& op) : op_(op), tree_(*op.syntax) {}

  typing run() {
    const type_description* root = infer(tree_.root);
    if (root == nullptr)
      settle(tree_.root, *op_.z);
    else if ((root->code == type_code::record || op_.z->code == type_code::record) &&
             !(*root == *op_.z))
      fail(tree_.root, "the expression yields " + std::string(root->name) + ", the result is " +
                           std::string(op_.z->name));
    return typed_;
  }

 private:
  using type = const type_description*;

  [[noreturn]] void fail(int n, const std::string& reason) const {
    throw expression_error(op_.text, tree_.at(n).text_begin, reason);
  }
  type set(int n, type t) { return typed_.value[static_cast<std::size_t>(n)] = t; }
  void set_operands(int n, type_code code) { typed_.operands[static_cast<std::size_t>(n)] = code; }
  static type promote(type t) {
    return t->code == type_code::boolean ? &describe(type_code::int32) : t;
  }
  void scalar(int n, type t) const {
    if (t->code == type_code::record)
      fail(n, "a record takes part by its fields only: write .name");
  }

  // Both sides of an arithmetic node, brought to the type in which they meet.
  type meet(int n, int a, int b) {
    type left = infer(a), right = infer(b);
    if (left != nullptr) scalar(a, left);
    if (right != nullptr) scalar(b, right);
    if (left == nullptr) settle(a, *promote(right));
    if (right == nullptr) settle(b, *promote(left));
    type met = left == nullptr    ? promote(right)
               : right == nullptr ? promote(left)
                                  : &describe(arithmetic::meet(left->code, right->code));
    set_operands(n, met->code);
    return met;
  }
  type integers(int n, type t) const {
    if (is_floating(t->code)) fail(n, "this operator takes integers");
    return t;
  }
  type single(int a) {
    type t = infer(a);
    if (t == nullptr) fail(a, "a literal here has no type");
    scalar(a, t);
    return t;
  }

  type infer(int n) {
    const node& v = tree_.at(n);
    switch (v.kind) {
      case node_kind::x: return set(n, op_.x);
      case node_kind::y: return set(n, op_.y);
      case node_kind::i:
      case node_kind::k:
      case node_kind::j: return set(n, &describe(type_code::int64));
      case node_kind::parameter:
        return set(n, &describe(op_.parameters[static_cast<std::size_t>(v.index)].code));
      case node_kind::integer:
      case node_kind::floating:
      case node_kind::truth:
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::one:
      case node_kind::zero: return nullptr;
      case node_kind::field: return field(n, v);
      case node_kind::negate: {
        type t = infer(v.a);
        if (t == nullptr) return nullptr;
        scalar(v.a, t);
        set_operands(n, promote(t)->code);
        return set(n, promote(t));
      }
      case node_kind::logical_not:
        set_operands(n, single(v.a)->code);
        return set(n, &describe(type_code::boolean));
      case node_kind::bit_not: {
        type t = integers(v.a, single(v.a));
        if (t->code == type_code::boolean) fail(v.a, "~ of a bool is never false: write !");
        set_operands(n, t->code);
        return set(n, t);
      }
      case node_kind::shift_left:
      case node_kind::shift_right: {
        type t = promote(integers(v.a, single(v.a)));
        type count = infer(v.b);
        if (count == nullptr)
          settle(v.b, describe(type_code::int64));
        else
          integers(v.b, count);
        set_operands(n, t->code);
        return set(n, t);
      }
      case node_kind::add:
      case node_kind::subtract:
      case node_kind::multiply:
      case node_kind::divide: return set(n, meet(n, v.a, v.b));
      case node_kind::modulo:
      case node_kind::bit_and:
      case node_kind::bit_or:
      case node_kind::bit_xor: return set(n, integers(n, meet(n, v.a, v.b)));
      case node_kind::logical_and:
      case node_kind::logical_or:
      case node_kind::equal:
      case node_kind::not_equal:
      case node_kind::less:
      case node_kind::less_equal:
      case node_kind::greater:
      case node_kind::greater_equal:
        meet(n, v.a, v.b);
        return set(n, &describe(type_code::boolean));
      case node_kind::conditional: return conditional(n, v);
      case node_kind::call: return call(n, v);
    }
    return nullptr;
  }

  type field(int n, const node& v) {
    type t = infer(v.a);
    const std::string_view name = op_.text.substr(v.text_begin, v.text_size);
    if (t == nullptr || t->code != type_code::record) fail(n, "only records have fields");
    for (const field_description& f : t->fields)
      if (f.name == name) return set(n, &describe(f.code));
    fail(n, "the record " + std::string(t->name) + " has no such field");
  }

  type conditional(int n, const node& v) {
    scalar(v.a, single(v.a));
    type yes = infer(v.b), no = infer(v.c);
    if (yes == nullptr && no == nullptr) return nullptr;
    if (yes == nullptr) return settle(v.b, *no), set(n, no);
    if (no == nullptr) return settle(v.c, *yes), set(n, yes);
    if (*yes == *no) return set(n, yes);
    scalar(v.b, yes);
    scalar(v.c, no);
    return set(n, &describe(arithmetic::meet(yes->code, no->code)));
  }

  type call(int n, const node& v) {
    const auto f = static_cast<function>(v.index);
    switch (f) {
      case function::make: return nullptr;  // the record is known from where it goes
      case function::minimum:
      case function::maximum:
      case function::power:
      case function::tropical_plus:
      case function::tropical_plus_max: return set(n, meet(n, v.a, tree_.at(v.a).next));
      case function::absolute: {
        type t = promote(single(v.a));
        set_operands(n, t->code);
        return set(n, t);
      }
      case function::is_nan:
        set_operands(n, single(v.a)->code);
        return set(n, &describe(type_code::boolean));
      case function::square_root:
      case function::exponential:
      case function::logarithm:
      case function::floor:
      case function::ceiling: {
        type t = single(v.a);
        if (!is_floating(t->code)) fail(v.a, "this function takes fp32 or fp64");
        set_operands(n, t->code);
        return set(n, t);
      }
    }
    return nullptr;
  }

  // Gives the untyped part at n the type t.
  void settle(int n, const type_description& t) {
    const node& v = tree_.at(n);
    const bool record = t.code == type_code::record;
    switch (v.kind) {
      case node_kind::floating:
        if (!is_floating(t.code))
          fail(n, "a floating literal and an operand of " + std::string(t.name) +
                      " have no common type");
        break;
      case node_kind::negate:
        settle(v.a, *promote(&t));
        set_operands(n, promote(&t)->code);
        set(n, promote(&t));
        return;
      case node_kind::conditional:
        settle(v.b, t);
        settle(v.c, t);
        set(n, &t);
        return;
      case node_kind::call: {
        if (!record) fail(n, "t_make builds a record; here a " + std::string(t.name) + " is due");
        int argument = v.a;
        for (const field_description& f : t.fields) {
          if (argument < 0) fail(n, "t_make takes one value for each field of the record");
          type given = infer(argument);
          if (given == nullptr)
            settle(argument, describe(f.code));
          else
            scalar(argument, given);
          argument = tree_.at(argument).next;
        }
        if (argument >= 0) fail(argument, "t_make takes one value for each field of the record");
        set(n, &t);
        return;
      }
      default: break;
    }
    if (record) fail(n, "a literal is not a value of the record " + std::string(t.name));
    set(n, &t);
  }

  const operator_description& op_;
  const tree& tree_;
  typing typed_{};
};

}  // namespace

typing type_of(const operator_description& op) {
  if (!op.syntax->ok())
    throw expression_error(op.text, op.syntax->error_position, op.syntax->error);
  return typist(op).run();
}

namespace {
template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
}  // namespace

std::uint64_t literal_bits(const operator_description& op, const node& v,
                           const type_description& type) {
  const std::string_view text = op.text.substr(v.text_begin, v.text_size);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const auto whole_number = [&] {
    std::uint64_t whole = 0;
    const std::string_view digits = hex ? text.substr(2) : text;
    const auto read =
        std::from_chars(digits.data(), digits.data() + digits.size(), whole, hex ? 16 : 10);
    if (read.ec != std::errc{})
      throw expression_error(op.text, v.text_begin, "this integer does not fit 64 bits");
    return whole;
  };
  if (v.kind == node_kind::integer && !is_floating(type.code)) {
    const std::uint64_t whole = whole_number();
    return with_builtin_type(type.code,
                             [&]<class T>() { return bits_of(arithmetic::convert<T>(whole)); });
  }
  if (v.kind == node_kind::integer || v.kind == node_kind::floating) {
    double real = 0;
    if (hex)
      real = static_cast<double>(whole_number());
    else if (std::from_chars(text.data(), text.data() + text.size(), real).ec != std::errc{})
      throw expression_error(op.text, v.text_begin, "this number does not fit fp64");
    return type.code == type_code::fp32 ? bits_of(static_cast<float>(real)) : bits_of(real);
  }
  return with_builtin_type(type.code, [&]<class T>() {
    if (v.kind == node_kind::infinity) return bits_of(arithmetic::largest<T>());
    if (v.kind == node_kind::lowest) return bits_of(arithmetic::smallest<T>());
    const bool is_one = v.kind == node_kind::one || v.index != 0;  // index: true or false
    return bits_of(static_cast<T>(is_one));
  });
}

}  // namespace expression
}  // namespace tropic
