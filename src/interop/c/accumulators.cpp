// SPDX-License-Identifier: Apache-2.0
#include "interop/c/accumulators.hpp"

#include <cctype>

#include <tropic/semirings/from_text.hpp>
#include <tropic/semirings/operators.hpp>

namespace tropic::c_abi {

namespace {

struct known_operator {
  std::string_view name;
  operator_description (*over)(type_code type);
};

template <class Op>
constexpr known_operator known{
    Op::tropic_name, [](type_code type) {
      return with_builtin_type(type, []<class T>() { return describe_operator<T, T, T>(Op{}); });
    }};

constexpr known_operator all[] = {known<plus>,       known<minus>,       known<times>,
                                  known<divide>,     known<minimum>,     known<maximum>,
                                  known<first>,      known<second>,      known<any>,
                                  known<logical_or>, known<logical_and>, known<logical_xor>};

}  // namespace

std::optional<operator_description> accumulator_named(std::string_view name, type_code type) {
  for (const known_operator& one : all)
    if (one.name == name) return one.over(type);
  return std::nullopt;
}

std::string accumulator_names() {
  std::string names;
  for (const known_operator& one : all) names.append(names.empty() ? "" : ", ").append(one.name);
  return names;
}

namespace {

bool is_word(std::string_view text) {
  for (const char one : text)
    if (!std::islower(static_cast<unsigned char>(one)) && one != '_') return false;
  return !text.empty() && text != "x" && text != "y";
}

}  // namespace

operator_description accumulator_of(const call& c, const char* text, const type_description& type,
                                    const char* what) {
  if (is_word(text)) {
    if (auto found = accumulator_named(text, type.code)) return *found;
    c.refuse(std::string(what) + " is '" + std::string(text) + "', operators are " +
             accumulator_names() + "; or text as 'x + 2 * y'");
  }
  try {
    operator_description result = operator_from_text(text, type, type, type, "accumulate");
    if (result.syntax->positional())
      c.refuse(std::string(what) + ": it has two values and no position");
    return result;
  } catch (const expression_error& fault) {
    c.refuse(std::string(what) + ": " + fault.what());
  }
}

}  // namespace tropic::c_abi
