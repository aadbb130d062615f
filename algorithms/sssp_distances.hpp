// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of distances and weights, those that the distances' type cannot hold, and limits in that
// type.
//
// A sum of lengths beyond the type is clamped (tropical_plus): at the largest value but one, as the
// largest represents "no path", or at the smallest. Results count the distances that such a sum may
// have changed (sssp_saturation.hpp).

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic {

/// Whether distances of type D hold every weight of type T. fp32 and fp64 hold any integer,
/// rounded.
template <class D, class T>
constexpr bool holds_weights() {
  if constexpr (!std::is_arithmetic_v<D> || std::is_same_v<D, bool>)
    return false;
  else if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_floating_point_v<D>)
    return std::is_integral_v<T> || sizeof(D) >= sizeof(T);
  else if constexpr (std::is_floating_point_v<T>)
    return false;
  else
    return std::cmp_less_equal(std::numeric_limits<D>::min(), std::numeric_limits<T>::min()) &&
           std::cmp_greater_equal(std::numeric_limits<D>::max(), std::numeric_limits<T>::max());
}

namespace detail {

/// The least value of D above a limit from 0; the largest value ("no path") if no distance is above
/// it.
template <class D>
D first_above(double limit) {
  constexpr D unreached = arithmetic::largest<D>();
  if (!(limit < static_cast<double>(std::numeric_limits<D>::max()))) return unreached;
  if constexpr (std::is_floating_point_v<D>) {
    const D near = static_cast<D>(limit);
    return static_cast<double>(near) > limit ? near : std::nextafter(near, unreached);
  } else {
    return static_cast<D>(static_cast<D>(limit) + 1);
  }
}

/// distance + weight as by tropical_plus; empty if that clamps the sum.
template <class D, class T>
std::optional<D> exact_sum(D distance, T weight) {
  const D length = static_cast<D>(weight), sum = arithmetic::tropical_plus(distance, length);
  constexpr D unreached = arithmetic::largest<D>();
  if constexpr (std::is_floating_point_v<D>) {
    if (sum == std::numeric_limits<D>::max() && !(distance + length < unreached)) return {};
  } else {
    if (distance == unreached || length == unreached) return unreached;
    if (arithmetic::subtract(sum, length) != distance) return {};
  }
  return sum;
}

/// distance + weight, for messages.
template <class D, class T>
std::string sum_text(D distance, T weight) {
  if (const std::optional<D> sum = exact_sum(distance, weight)) return std::to_string(*sum);
  if constexpr (std::is_integral_v<D> && sizeof(D) < 8)
    return std::to_string(static_cast<std::int64_t>(distance) + static_cast<std::int64_t>(weight));
  return std::to_string(distance) + (weight < T{} ? " - " : " + ") +
         (weight < T{} ? std::to_string(weight).substr(1) : std::to_string(weight));
}

}  // namespace detail
}  // namespace tropic
