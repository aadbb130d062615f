// SPDX-License-Identifier: Apache-2.0
#pragma once

// Elapsed wall-clock time.

#include <chrono>

namespace tropic::cli {

using clock = std::chrono::steady_clock;

/// Seconds since `start`.
inline double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

}  // namespace tropic::cli
