// SPDX-License-Identifier: Apache-2.0
#pragma once

// What calibrating notes of each kernel, and how it keeps time.

#include <algorithm>
#include <chrono>
#include <vector>

#include "backends/array_services.hpp"
#include "plan/cost_model.hpp"

namespace tropic::detail {

using calibration_clock = std::chrono::steady_clock;

inline double seconds_since(calibration_clock::time_point start) {
  return std::chrono::duration<double>(calibration_clock::now() - start).count();
}

/// Rounds of a few calls each: their median, and how far the quickest is from it.
struct timing {
  double seconds = 0, noise = 0;
};

template <class F>
timing timed(array_services& device, F&& call) {
  constexpr double enough = 1e-3;
  constexpr int rounds = 5;
  device.synchronize();
  auto start = calibration_clock::now();
  call();
  device.synchronize();
  const double once = std::max(seconds_since(start), 1e-7);
  const int calls = std::clamp(static_cast<int>(enough / once), 1, 500);
  std::vector<double> each;
  for (int round = 0; round < rounds; ++round) {
    start = calibration_clock::now();
    for (int n = 0; n < calls; ++n) call();
    device.synchronize();
    each.push_back(seconds_since(start) / calls);
    if (once > 0.1 && round > 0) break;
  }
  std::ranges::sort(each);
  const double middle = each[each.size() / 2];
  return {middle, middle / each[0] - 1};
}

inline double middle_of(std::vector<double> values, double otherwise) {
  if (values.empty()) return otherwise;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// What was measured of a kernel, by matrices.
struct observations {
  std::vector<term_values> calls, conversions;
  std::vector<double> call_seconds, conversion_seconds;
  std::vector<cost_observation> list;
  std::vector<double> compares;  // calls with min for plus, in calls with plus
  std::vector<double> floors;    // seconds of calls that do next to nothing
  double slowest = 0;            // seconds of a conversion and some calls, an entry

  kernel_costs fit() const {
    kernel_costs made = fitted_calls(calls, call_seconds, middle_of(floors, 0));
    made.conversion = fitted(conversions, conversion_seconds);
    made.compares = middle_of(compares, 1);
    return made;
  }
};

/// What measuring may take where a device is slow: a kernel is not measured with a matrix where it
/// would, by what it took with others, take more than its share of the seconds left.
class time_budget {
 public:
  explicit time_budget(std::size_t measurements)
      : left_(static_cast<std::ptrdiff_t>(measurements)) {}
  bool allows(const observations& seen, index_t entries) {
    constexpr double share = 8;  // most take less
    const double expected = seen.slowest * static_cast<double>(entries);
    const bool is_allowed =
        expected <= share * seconds_ / static_cast<double>(std::max<std::ptrdiff_t>(left_, 1));
    --left_;
    return is_allowed;
  }
  void spend(observations& seen, index_t entries, double conversion, double call, double seconds) {
    constexpr index_t few = 1 << 17;  // whose calls tell nothing of an entry's time
    if (entries > few)
      seen.slowest = std::max(seen.slowest, (conversion + 8 * call) / static_cast<double>(entries));
    seconds_ = std::max(0.0, seconds_ - seconds);
  }

 private:
  double seconds_ = 20;
  std::ptrdiff_t left_;
};

}  // namespace tropic::detail
