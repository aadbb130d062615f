// SPDX-License-Identifier: Apache-2.0
#pragma once

// Types of an operator's parts, once its operands' types are known. The evaluator and the device
// text generator both walk the result, so they cannot disagree with each other; the host functors
// (operand.hpp) follow the same rules by overloading, and the law tests hold the two together.

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <tropic/semirings/operator.hpp>

namespace tropic {

/// Text that is not in the operator language, or whose types do not fit. It is a std::runtime_error
/// and not a tropic::error. what() shows the text with a caret under the place of the error.
class TROPIC_API expression_error : public std::runtime_error {
 public:
  expression_error(std::string_view text, std::size_t at, std::string_view reason)
      : std::runtime_error(message(text, at, reason)), position(at) {}
  std::size_t position;

 private:
  static std::string message(std::string_view text, std::size_t position, std::string_view reason);
};

namespace expression {

/// For each node of a tree: the type of its value and, where its operands are computed in another
/// type first (comparisons, &&, shifts), that type.
struct typing {
  std::array<const type_description*, tree::capacity> value{};
  std::array<type_code, tree::capacity> operands{};

  const type_description& at(int n) const { return *value[static_cast<std::size_t>(n)]; }
  type_code operands_at(int n) const { return operands[static_cast<std::size_t>(n)]; }
};

/// Types every part of `op`; throws expression_error where the language forbids it.
TROPIC_API typing type_of(const operator_description& op);

/// The value of a literal of `op` as a built-in type: its bytes, the first ones of the result.
/// Throws expression_error for a number past 64 bits or fp64.
TROPIC_API std::uint64_t literal_bits(const operator_description& op, const node& literal,
                                      const type_description& type);

}  // namespace expression
}  // namespace tropic
