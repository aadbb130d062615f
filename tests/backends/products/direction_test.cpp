// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until over sums that are the same in any order, on graphs whose incoming edges
// are at hand: devices push or pull each of them (rounds_by_direction). Compared with a serial
// loop: rows around every length that kernels distinguish, frontiers from one entry to most of
// them, more rounds than the host looks at together, and than one call runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include <tropic/tropic.hpp>

#include "backends/rounds/iterate_loops.hpp"
#include "containers/derived_copies.hpp"
#include "support/cases.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace direction_test {
namespace {

TROPIC_BINARY_OPERATOR(next_times_less, (x + 1) * (y - 1));

class RoundsByDirection : public OnContext {
 protected:
  // With a symmetric matrix, or one whose transpose is kept.
  template <class T, class Semiring>
  void check(loop<T> l, const Semiring& semiring, bool symmetric, const std::string& what) {
    if (symmetric) {
      const std::size_t edges = l.from.size();
      for (std::size_t e = 0; e < edges; ++e) {
        l.from.push_back(l.to[e]);
        l.to.push_back(l.from[e]);
        l.weight.push_back(l.weight[e]);
      }
    }
    auto a = matrix<T>::from_entries(where(), l.n, l.n, l.from, l.to, l.weight);
    if (symmetric)
      a.assume_symmetric();
    else
      a.base().derived->transpose = std::make_shared<const detail::matrix_base>(
          matrix<T>::from_entries(where(), l.n, l.n, l.to, l.from, l.weight).base());
    vector<T> w = make(where(), l.w), frontier = make(where(), l.frontier);
    vector<index_t> rounds(where(), l.n);
    rounds.set(l.n - 1, -5);  // an entry that may stay
    const vector<T> also = w;
    const sparse<T> before = l.w;
    l.run();
    const index_t done =
        iterate_until(w, semiring, frontier, a,
                      {.rounds = &rounds, .first_round = 3, .max_rounds = l.max_rounds});
    EXPECT_EQ(done, l.done) << what;
    EXPECT_EQ(entries_of(w), l.w) << what;
    EXPECT_EQ(w.nvals(), std::ranges::count_if(l.w, [](const auto& x) { return x.has_value(); }))
        << what;
    EXPECT_EQ(entries_of(frontier), l.frontier) << what << ": frontier";
    for (auto& number : l.rounds)
      if (number) *number += 2;
    if (!l.rounds.back()) l.rounds.back() = -5;
    EXPECT_EQ(entries_of(rounds), l.rounds) << what << ": rounds";
    EXPECT_EQ(entries_of(also), before) << what << ": a copy";
  }
};

constexpr std::uint32_t hubs = 24;
// Entries of their rows, around the lengths that kernels distinguish.
constexpr std::uint32_t lengths[hubs] = {1,   3,   4,   5,    15,   16,   17,   31,
                                         32,  33,  64,  127,  128,  129,  300,  511,
                                         512, 513, 900, 1023, 1024, 1025, 1500, 2400};

// The hubs, whose neighbours are the last vertices or are spread over all, and vertices with a
// dozen edges each. Not a multiple of 32 or of a group.
template <class T>
loop<T> hubs_and_others(bool spread) {
  loop<T> l;
  l.n = 3001;
  const auto n = static_cast<std::uint32_t>(l.n);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t h = 0; h < hubs; ++h)
    for (std::uint32_t k = 0; k < lengths[h]; ++k)
      edges.emplace(h, spread ? hubs + (k * 1237 + h) % (n - hubs - 1) : n - 2 - k);
  dice random(7);
  for (int k = 0; k < 17'000; ++k) {
    const auto i = hubs + static_cast<std::uint32_t>(random.roll(static_cast<int>(n - hubs)) - 1),
               j = hubs + static_cast<std::uint32_t>(random.roll(static_cast<int>(n - hubs)) - 1);
    if (i < j && j + 1 < n) edges.emplace(i, j);  // the last vertex has none
  }
  for (const auto& [i, j] : edges) {
    l.from.push_back(i);
    l.to.push_back(j);
    l.weight.push_back(static_cast<T>(1 + (i + j) % 3));
  }
  l.w.resize(n);
  l.frontier = l.w;
  return l;
}

template <class T>
void start(loop<T>& l, std::size_t position, T value) {
  l.w[position] = l.frontier[position] = value;
}

template <class T, class Semiring, class Add, class Multiply>
void check_frontiers(const auto& check, const Semiring& semiring, const Add& add,
                     const Multiply& multiply) {
  for (const bool spread : {true, false})
    for (const bool symmetric : {true, false})
      for (const char* frontier : {"a vertex", "hubs", "the last", "every other", "all but few"}) {
        loop<T> l = hubs_and_others<T>(spread);
        l.add = add;
        l.multiply = multiply;
        const std::string kind = frontier;
        const auto n = static_cast<std::size_t>(l.n);
        if (kind == "a vertex") start(l, 1000, T{1});
        for (std::size_t i = 0; i < hubs && kind == "hubs"; ++i) start(l, i, T{1});
        for (std::size_t i = n - 900; i < n && kind == "the last"; ++i) start(l, i, T{1});
        for (std::size_t i = 1; i < n && kind == "every other"; i += 2) start(l, i, T{1});
        for (std::size_t i = 40; i < n && kind == "all but few"; ++i) start(l, i, T{1});
        // Entries that are not in the frontier: they stay.
        for (const std::size_t i : {std::size_t{20}, std::size_t{30}, n - 33})
          if (!l.w[i]) l.w[i] = T{1};
        check(l, semiring, symmetric,
              kind + (spread ? ", spread" : "") + (symmetric ? ", symmetric" : ""));
      }
}

// Sums that end with their first product.
TEST_P(RoundsByDirection, FindsTheLeastNeighbour) {
  check_frontiers<index_t>([&](const auto&... given) { check(given...); },
                           min_secondi<index_t, index_t>{},
                           [](index_t x, index_t y) { return std::min(x, y); },
                           [](index_t k, index_t, index_t) { return k; });
}

// Maxima of whole words, which devices may combine by an instruction.
TEST_P(RoundsByDirection, FindsTheGreatestSum) {
  using word = std::int32_t;
  check_frontiers<word>([&](const auto&... given) { check(given...); }, max_plus<word>{},
                        [](word x, word y) { return std::max(x, y); },
                        [](index_t, word x, word y) { return x + y; });
}

// Sums that need every product, and are not the same if one comes twice.
TEST_P(RoundsByDirection, AddsEveryProductOnce) {
  using uint = std::uint32_t;  // of 32 bits, which wrap around
  check_frontiers<uint>([&](const auto&... given) { check(given...); }, plus_times<uint>{},
                        [](uint x, uint y) { return x + y; },
                        [](index_t, uint x, uint y) { return x * y; });
}

// Values that share a word, and a terminal one; a third of the products are the neutral value.
TEST_P(RoundsByDirection, KeepsNeutralProducts) {
  using byte = std::uint8_t;
  check_frontiers<byte>(
      [&](const auto&... given) { check(given...); },
      semiring<maximum_monoid<byte>, next_times_less, byte, byte>{},
      [](byte x, byte y) { return std::max(x, y); },
      [](index_t, byte x, byte y) { return static_cast<byte>((x + 1) * (y - 1)); });
}

// More entries than one launch takes on other ways, and more rounds than the host looks at
// together, or than a call runs.
TEST_P(RoundsByDirection, RunsManyRounds) {
  loop<index_t> l;
  // The reference takes a minute for what a launch does not.
  const std::uint32_t paths = where().name() == "reference" ? 3 : 530, length = 141;
  l.n = index_t{paths} * length;
  for (std::uint32_t i = 0; i + paths < l.n; ++i) {
    l.from.push_back(i);
    l.to.push_back(i + paths);
    l.weight.push_back(1);
  }
  l.w.resize(static_cast<std::size_t>(l.n));
  l.frontier = l.w;
  for (std::size_t i = 0; i < paths; ++i) start(l, i, static_cast<index_t>(i));
  l.add = [](index_t x, index_t y) { return std::min(x, y); };
  l.multiply = [](index_t k, index_t, index_t) { return k; };
  for (const index_t max_rounds : {index_t{1}, index_t{9}, index_t{10}, index_t{11}, index_t{128},
                                   index_t{129}, index_t{length}, l.n}) {
    l.max_rounds = max_rounds;
    check(l, min_secondi<index_t, index_t>{}, max_rounds % 2 == 0,
          std::to_string(max_rounds) + " rounds");
  }
}

// A frontier of one entry, which comes along with a launch, wherever it is.
TEST_P(RoundsByDirection, BeginsAtEveryPosition) {
  loop<index_t> path;
  path.n = 70;
  for (std::uint32_t i = 0; i + 2 < path.n; ++i) {  // the last vertex has no edges
    path.from.push_back(i);
    path.to.push_back(i + 1);
    path.weight.push_back(1);
  }
  path.w.resize(70);
  path.frontier = path.w;
  path.max_rounds = 3;
  path.add = [](index_t x, index_t y) { return std::min(x, y); };
  path.multiply = [](index_t k, index_t, index_t) { return k; };
  for (std::size_t source = 0; source + 1 < 70; ++source) {
    loop<index_t> l = path;
    start(l, source, static_cast<index_t>(source + (source << 40)));
    check(l, min_secondi<index_t, index_t>{}, true, "from " + std::to_string(source));
  }
}

// Entries of the frontier that w lacks may be found again.
TEST_P(RoundsByDirection, TakesAFrontierOutside) {
  loop<index_t> l = hubs_and_others<index_t>(true);
  l.add = [](index_t x, index_t y) { return std::min(x, y); };
  l.multiply = [](index_t k, index_t, index_t) { return k; };
  for (std::size_t i = 0; i < 2000; i += 2) start(l, i, index_t{0});
  l.w[1000].reset();
  for (const bool symmetric : {true, false})
    check(l, min_secondi<index_t, index_t>{}, symmetric, symmetric ? "symmetric" : "directed");
}

TROPIC_ON_EVERY_CONTEXT(RoundsByDirection);

}  // namespace
}  // namespace direction_test
}  // namespace tropic::testing
