// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parameters of operators: scalar members whose values are given when an operator is created.

#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <tropic/semirings/operand.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic {

/// A parameter of an operator; `offset` is its place in the operator object.
struct parameter_description {
  std::string_view name;
  type_code code;
  std::size_t offset;
};

namespace detail {

/// A parameter in an operator object: a T that has no default. Throws std::out_of_range for an
/// integer that T cannot hold.
template <class T>
struct parameter {
  static_assert(builtin_value_type<T>,
                "tropic: a parameter of an operator is a bool, an integer, a float or a double");
  T value;

  constexpr parameter() : value{} {
    static_assert(never<T>,
                  "tropic: a parameter of this operator has no value: give one for each, in order, "
                  "as in affine{0.85, 1.0}");
  }
  template <std::convertible_to<T> From>
  constexpr parameter(const From& from) : value(static_cast<T>(from)) {
    static_assert(std::is_floating_point_v<T> || !std::is_floating_point_v<From>,
                  "tropic: a floating value is given to an integer parameter of an operator");
    if constexpr (std::is_integral_v<T> && std::is_integral_v<From>)
      if (static_cast<From>(value) != from || (value < T{}) != (from < From{}))
        throw std::out_of_range("tropic: a parameter's type cannot hold the value given");
  }
  constexpr operator const T&() const { return value; }
  constexpr operator T&() { return value; }
};

template <class... Names>
constexpr std::array<std::string_view, sizeof...(Names)> name_list(Names... names) {
  return {std::string_view(names)...};
}

/// Names that mean something else in every expression are not free. i, k and j are: a parameter
/// hides the position.
template <class Names>
constexpr bool parameters_may_be_called(const Names& names) {
  for (std::size_t n = 0; n < names.size(); ++n)
    if (names[n] == "x" || names[n] == "y" || names[n].substr(0, 2) == "t_") return false;
  return true;
}

}  // namespace detail
}  // namespace tropic

#define TROPIC_DETAIL_PARAMETER(type, name) ::tropic::detail::parameter<type> name;
#define TROPIC_DETAIL_PARAMETER_NAME(type, name) #name
#define TROPIC_DETAIL_PARAMETER_OPERAND(type, name) \
  [[maybe_unused]] const ::tropic::operand<type> name{this->name.value};
#define TROPIC_DETAIL_PARAMETER_DESCRIBE(owner, type, name)      \
  ::tropic::parameter_description {                              \
    #name, ::tropic::builtin_code<type>(), offsetof(owner, name) \
  }
// Operands of an expression have the names of its parameters, which are members: -Wshadow.
#define TROPIC_DETAIL_SHADOWING_BEGIN \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define TROPIC_DETAIL_SHADOWING_END _Pragma("GCC diagnostic pop")
