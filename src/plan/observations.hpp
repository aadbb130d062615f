// SPDX-License-Identifier: Apache-2.0
#pragma once

// The measurements of each kernel during a calibration, and its time budget.

#include <algorithm>
#include <chrono>
#include <vector>

#include "backends/backend.hpp"
#include "containers/timing.hpp"
#include "plan/cost_model.hpp"

namespace tropic::detail {

using calibration_clock = std::chrono::steady_clock;

/// The median of several rounds of calls, and its relative distance from the fastest round.
struct timing {
  double seconds = 0, noise = 0;
};

template <class F>
timing timed(backend& executor, F&& call) {
  constexpr double enough = 1e-3;
  constexpr int rounds = 5;
  executor.synchronize();
  auto start = calibration_clock::now();
  call();
  executor.synchronize();
  const double once = std::max(seconds_since(start), 1e-7);
  const int calls = std::clamp(static_cast<int>(enough / once), 1, 500);
  std::vector<double> seconds_per_call;
  for (int round = 0; round < rounds; ++round) {
    start = calibration_clock::now();
    for (int n = 0; n < calls; ++n) call();
    executor.synchronize();
    seconds_per_call.push_back(seconds_since(start) / calls);
    if (once > 0.1 && round > 0) break;
  }
  const double middle = median(seconds_per_call);
  return {middle, middle / std::ranges::min(seconds_per_call) - 1};
}

inline double median_or(const std::vector<double>& values, double otherwise) {
  return values.empty() ? otherwise : median(values);
}

/// The measurements of a kernel, by matrix.
struct observations {
  std::vector<term_values> calls, conversions;
  std::vector<double> call_seconds, conversion_seconds;
  std::vector<cost_observation> list;
  std::vector<double> compares;  // time of calls with min as the add, relative to plus
  std::vector<double> floors;    // seconds of calls with almost no work
  double slowest = 0;            // seconds per entry of a conversion and some calls

  kernel_costs fit() const {
    kernel_costs result = fitted_calls(calls, call_seconds, median_or(floors, 0));
    result.conversion = fitted(conversions, conversion_seconds);
    result.compares = median_or(compares, 1);
    return result;
  }
};

/// The time that measuring may take on a slow device: a kernel is not measured on a matrix if, by
/// its times on others, it would use more than its share of the remaining seconds.
class time_budget {
 public:
  explicit time_budget(std::size_t measurements)
      : left_(static_cast<std::ptrdiff_t>(measurements)) {}
  bool allows(const observations& seen, index_t entries) {
    constexpr double share = 8;  // most kernels need less than an equal share
    const double expected = seen.slowest * static_cast<double>(entries);
    const bool is_allowed =
        expected <= share * seconds_ / static_cast<double>(std::max<std::ptrdiff_t>(left_, 1));
    --left_;
    return is_allowed;
  }
  void spend(observations& seen, index_t entries, double conversion, double call, double seconds) {
    constexpr index_t few = 1 << 17;  // calls on so few entries do not show the time per entry
    if (entries > few)
      seen.slowest = std::max(seen.slowest, (conversion + 8 * call) / static_cast<double>(entries));
    seconds_ = std::max(0.0, seconds_ - seconds);
  }

 private:
  double seconds_ = 20;
  std::ptrdiff_t left_;
};

}  // namespace tropic::detail
