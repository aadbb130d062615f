// SPDX-License-Identifier: Apache-2.0
#pragma once

// Paired timing: the contestants run in turns, round by round, so that a change of the machine's
// speed affects all of them. The ratio within a round is what matters; its median is reported.

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct contestant {
  std::string name;
  std::function<void()> run;
};

struct timing {
  std::string name;
  double median = 0;  // seconds
  double ratio = 0;   // to the first contestant's time, median over rounds
};

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Each contestant runs twice to warm up, then `rounds` times in turns. A run shorter than
/// `minimum` seconds is repeated until it takes that long.
inline std::vector<timing> paired(const std::vector<contestant>& contestants, int rounds,
                                  double minimum = 2e-3) {
  using clock = std::chrono::steady_clock;
  const auto seconds = [](clock::duration d) { return std::chrono::duration<double>(d).count(); };
  std::vector<int> repeat(contestants.size(), 1);
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    contestants[c].run();
    const auto start = clock::now();
    contestants[c].run();
    const double once = seconds(clock::now() - start);
    repeat[c] = once < minimum ? static_cast<int>(minimum / std::max(once, 1e-7)) + 1 : 1;
  }
  std::vector<std::vector<double>> times(contestants.size()), ratios(contestants.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      const auto start = clock::now();
      for (int n = 0; n < repeat[c]; ++n) contestants[c].run();
      times[c].push_back(seconds(clock::now() - start) / repeat[c]);
      ratios[c].push_back(times[c].back() / times[0].back());
    }
  std::vector<timing> found;
  for (std::size_t c = 0; c < contestants.size(); ++c)
    found.push_back({contestants[c].name, median(times[c]), median(ratios[c])});
  return found;
}

}  // namespace bench
