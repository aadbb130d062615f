// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rules of semirings/arithmetic.hpp as device functions, one a rule and type, written into a
// program only where it uses them. Their names end in the type: t_divide_int32, ...

#include <set>
#include <string>
#include <string_view>

#include <tropic/semirings/types.hpp>

namespace tropic::detail {

/// "t_int32": the device's name of a built-in type.
std::string device_type(type_code code);
/// A value of a built-in type in the program text, exact: "((t_int32)5)", "0x1.8p+0f", ...
std::string device_literal(type_code code, const void* value);

enum class rule {
  add,
  subtract,
  multiply,
  negate,
  divide,
  modulo,
  shift_left,
  shift_right,
  minimum,
  maximum,
  absolute,
  power,
  tropical_plus,
  tropical_plus_max,
  is_nan,
  square_root,
  exponential,
  logarithm,
  floor,
  ceiling,
};

/// The helper functions that a program needs, in an order in which they can be compiled.
class helper_set {
 public:
  /// `on_host`: for a C compiler of the host.
  explicit helper_set(bool on_host = false) : on_host_(on_host) {}
  /// The name of the function; it and all that it calls are in text() from now on.
  std::string use(rule r, type_code code);
  /// `value`, of type `from`, as a value of type `to`.
  std::string convert(type_code to, type_code from, const std::string& value);
  const std::string& text() const { return text_; }

 private:
  std::string define(const std::string& name, type_code code, std::string_view body);

  bool on_host_;
  std::set<std::string> known_;
  std::string text_;
};

}  // namespace tropic::detail
