// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values on which operators go wrong: both ends of a type and their neighbours, zero, minus one,
// NaN, infinities, minus zero, denormals, values that round, powers of two around the widths of the
// integers. And comparisons of values.

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <tropic/semirings/types.hpp>

namespace tropic::testing {

template <class T>
std::vector<T> adversarial_values() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_floating_point_v<T>) {
    std::vector<T> values;
    for (const double v :
         {0.0,          -0.0,          1.0,           -1.0,         0.5,          -1.5,
          2.5,          -2.5,          3.0,           -7.0,         127.0,        127.5,
          128.0,        -128.75,       -129.0,        255.5,        16777217.0,   1e9,
          2147483648.0, -2147483648.0, -2147483904.0, 4294967295.0, 4294967296.0, 0x1p63,
          -0x1p63,      9.3e18,        0x1p64,        1.9e19})
      values.push_back(static_cast<T>(v));
    for (const T v :
         {T(1) / T(3), limits::max(), limits::lowest(), limits::min(), limits::denorm_min(),
          limits::epsilon(), limits::infinity(), -limits::infinity(), limits::quiet_NaN()})
      values.push_back(v);
    return values;
  } else {
    std::vector<T> values{0, 1, 2, 3, 7, 8, 31, 33, 63, 64, 100};
    for (const T v :
         {limits::max(), T(limits::max() - 1), T(limits::max() / 2), T(limits::max() / 2 + 1)})
      values.push_back(v);
    if constexpr (std::is_signed_v<T>)
      for (const T v : {T(-1), T(-2), T(-3), T(-8), T(-33), T(-64), T(-100), limits::min(),
                        T(limits::min() + 1), T(limits::min() / 2), T(limits::min() / 2 - 1)})
        values.push_back(v);
    if constexpr (sizeof(T) == 8) values.push_back((T{1} << 53) + 1);
    return values;
  }
}

/// Equal bits, or both NaN (whose payload is unspecified).
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Equal as values: -0 is +0 and NaN is NaN.
template <class T>
bool same_value(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b;
}

#define TROPIC_FOR_EACH_VALUE_TYPE(m)                                                    \
  m(bool) m(std::int8_t) m(std::int16_t) m(std::int32_t) m(std::int64_t) m(std::uint8_t) \
      m(std::uint16_t) m(std::uint32_t) m(std::uint64_t) m(float) m(double)

}  // namespace tropic::testing
