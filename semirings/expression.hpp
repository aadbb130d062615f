// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operator language: one expression that means the same in C++, CUDA C++ and OpenCL C.
//
//   expression := or-else-if chains of ?: over || && | ^ & == != < <= > >= << >> + - * / %
//                 unary ! ~ -, parentheses, calls t_name(...), field access x.name
//   operands   := x, y, the indices i, k, j of A(i,k) * B(k,j), declared parameters
//   literals   := 1, 0x1f, 2.5, 1e-3, true, false; the typed words t_inf, t_lowest, t_one, t_zero
//
// Here is the syntax tree of one expression. The parser that makes it is in parse.hpp, what types
// mean is in typing.hpp. Nodes refer to their text by offsets, so a tree outlives no string view.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tropic::expression {

/// Characters of the longest operator.
inline constexpr std::size_t longest_text = 4000;

enum class node_kind : std::uint8_t {
  x,
  y,
  i,
  k,
  j,
  parameter,  // index: which
  integer,    // literal without '.' or exponent
  floating,   // literal with one
  truth,      // true or false (index 1 or 0)
  infinity,   // t_inf: the largest value of the operand's type, infinity where it has one
  lowest,     // t_lowest: the smallest value, -infinity where it has one
  one,
  zero,
  field,        // a . name (text)
  negate,       // -a
  logical_not,  // !a
  bit_not,      // ~a
  add,
  subtract,
  multiply,
  divide,
  modulo,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  conditional,  // a ? b : c
  call,         // index: function; arguments from a, chained by `next`
};

enum class function : std::uint8_t {
  minimum,
  maximum,
  absolute,
  power,
  square_root,
  exponential,
  logarithm,
  floor,
  ceiling,
  is_nan,
  tropical_plus,      // of min_plus: saturates, the largest value is sticky
  tropical_plus_max,  // of max_plus: saturates, the smallest value is sticky
  make,               // builds a record from its fields in order
};

struct function_entry {
  std::string_view name;
  int arguments;  // -1: any number, at least one
};
inline constexpr std::array<function_entry, 13> functions{{
    {"t_min", 2},
    {"t_max", 2},
    {"t_abs", 1},
    {"t_pow", 2},
    {"t_sqrt", 1},
    {"t_exp", 1},
    {"t_log", 1},
    {"t_floor", 1},
    {"t_ceil", 1},
    {"t_isnan", 1},
    {"t_tropical_plus", 2},
    {"t_tropical_plus_max", 2},
    {"t_make", -1},
}};

/// The number of a node, -1 for none. Stored plus one, so that a new tree is all zeros: compilers
/// do not evaluate zeros one by one, for each operator in each source that declares it.
struct node_number {
  std::int16_t plus_one;

  constexpr node_number& operator=(std::int16_t number) {
    plus_one = static_cast<std::int16_t>(number + 1);
    return *this;
  }
  constexpr operator std::int16_t() const { return static_cast<std::int16_t>(plus_one - 1); }
};

/// node{} is the operand x. No member has an initialiser, for the same reason.
struct node {
  node_kind kind;
  node_number a, b, c;                  // operands
  node_number next;                     // the following argument of a call
  std::int16_t index;                   // parameter, function or truth value
  std::uint16_t text_begin, text_size;  // size 0 where the text itself carries nothing
};

/// A parsed operator. `error` is null when the text is in the language.
struct tree {
  static constexpr int capacity = 128;
  std::array<node, capacity> nodes{};
  std::int16_t count = 0;
  std::int16_t root = -1;
  const char* error = nullptr;
  std::size_t error_position = 0;
  bool uses_x = false, uses_y = false, uses_i = false, uses_k = false, uses_j = false;

  constexpr bool ok() const { return error == nullptr; }
  constexpr bool positional() const { return uses_i || uses_k || uses_j; }
  constexpr const node& at(int n) const { return nodes[static_cast<std::size_t>(n)]; }
};

}  // namespace tropic::expression
