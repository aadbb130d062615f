// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the device tests share: values as bytes, their comparison, records of several layouts.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <tropic/semirings/evaluate.hpp>
#include <tropic/semirings/semiring.hpp>

#include "support/values.hpp"

namespace tropic {
inline void PrintTo(type_code code, std::ostream* to) {  // for GoogleTest's messages
  *to << describe(code).name;
}
}  // namespace tropic

namespace tropic::testing {

// 16 bytes with padding; every width in descending and ascending order; one byte.
TROPIC_VALUE_TYPE(hop, (double, length), (std::int32_t, hops));
TROPIC_VALUE_TYPE(mixed, (bool, flag), (std::int64_t, wide), (std::int16_t, half), (float, kernel),
                  (std::uint8_t, global));

inline std::vector<type_code> builtin_codes() {
  std::vector<type_code> codes;
  for (const type_description& t : builtin_types) codes.push_back(t.code);
  return codes;
}

/// The adversarial values of a type as bytes, one after another.
inline std::vector<std::byte> adversarial_bytes(type_code code) {
  return with_builtin_type(code, []<class T>() {
    std::vector<std::byte> bytes;
    for (const T v : adversarial_values<T>()) {
      bytes.resize(bytes.size() + sizeof(T));
      std::memcpy(bytes.data() + bytes.size() - sizeof(T), &v, sizeof(T));
    }
    return bytes;
  });
}

template <class T>
T read_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Bit-identical, with all NaNs equal; floating-point values may differ by `ulps`.
inline bool same_value(type_code code, const std::byte* a, const std::byte* b, int ulps = 0) {
  return with_builtin_type(code, [&]<class T>() {
    if constexpr (std::is_floating_point_v<T>) {
      const T x = read_as<T>(a), y = read_as<T>(b);
      if (x != x || y != y) return x != x && y != y;
      if (ulps > 0 && std::isfinite(x) && std::isfinite(y)) {
        const T unit = std::max(std::abs(y) * std::numeric_limits<T>::epsilon(),
                                std::numeric_limits<T>::min());
        return std::abs(x - y) <= static_cast<T>(ulps) * unit;
      }
    }
    return std::memcmp(a, b, sizeof(T)) == 0;
  });
}
inline bool same_value(const type_description& type, const std::byte* a, const std::byte* b) {
  for (const field_description& f : type.fields)
    if (!same_value(f.code, a + f.offset, b + f.offset)) return false;
  return type.code == type_code::record || same_value(type.code, a, b);
}

inline std::string show(type_code code, const std::byte* value) {
  return with_builtin_type(code, [value]<class T>() {
    if constexpr (std::is_floating_point_v<T>) {
      char text[64];
      std::snprintf(text, sizeof(text), "%a", static_cast<double>(read_as<T>(value)));
      return std::string(text);
    } else {
      return std::to_string(read_as<T>(value));
    }
  });
}

}  // namespace tropic::testing
