// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the device tests share: values at the edges of every type, typed bytes and their
// comparison, records of several layouts, and an OpenCL device to run on.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <tropic/semirings/evaluate.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {
inline void PrintTo(type_code code, std::ostream* to) {  // how GoogleTest shows a type
  *to << describe(code).name;
}
}  // namespace tropic

namespace tropic::test {

// 16 bytes with a hole; every width in descending and ascending order; one byte alone.
TROPIC_VALUE_TYPE(hop, (double, length), (std::int32_t, hops));
TROPIC_VALUE_TYPE(mixed, (bool, flag), (std::int64_t, wide), (std::int16_t, half), (float, kernel),
                  (std::uint8_t, global));

inline std::vector<type_code> builtin_codes() {
  std::vector<type_code> codes;
  for (const type_description& t : builtin_types) codes.push_back(t.code);
  return codes;
}

/// Values at which rules differ: zeros, ones, ends, what overflows, what rounds, NaN.
template <class T>
std::vector<T> edge_values() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_floating_point_v<T>) {
    const T inf = limits::infinity(), tiny = limits::denorm_min();
    return {T{0},
            -T{0},
            T{1},
            T{-1},
            T(0.5),
            T(-1.5),
            T(2.5),
            T(3),
            T(-7),
            T(127),
            T(255.5),
            T(-128.75),
            T(1e9),
            T(4294967295),
            T(2147483648.),
            T(-2147483648.),
            T(9.3e18),
            T(1.9e19),
            inf,
            -inf,
            limits::quiet_NaN(),
            limits::max(),
            limits::lowest(),
            tiny,
            limits::min(),
            T(1) / T(3),
            T(16777217)};
  } else {
    std::vector<T> values = {T(0),  T(1),  T(2),  T(3),  T(7),  T(8),
                             T(31), T(33), T(63), T(64), T(100)};
    const T high = limits::max(), low = limits::lowest();
    for (const T v : {high, T(high - 1), T(high / 2), T(high / 2 + 1), low, T(low + 1)})
      values.push_back(v);
    if constexpr (std::is_signed_v<T>)
      for (const int v : {-1, -2, -3, -8, -33, -100}) values.push_back(static_cast<T>(v));
    if constexpr (sizeof(T) == 8) values.push_back(static_cast<T>((std::int64_t{1} << 53) + 1));
    return values;
  }
}

/// The edge values of a type as bytes, one after another.
inline std::vector<std::byte> edge_bytes(type_code code) {
  return with_builtin_type(code, []<class T>() {
    std::vector<std::byte> bytes;
    for (const T v : edge_values<T>()) {
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

/// Equal to the bit, NaN to any NaN, save that floating values may be `ulps` apart.
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

}  // namespace tropic::test
