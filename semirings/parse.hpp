// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parser of the operator language: the grammar alone, by constexpr recursive descent.
// TROPIC_BINARY_OPERATOR runs it inside a static_assert, operator_from_text at run time; hostile
// text is refused, never overflows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tropic/semirings/expression.hpp>

namespace tropic::expression {

namespace detail {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

struct binary_entry {
  std::string_view sign;
  int level;
  node_kind kind;
};
// Two-character signs first, so that "<=" is never read as "<".
inline constexpr std::array<binary_entry, 18> binaries{{
    {"||", 1, node_kind::logical_or},
    {"&&", 2, node_kind::logical_and},
    {"==", 6, node_kind::equal},
    {"!=", 6, node_kind::not_equal},
    {"<<", 8, node_kind::shift_left},
    {">>", 8, node_kind::shift_right},
    {"<=", 7, node_kind::less_equal},
    {">=", 7, node_kind::greater_equal},
    {"|", 3, node_kind::bit_or},
    {"^", 4, node_kind::bit_xor},
    {"&", 5, node_kind::bit_and},
    {"<", 7, node_kind::less},
    {">", 7, node_kind::greater},
    {"+", 9, node_kind::add},
    {"-", 9, node_kind::subtract},
    {"*", 10, node_kind::multiply},
    {"/", 10, node_kind::divide},
    {"%", 10, node_kind::modulo},
}};
inline constexpr int tightest_level = 10;

template <class Names>
class parser {
 public:
  constexpr parser(std::string_view text, const Names& parameters)
      : text_(text), parameters_(parameters) {}

  constexpr tree run() {
    static_assert(longest_text == 4000, "the message says 4000");
    if (text_.size() > longest_text) {
      fail("the expression is longer than 4000 characters");
      return tree_;
    }
    tree_.root = conditional(0);
    skip();
    if (tree_.ok() && at_ < text_.size()) fail("this does not belong to the expression");
    return tree_;
  }

 private:
  static constexpr int deepest = 60;  // bounds the recursion for hostile text

  static constexpr const char* no_steps =
      "there is no -- or ++ in the language: two signs stand apart, as in x - -y";

  // Keeps the first error. Returns -1, the number of no node.
  constexpr std::int16_t fail(const char* message) { return fail_at(message, at_); }
  constexpr std::int16_t fail_at(const char* message, std::size_t position) {
    if (tree_.error == nullptr) {
      tree_.error = message;
      tree_.error_position = position;
    }
    return -1;
  }
  constexpr void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }
  constexpr bool accept(char sign) {
    skip();
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }
  // Whether the text goes on with a sign of one or two characters. By characters: compilers
  // evaluate a comparison of strings many times slower, and these are most of the work.
  constexpr bool follows(std::string_view sign) const {
    if (at_ == text_.size() || text_[at_] != sign[0]) return false;
    return sign.size() == 1 || (at_ + 1 < text_.size() && text_[at_ + 1] == sign[1]);
  }
  // The operator of two operands that follows, as an index; binaries.size() if none does. Every
  // level asks at the same place. An index: g++ -fsanitize=undefined cannot fold a pointer here.
  constexpr std::size_t following_binary() {
    if (searched_at_ == at_) return following_;
    searched_at_ = at_;
    following_ = 0;
    while (following_ < binaries.size() && !follows(binaries[following_].sign)) ++following_;
    return following_;
  }
  constexpr std::int16_t make(node_kind kind, std::int16_t a = -1, std::int16_t b = -1,
                              std::int16_t c = -1) {
    if (tree_.count == tree::capacity) return fail("the expression has too many parts");
    node& added = tree_.nodes[static_cast<std::size_t>(tree_.count)];
    added.kind = kind;
    added.a = a;
    added.b = b;
    added.c = c;
    added.text_begin = static_cast<std::uint16_t>(mark_);
    return tree_.count++;
  }
  // An operand; `used` notes that the operator depends on it.
  constexpr std::int16_t operand(bool& used, node_kind kind) {
    used = true;
    return make(kind);
  }
  constexpr node& at(std::int16_t n) { return tree_.nodes[static_cast<std::size_t>(n)]; }

  // A literal has no type of its own: it needs a typed operand beside it.
  constexpr bool untyped(std::int16_t n) const {
    if (n < 0) return false;
    const node& v = tree_.at(n);
    switch (v.kind) {
      case node_kind::integer:
      case node_kind::floating:
      case node_kind::truth:
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::one:
      case node_kind::zero: return true;
      case node_kind::negate: return untyped(v.a);
      case node_kind::conditional: return untyped(v.b) && untyped(v.c);
      default: return false;
    }
  }
  // What C++ takes an untyped part for, before it knows a type: words are all alike.
  constexpr node_kind literal_form(std::int16_t n) const {
    const node& v = tree_.at(n);
    switch (v.kind) {
      case node_kind::negate: {
        const node_kind form = literal_form(v.a);
        return form == node_kind::truth ? node_kind::integer : form;
      }
      case node_kind::conditional: return literal_form(v.b);
      case node_kind::infinity:
      case node_kind::lowest:
      case node_kind::zero: return node_kind::one;
      default: return v.kind;
    }
  }

  constexpr std::int16_t conditional(int depth) {
    if (depth > deepest) return fail("the expression is nested too deeply");
    const std::int16_t test = binary(1, depth);
    if (!tree_.ok() || !accept('?')) return test;
    const std::size_t position = at_;
    if (untyped(test)) fail_at("a literal decides nothing: compare an operand", position);
    const std::int16_t yes = conditional(depth + 1);
    if (!tree_.ok()) return -1;
    if (!accept(':')) return fail("expected ':' of a conditional");
    const std::int16_t no = conditional(depth + 1);
    if (!tree_.ok()) return -1;
    if (untyped(yes) && untyped(no) && literal_form(yes) != literal_form(no))
      fail_at("both branches are literals of different forms", position);
    return make(node_kind::conditional, test, yes, no);
  }

  constexpr std::int16_t binary(int level, int depth) {
    if (level > tightest_level) return unary(depth);
    std::int16_t left = binary(level + 1, depth);
    while (tree_.ok()) {
      skip();
      const std::size_t found = following_binary();
      if (found == binaries.size() || binaries[found].level != level) return left;
      const std::size_t position = at_;
      at_ += binaries[found].sign.size();
      if (at_ < text_.size() && text_[at_] == '=')
        return fail_at("an operator may not assign", position);
      if (at_ < text_.size() && text_[at_] == text_[at_ - 1] &&
          (text_[at_] == '+' || text_[at_] == '-'))
        return fail_at(no_steps, position);
      const std::int16_t right = binary(level + 1, depth);
      if (!tree_.ok()) return -1;
      if (untyped(left) && untyped(right))
        fail_at("both sides are literals, which have no type: write their value", position);
      mark_ = position;
      left = make(binaries[found].kind, left, right);
    }
    return -1;
  }

  constexpr std::int16_t unary(int depth) {
    if (depth > deepest) return fail("the expression is nested too deeply");
    skip();
    const std::size_t position = at_;
    if (follows("--") || follows("++")) return fail(no_steps);
    if (accept('+')) return unary(depth + 1);
    if (accept('-')) return prefixed(node_kind::negate, depth);
    if (accept('!')) {
      const std::int16_t result = prefixed(node_kind::logical_not, depth);
      if (tree_.ok() && untyped(at(result).a))
        fail_at("! needs an operand, not a literal", position);
      return result;
    }
    if (accept('~')) {
      const std::int16_t result = prefixed(node_kind::bit_not, depth);
      if (tree_.ok() && untyped(at(result).a))
        fail_at("~ needs an operand, not a literal", position);
      return result;
    }
    return postfix(depth);
  }
  constexpr std::int16_t prefixed(node_kind kind, int depth) {
    const std::int16_t operand = unary(depth + 1);
    return tree_.ok() ? make(kind, operand) : std::int16_t{-1};
  }

  constexpr std::int16_t postfix(int depth) {
    std::int16_t value = primary(depth);
    while (tree_.ok() && accept('.')) {
      const std::string_view name = word();
      if (name.empty()) return fail("expected the name of a field");
      const std::size_t begin = at_ - name.size();
      value = make(node_kind::field, value);
      if (tree_.ok()) set_text(value, begin, name.size());
    }
    return value;
  }

  constexpr std::string_view word() {
    skip();
    std::size_t end = at_;
    if (end < text_.size() && is_letter(text_[end]))
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view found = text_.substr(at_, end - at_);
    mark_ = at_;
    at_ = end;
    return found;
  }
  constexpr void set_text(std::int16_t n, std::size_t begin, std::size_t size) {
    at(n).text_begin = static_cast<std::uint16_t>(begin);
    at(n).text_size = static_cast<std::uint16_t>(size);
  }

  constexpr std::int16_t primary(int depth) {
    skip();
    if (at_ == text_.size()) return fail("the expression ends where an operand should be");
    if (accept('(')) {
      const std::int16_t inner = conditional(depth + 1);
      if (tree_.ok() && !accept(')')) fail("expected ')'");
      return inner;
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    const std::size_t begin = at_;
    const std::string_view name = word();
    if (name.empty()) return fail("this is not an operand");
    if (name == "x") return operand(tree_.uses_x, node_kind::x);
    if (name == "y") return operand(tree_.uses_y, node_kind::y);
    if (name == "true" || name == "false") {
      const std::int16_t result = make(node_kind::truth);
      if (tree_.ok()) at(result).index = name == "true";
      return result;
    }
    if (name == "t_inf") return make(node_kind::infinity);
    if (name == "t_lowest") return make(node_kind::lowest);
    if (name == "t_one") return make(node_kind::one);
    if (name == "t_zero") return make(node_kind::zero);
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      if (name == parameters_[p]) {
        const std::int16_t result = make(node_kind::parameter);
        if (tree_.ok()) at(result).index = static_cast<std::int16_t>(p);
        return result;
      }
    if (name == "i") return operand(tree_.uses_i, node_kind::i);
    if (name == "k") return operand(tree_.uses_k, node_kind::k);
    if (name == "j") return operand(tree_.uses_j, node_kind::j);
    for (std::size_t f = 0; f < functions.size(); ++f)
      if (name == functions[f].name) return call(f, begin, depth);
    return fail_at("unknown name; operands are x, y, i, k, j and the declared parameters", begin);
  }

  constexpr std::int16_t call(std::size_t f, std::size_t begin, int depth) {
    if (!accept('(')) return fail("expected '(' of a function's arguments");
    std::int16_t first = -1, last = -1;
    int arguments = 0;
    bool all_untyped = true;
    do {
      const std::int16_t argument = conditional(depth + 1);
      if (!tree_.ok()) return -1;
      all_untyped = all_untyped && untyped(argument);
      if (first < 0)
        first = argument;
      else
        at(last).next = argument;
      last = argument;
      ++arguments;
    } while (accept(','));
    if (!accept(')')) return fail("expected ')' of a function's arguments");
    if (functions[f].arguments >= 0 && arguments != functions[f].arguments)
      return fail_at("wrong number of arguments", begin);
    if (all_untyped && functions[f].arguments >= 0)
      return fail_at("all arguments are literals, which have no type", begin);
    const std::int16_t result = make(node_kind::call, first);
    if (tree_.ok()) at(result).index = static_cast<std::int16_t>(f);
    return result;
  }

  constexpr std::int16_t number() {
    const std::size_t begin = at_;
    bool real = false;
    if (text_[at_] == '0' && at_ + 1 < text_.size() &&
        (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X')) {
      at_ += 2;
      if (at_ == text_.size() || !is_hex(text_[at_])) return fail("not a number");
      while (at_ < text_.size() && is_hex(text_[at_])) ++at_;
    } else {
      std::size_t digits = 0;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_, ++digits;
      if (at_ < text_.size() && text_[at_] == '.') {
        real = true;
        ++at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_, ++digits;
      }
      if (digits == 0) return fail_at("not a number", begin);
      if (!real && digits > 1 && text_[begin] == '0')
        return fail_at("octal numbers are not part of the language", begin);
      if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        real = true;
        ++at_;
        if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
        if (at_ == text_.size() || !is_digit(text_[at_])) return fail("not an exponent");
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      }
    }
    if (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
      return fail("suffixes are not part of the language: a literal takes its operand's type");
    const std::int16_t result = make(real ? node_kind::floating : node_kind::integer);
    if (tree_.ok()) set_text(result, begin, at_ - begin);
    return result;
  }

  std::string_view text_;
  const Names& parameters_;
  std::size_t at_ = 0;
  std::size_t mark_ = 0;  // position of the current part, for messages
  // What following_binary() found last, and where.
  std::size_t searched_at_ = ~std::size_t{0};
  std::size_t following_ = 0;
  tree tree_{};
};

}  // namespace detail

/// Parses one operator. `parameters`: the declared parameters' names (any range of string_view
/// with size() and []). The result carries the first error and its position in `text`.
template <class Names>
constexpr tree parse(std::string_view text, const Names& parameters) {
  return detail::parser<Names>(text, parameters).run();
}
constexpr tree parse(std::string_view text) {
  return parse(text, std::array<std::string_view, 0>{});
}

}  // namespace tropic::expression
