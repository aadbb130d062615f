// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounded crosses. A case gives each factor (mask kind, storage, kernel, ...) one of its levels.
// `every_pair` lists cases such that any two levels of any two factors meet in one of them;
// `every_combination` is the whole product. Both are the same from run to run.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tropic/detail/hash.hpp>

namespace tropic::testing {

using levels = std::vector<int>;

std::vector<levels> every_pair(const std::vector<int>& sizes);
std::vector<levels> every_combination(const std::vector<int>& sizes);

/// The pairs of levels that no case has, "factor 2 level 1 with factor 5 level 0" a line.
std::string missing_pairs(const std::vector<int>& sizes, const std::vector<levels>& cases);

/// A generator of numbers that is the same on every platform (splitmix64).
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += detail::golden;
    return detail::mix(state_);
  }
  /// 0 to sides - 1.
  int roll(int sides) { return static_cast<int>(next() % static_cast<std::uint64_t>(sides)); }
  bool chance(double p) { return static_cast<double>(next() >> 11) * 0x1p-53 < p; }
  levels pick(const std::vector<int>& sizes) {
    levels made;
    for (const int size : sizes) made.push_back(roll(size));
    return made;
  }

 private:
  std::uint64_t state_;
};

/// What random cases are drawn with: TROPIC_SEED, any text (scripts/test gives the commit), else
/// "1". Tests whose failures name no case by themselves say it in a SCOPED_TRACE.
std::string seed_name();
inline std::string seed_trace() {
  return "TROPIC_SEED=" + seed_name();
}
std::uint64_t base_seed();
/// TROPIC_EVERY=N: crosses run every N-th of their cases, for builds that are many times slower.
std::size_t every_nth();
std::uint64_t hash_text(const std::string& text);

/// A case as failures print it, "TROPIC_REPLAY=kind:level:...:other:...", and as it is read back.
struct replayed_case {
  levels at;
  std::vector<std::string> others;  // shape, seed, ...
};
std::string replay_line(const std::string& kind, const replayed_case& one);
/// What TROPIC_REPLAY names, if that is a case of this kind. Throws where it does not fit.
std::optional<replayed_case> replay_of(const std::string& kind, std::size_t levels,
                                       std::size_t others);

}  // namespace tropic::testing
