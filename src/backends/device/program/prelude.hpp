// SPDX-License-Identifier: Apache-2.0
#pragma once

// The generated part of a device program: value types, the helper functions that are used, and the
// operators, written from their typed syntax trees with a conversion at every node, so that the
// device computes what the evaluator and the host functors compute.
//
// Nothing in the text names what the user named: records are t_record0, ... with fields f0, f1,
// ..., parameters are words of t_parameters. So a user-defined copy of a built-in semiring gives
// the same text, and no field can collide with a device keyword.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/semirings/semiring.hpp>

#include "backends/device/program/helpers.hpp"

namespace tropic::detail {

enum class dialect { opencl, cuda, c };  // c: C11, for the host (dialect_c.h)

class prelude {
 public:
  explicit prelude(dialect d) : dialect_(d), helpers_(d == dialect::c) {}

  /// `typedef ... name;` for a value type of the program.
  void define_type(const std::string& name, const type_description& type);
  /// A function `name` of what the operator uses, in the order x, y, i, k, j, parameters; and,
  /// where `both` is given, of x and y and nothing else, the parameters' values being written out.
  void define_operator(const std::string& name, const operator_description& op, bool both = false);
  /// A function `name()` that gives a value.
  void define_value(const std::string& name, const type_description& type, const void* value);
  /// A function `name(parameters)` that gives a value which each call brings along, in words behind
  /// those of the operators before it.
  void define_bound(const std::string& name, const type_description& type);
  /// `t_is_terminal(value)` of the add monoid, and T_TERMINAL: 0 none, 1 some value, 2 any.
  void define_terminal(const monoid_description& add);
  /// T_HAS_NEUTRAL: whether the monoid has a neutral value (neutral.hpp), which `t_neutral()`
  /// returns. T_ATOMIC_SUM: the instruction that adds to a value in memory (atomic_sum).
  void define_neutral(const monoid_description& add);
  void define_macro(const std::string& name, const std::string& value);

  /// Parameters are 8-byte words in the order in which operators were defined.
  const std::vector<std::uint64_t>& parameter_words() const { return parameter_words_; }
  bool needs_fp64() const { return needs_fp64_; }
  /// Sizes and offsets of the records as the host has them, as the kernel t_layout writes them;
  /// empty where there are no records, and then there is no such kernel.
  std::vector<std::uint32_t> layout() const;
  std::string text() const;

 private:
  friend class operator_writer;
  std::string type_name(const type_description& type);
  std::string built_in(type_code code);
  // The parameter in the n-th word.
  std::string word(type_code code, std::size_t n);

  dialect dialect_;
  bool needs_fp64_ = false;
  std::vector<type_description> records_;
  helper_set helpers_;
  std::string definitions_;
  std::vector<std::uint64_t> parameter_words_;
};

/// The values of an operator's parameters, each in a word of its own.
std::vector<std::uint64_t> parameter_words_of(const operator_description& op);
/// The same of a value, or of each of a record's fields.
std::vector<std::uint64_t> words_of(const type_description& type, const void* value);

}  // namespace tropic::detail
