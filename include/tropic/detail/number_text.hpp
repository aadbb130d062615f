// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers in messages. std::to_string writes six decimals of a floating-point number, so that a
// tolerance of 1e-12 reads as 0.000000, and takes its decimal point from the locale of C.

#include <charconv>
#include <string>
#include <type_traits>

namespace tropic::detail {

/// The fewest digits that give the same number again: "0.1", "1e-12", "inf", "nan".
template <class T>
  requires(std::is_arithmetic_v<T>)
std::string number_text(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
  } else {
    return std::to_string(value);
  }
}

}  // namespace tropic::detail
