// SPDX-License-Identifier: Apache-2.0
#include "support/cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace tropic::testing {
namespace {

// The pairs of levels that have occurred: one bit for each pair of levels of each pair of factors.
class pair_table {
 public:
  explicit pair_table(const std::vector<int>& sizes) : sizes_(sizes), start_(sizes.size()) {
    std::size_t total = 0;
    for (std::size_t f = 0; f < sizes.size(); ++f)
      for (std::size_t g = f + 1; g < sizes.size(); ++g) {
        start_[f].push_back(total);
        total += static_cast<std::size_t>(sizes[f] * sizes[g]);
      }
    met_.resize(total);
  }

  std::vector<bool>::reference met(std::size_t f, int level_f, std::size_t g, int level_g) {
    if (f > g) std::swap(f, g), std::swap(level_f, level_g);
    return met_[start_[f][g - f - 1] + static_cast<std::size_t>(level_f * sizes_[g] + level_g)];
  }
  void record(const levels& one) {
    for (std::size_t f = 0; f < one.size(); ++f)
      for (std::size_t g = f + 1; g < one.size(); ++g) met(f, one[f], g, one[g]) = true;
  }

 private:
  std::vector<int> sizes_;
  std::vector<std::vector<std::size_t>> start_;
  std::vector<bool> met_;
};

// The case that contains the pair, with the other factors at the levels that cover the most new
// pairs.
levels complete(const std::vector<int>& sizes, pair_table& table, std::size_t f, int level_f,
                std::size_t g, int level_g, std::size_t turn) {
  levels result(sizes.size(), -1);
  result[f] = level_f;
  result[g] = level_g;
  for (std::size_t h = 0; h < sizes.size(); ++h) {
    if (result[h] >= 0) continue;
    int best = 0, best_new = -1;
    for (int n = 0; n < sizes[h]; ++n) {
      const int level = static_cast<int>((static_cast<std::size_t>(n) + turn) %
                                         static_cast<std::size_t>(sizes[h]));
      int fresh = 0;
      for (std::size_t other = 0; other < sizes.size(); ++other)
        if (result[other] >= 0 && !table.met(h, level, other, result[other])) ++fresh;
      if (fresh > best_new) best = level, best_new = fresh;
    }
    result[h] = best;
  }
  return result;
}

}  // namespace

std::vector<levels> every_pair(const std::vector<int>& sizes) {
  pair_table table(sizes);
  std::vector<levels> cases;
  for (std::size_t f = 0; f < sizes.size(); ++f)
    for (std::size_t g = f + 1; g < sizes.size(); ++g)
      for (int a = 0; a < sizes[f]; ++a)
        for (int b = 0; b < sizes[g]; ++b)
          if (!table.met(f, a, g, b)) {
            cases.push_back(complete(sizes, table, f, a, g, b, cases.size()));
            table.record(cases.back());
          }
  return cases;
}

std::vector<levels> every_combination(const std::vector<int>& sizes) {
  std::vector<levels> cases;
  levels now(sizes.size(), 0);
  for (;;) {
    cases.push_back(now);
    std::size_t f = sizes.size();
    while (f > 0 && ++now[f - 1] == sizes[f - 1]) now[--f] = 0;
    if (f == 0) return cases;
  }
}

std::string missing_pairs(const std::vector<int>& sizes, const std::vector<levels>& cases) {
  std::string missing;
  for (std::size_t f = 0; f < sizes.size(); ++f)
    for (std::size_t g = f + 1; g < sizes.size(); ++g)
      for (int a = 0; a < sizes[f]; ++a)
        for (int b = 0; b < sizes[g]; ++b)
          if (std::none_of(cases.begin(), cases.end(),
                           [&](const levels& one) { return one[f] == a && one[g] == b; }))
            missing += "factor " + std::to_string(f) + " level " + std::to_string(a) +
                       " with factor " + std::to_string(g) + " level " + std::to_string(b) + "\n";
  return missing;
}

std::uint64_t hash_text(const std::string& text) {
  return detail::fnv(detail::fnv_basis, text.data(), text.size());
}

std::string seed_name() {
  const char* given = std::getenv("TROPIC_SEED");
  return given == nullptr || *given == 0 ? "1" : given;
}
std::size_t every_nth() {
  const char* given = std::getenv("TROPIC_EVERY");
  const unsigned long every = given ? std::strtoul(given, nullptr, 10) : 1;
  return every == 0 ? 1 : every;
}
std::size_t first_of_every_nth() {
  const char* given = std::getenv("TROPIC_EVERY_FROM");
  return given ? std::strtoul(given, nullptr, 10) % every_nth() : 0;
}

std::uint64_t base_seed() {
  return hash_text(seed_name());
}

std::string replay_line(const std::string& kind, const replayed_case& one) {
  std::string line = "TROPIC_REPLAY=" + kind;
  for (const int level : one.at) line += ":" + std::to_string(level);
  for (const std::string& other : one.others) line += ":" + other;
  return line;
}

std::optional<replayed_case> replay_of(const std::string& kind, std::size_t levels,
                                       std::size_t others) {
  const char* given = std::getenv("TROPIC_REPLAY");
  std::istringstream line(given == nullptr ? "" : given);
  std::vector<std::string> words;
  for (std::string word; std::getline(line, word, ':');) words.push_back(word);
  if (words.empty() || words[0] != kind) return std::nullopt;
  if (words.size() != 1 + levels + others)
    throw std::invalid_argument("TROPIC_REPLAY: a case of " + kind + " has " +
                                std::to_string(levels + others) + " parts");
  replayed_case found;
  for (std::size_t n = 1; n <= levels; ++n) found.at.push_back(std::stoi(words[n]));
  found.others.assign(words.begin() + 1 + static_cast<std::ptrdiff_t>(levels), words.end());
  return found;
}

}  // namespace tropic::testing
