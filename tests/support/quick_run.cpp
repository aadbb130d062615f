// SPDX-License-Identifier: Apache-2.0
#include "support/quick_run.hpp"

#include <algorithm>
#include <cstdlib>

namespace tropic::testing {

bool is_quick_run() {
  return std::getenv("TROPIC_EVERY") == nullptr;
}

std::unique_ptr<environment_variable> compiled_quickly(const context& where) {
  if (!is_quick_run() || !is_on_pocl(where)) return nullptr;
  return std::make_unique<environment_variable>(pocl_flags, no_optimisation);
}

std::vector<levels> one_of_each(const std::vector<levels>& cases, std::size_t factor,
                                std::size_t other) {
  int levels_of_factor = 0, levels_of_other = 0;
  for (const levels& one : cases) {
    levels_of_factor = std::max(levels_of_factor, one[factor] + 1);
    levels_of_other = std::max(levels_of_other, one[other] + 1);
  }
  dice random(base_seed());
  std::vector<int> turns, wanted;
  for (int level = 0; level < levels_of_factor; ++level) {
    if (turns.empty()) {
      for (int n = 0; n < levels_of_other; ++n) turns.insert(turns.begin() + random.roll(n + 1), n);
    }
    wanted.push_back(turns.back());
    turns.pop_back();
  }
  std::vector<levels> kept;
  for (const levels& one : cases) {
    int& level = wanted[static_cast<std::size_t>(one[factor])];
    if (one[other] != level) continue;
    kept.push_back(one);
    level = -1;
  }
  return kept;
}

}  // namespace tropic::testing
