// SPDX-License-Identifier: Apache-2.0
#pragma once

// Paired timing: the contestants run in turns, round by round, so that a change of the machine's
// speed affects all of them. The ratio within a round is what matters; its median is reported.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "containers/timing.hpp"

namespace bench {

struct contestant {
  std::string name;
  std::function<void()> run;
};

struct timing {
  std::string name;
  double median = 0;         // seconds
  double ratio = 0;          // to the first contestant's time, median over rounds
  double low = 0, high = 0;  // quartiles of the ratio
};

using tropic::detail::median;

/// What is measured: time that passes, or time that the process's threads compute, which load of
/// other processes disturbs less.
enum class stopwatch { wall, processor };

inline double seconds_of(stopwatch what) {
  if (what == stopwatch::wall)
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Each contestant runs twice to warm up, then `rounds` times in turns. A run shorter than
/// `minimum` seconds is repeated until it takes that long.
inline std::vector<timing> paired(const std::vector<contestant>& contestants, int rounds,
                                  double minimum = 2e-3, stopwatch what = stopwatch::wall) {
  std::vector<int> repeat(contestants.size(), 1);
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    contestants[c].run();
    const double start = seconds_of(what);
    contestants[c].run();
    const double once = seconds_of(what) - start;
    repeat[c] = once < minimum ? static_cast<int>(minimum / std::max(once, 1e-7)) + 1 : 1;
  }
  std::vector<std::vector<double>> times(contestants.size()), ratios(contestants.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      const double start = seconds_of(what);
      for (int n = 0; n < repeat[c]; ++n) contestants[c].run();
      times[c].push_back((seconds_of(what) - start) / repeat[c]);
      ratios[c].push_back(times[c].back() / times[0].back());
    }
  std::vector<timing> found;
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    std::sort(ratios[c].begin(), ratios[c].end());
    const std::size_t last = ratios[c].size() - 1;
    found.push_back({contestants[c].name, median(times[c]), median(ratios[c]), ratios[c][last / 4],
                     ratios[c][last - last / 4]});
  }
  return found;
}

}  // namespace bench
