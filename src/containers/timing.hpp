// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measured times.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace tropic::detail {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The mean of the two middle values if their number is even; 0 for no values.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace tropic::detail
