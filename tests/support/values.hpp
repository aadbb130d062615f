// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values on which operators go wrong: both ends of a type and their neighbours, zero, minus one,
// NaN, infinities, minus zero, denormals, powers of two around the widths of the integers.

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
    return {T(0),
            -T(0),
            T(1),
            T(-1),
            T(0.5),
            T(-2.5),
            T(3),
            T(127.5),
            T(128),
            T(-129),
            T(2147483648.0),
            T(-2147483904.0),
            T(4294967296.0),
            T(9223372036854775808.0),
            T(-9223372036854775808.0),
            T(18446744073709551616.0),
            limits::max(),
            limits::lowest(),
            limits::min(),
            limits::denorm_min(),
            limits::epsilon(),
            limits::infinity(),
            -limits::infinity(),
            limits::quiet_NaN()};
  } else {
    std::vector<T> values{T(0),
                          T(1),
                          T(2),
                          T(3),
                          T(7),
                          T(8),
                          T(31),
                          T(33),
                          T(63),
                          T(100),
                          limits::max(),
                          T(limits::max() - 1),
                          T(limits::max() / 2),
                          T(limits::max() / 2 + 1)};
    if constexpr (std::is_signed_v<T>)
      for (T v : {T(-1), T(-2), T(-3), T(-64), limits::min(), T(limits::min() + 1),
                  T(limits::min() / 2), T(limits::min() / 2 - 1)})
        values.push_back(v);
    return values;
  }
}

/// Equal bits, or both NaN (whose payload nobody promises).
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
