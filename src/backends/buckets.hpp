// SPDX-License-Identifier: Apache-2.0
#pragma once

// Buckets of equal width: bucket q holds the values from q * width up to (q + 1) * width. The order
// in which delta-stepping takes vertices (Meyer and Sanders, J. Algorithms 2003).

#include <cmath>
#include <limits>
#include <type_traits>

namespace tropic::detail {

template <class T>
struct buckets {
  T width;  // above zero; if infinite, there is one bucket

  /// The number of the bucket that holds `value`.
  T number(T value) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T q = std::floor(value / width);  // the quotient is rounded
      return q * width > value ? q - 1 : (q + 1) * width <= value ? q + 1 : q;
    } else {
      const T q = static_cast<T>(value / width);
      return static_cast<T>(q - (static_cast<T>(q * width) > value ? 1 : 0));  // towards zero
    }
  }
  /// Where that bucket ends: above `value`, or the type's largest value.
  T end(T value) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T end = (number(value) + 1) * width;
      return end > value ? end : std::nextafter(value, std::numeric_limits<T>::infinity());
    } else {
      const T start = static_cast<T>(value / width * width);  // towards zero
      if (start > value) return start;
      return start > std::numeric_limits<T>::max() - width ? std::numeric_limits<T>::max()
                                                           : static_cast<T>(start + width);
    }
  }
};

}  // namespace tropic::detail
