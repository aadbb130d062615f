// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounded combinations. A case gives each factor (mask kind, storage, kernel, ...) one of its
// levels. `every_pair` lists cases such that any two levels of any two factors occur together in
// one of them; `every_combination` lists all combinations. Both are deterministic.

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

/// The pairs of levels that no case contains, one per line: "factor 2 level 1 with factor 5 level
/// 0".
std::string missing_pairs(const std::vector<int>& sizes, const std::vector<levels>& cases);

/// A random number generator that is the same on every platform (splitmix64).
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
    levels result;
    for (const int size : sizes) result.push_back(roll(size));
    return result;
  }

 private:
  std::uint64_t state_;
};

/// The seed of random cases: TROPIC_SEED, any text (scripts/test sets it to the commit), otherwise
/// "1". Tests whose failures do not name the case print it with a SCOPED_TRACE.
std::string seed_name();
inline std::string seed_trace() {
  return "TROPIC_SEED=" + seed_name();
}
std::uint64_t base_seed();
/// TROPIC_EVERY=N: only every N-th combination is run, for builds that are many times slower.
std::size_t every_nth();
/// TROPIC_EVERY_FROM=K: the first of these where a test divides its combinations among runs; 0 if
/// not given. N runs with K = 0 to N - 1 check all.
std::size_t first_of_every_nth();
std::uint64_t hash_text(const std::string& text);

/// A case as failures print it, "TROPIC_REPLAY=kind:level:...:other:...", and as it is read back.
struct replayed_case {
  levels at;
  std::vector<std::string> others;  // shape, seed, ...
};
std::string replay_line(const std::string& kind, const replayed_case& one);
/// The case of TROPIC_REPLAY if it is of this kind. Throws if the case is malformed.
std::optional<replayed_case> replay_of(const std::string& kind, std::size_t levels,
                                       std::size_t others);

}  // namespace tropic::testing
