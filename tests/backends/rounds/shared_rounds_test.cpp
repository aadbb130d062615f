// SPDX-License-Identifier: Apache-2.0

// Rounds of some hundred edges that threads share (src/backends/cpu/rounds/owners.cpp): the same
// results, and when sharing stops.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/cpu/rounds/sharing.hpp"
#include "backends/cpu/rounds/spinning_barrier.hpp"
#include "backends/rounds/iterate_loops.hpp"

namespace tropic::testing {
namespace shared_rounds_test {
namespace {

// How threads share rounds, until the end of a scope.
class ChosenSharing {
 public:
  explicit ChosenSharing(const detail::on_cpu::round_sharing::settings& chosen) {
    rule().choose(chosen);
  }
  ChosenSharing(const ChosenSharing&) = delete;
  ChosenSharing& operator=(const ChosenSharing&) = delete;
  ~ChosenSharing() { rule().choose(before_); }

  static detail::on_cpu::round_sharing& rule() {
    return detail::on_cpu::round_sharing::of_process();
  }

 private:
  detail::on_cpu::round_sharing::settings before_ = rule().chosen();
};

context with_threads(int threads) {
  context_options options;
  options.threads = threads;
  return context::cpu(options);
}

loop<std::int32_t> paths_over(const std::string& spec) {
  auto paths = loop_over<std::int32_t>(spec, 5);
  bound(paths);
  for (auto& x : paths.w) x = arithmetic::largest<std::int32_t>();
  paths.w[0] = paths.frontier[0] = 0;
  return paths;
}

// Hundreds of rounds of some hundred edges, which threads share by position: with and without a row
// longer than the room for messages, and in calls that end between them.
void check_many_rounds(int threads, const std::string& variant) {
  const context where = with_threads(threads);
  for (const char* spec : {"grid:130", "grid:131"}) {
    const std::string what = std::string(spec) + " by " + std::to_string(threads) + variant;
    auto tree = loop_over<index_t>(spec, 3);
    tree.add = [](index_t x, index_t y) { return std::min(x, y); };
    tree.multiply = [](index_t k, index_t, index_t) { return k; };
    tree.w[1] = tree.frontier[1] = 1;
    tree.w[9000] = 7;  // which no round changes
    check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what);
    auto counts = tree;  // an edge taken twice shows
    counts.add = [](index_t x, index_t y) { return arithmetic::add(x, y); };
    counts.multiply = [](index_t, index_t x, index_t) { return x; };
    check_on(where, counts, plus_first<index_t>{}, {}, what + ", counts");
    check_alone_on(where, counts, plus_first<index_t>{}, {}, what + ", alone");
    tree.max_rounds = 100;
    check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what + ", 100 rounds");
    auto paths = paths_over(spec);
    check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", paths");
    for (const index_t rounds : {std::numeric_limits<index_t>::max(), index_t{150}}) {
      paths.max_rounds = rounds;
      paths.bucket_width = 40;
      check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}},
               what + ", buckets, " + std::to_string(rounds) + " rounds");
    }
  }
}

TEST(IterateOnCpu, ManyRoundsOfSomeHundredEdges) {
  const ChosenSharing always({.processors = 4, .rest = 0, .edges_of_others = 256});
  for (const int threads : {1, 2, 3, 6}) check_many_rounds(threads, "");
}

// Whose positions are asked for: owners of positions list theirs in no order.
TEST(IterateOnCpu, ManyRoundsAreListedInTheirOrder) {
  const ChosenSharing always({.processors = 4, .rest = 0, .edges_of_others = 256});
  const auto edges = loop_over<index_t>("grid:130", 3);
  const auto counts_from = [&](const context& where, iterate_options<index_t> options) {
    const auto graph = matrix<index_t>::from_entries(where, edges.n, edges.n, edges.from, edges.to,
                                                     std::span<const index_t>(edges.weight));
    vector<index_t> w(where, edges.n), frontier(where, edges.n);
    w.set(1, 1);
    frontier.set(1, 1);
    iterate_until(w, plus_first<index_t>{}, frontier, graph, options);
    return w.dense(-1);
  };
  vector<index_t> numbers(context::reference(), edges.n);
  const auto counts = counts_from(numbers.where(), {.rounds = &numbers});
  const auto number = numbers.dense(-1);
  for (const int threads : {1, 2, 3, 6}) {
    round_order order;
    EXPECT_EQ(counts_from(with_threads(threads), {.order = &order}), counts);
    const auto* position = static_cast<const std::uint32_t*>(order.base().positions->host());
    ASSERT_EQ(order.rounds(), *std::ranges::max_element(number));
    for (index_t round = 1; round <= order.rounds(); ++round) {
      std::vector<std::uint32_t> found(position, position + order.size_of(round - 1)), expected;
      position += order.size_of(round - 1);
      for (index_t i = 0; i < edges.n; ++i)
        if (number[static_cast<std::size_t>(i)] == round)
          expected.push_back(static_cast<std::uint32_t>(i));
      ASSERT_EQ(found, expected) << "round " << round << " by " << threads;
    }
  }
}

// Sharing stops and starts after any round, as threads happen to wait for each other.
TEST(IterateOnCpu, ManyRoundsSharedNowAndThen) {
  using std::chrono::microseconds;
  const ChosenSharing now_and_then(
      {.processors = 4, .patience = microseconds{0}, .rest = 1, .edges_of_others = 256});
  for (const int threads : {2, 4}) check_many_rounds(threads, ", now and then");
}

// Distances over three parts. The first and the last one have rounds of many edges, between and
// after them are some hundred rounds that threads share by position. The last part waits in buckets
// from the first one on, listed by any thread, and with values that become smaller.
loop<std::int32_t> paths_over_large_and_small_rounds() {
  constexpr std::uint32_t dense = 2000, late = 6000, layers = 100, width = 500;
  constexpr std::uint32_t of_layers = dense + late, n = of_layers + layers * width;
  loop<std::int32_t> paths;
  paths.n = n;
  dice random(7);
  const auto roll = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(random.roll(static_cast<int>(count)));
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> edges;
  const auto add = [&](std::uint32_t i, std::uint32_t j, std::uint32_t weight) {
    edges.emplace(std::pair(i, j), static_cast<std::int32_t>(weight));
  };
  for (std::uint32_t v = 0; v < dense; ++v) {
    for (int e = 0; e < 20; ++e) add(v, roll(dense), 1 + roll(40));
    for (int e = 0; e < 6; ++e) add(v, dense + roll(late), 3000 + roll(200));
  }
  for (std::uint32_t v = dense; v < of_layers; ++v)
    for (int e = 0; e < 20; ++e) add(v, dense + roll(late), 1 + roll(40));
  for (std::uint32_t v = 0; v < width; ++v) add(v, of_layers + v, 400);
  for (std::uint32_t v = 0; v < (layers - 1) * width; ++v)
    for (const std::uint32_t step : {0U, 1U})
      add(of_layers + v, of_layers + (v / width + 1) * width + (v + step) % width, 40);
  for (const auto& [edge, weight] : edges) {
    paths.from.push_back(edge.first);
    paths.to.push_back(edge.second);
    paths.weight.push_back(weight);
  }
  bound(paths);
  paths.w.assign(n, arithmetic::largest<std::int32_t>());
  paths.frontier.resize(n);
  paths.w[0] = paths.frontier[0] = 0;
  paths.bucket_width = 40;
  return paths;
}

TEST(IterateOnCpu, SharedRoundsBetweenLargeOnes) {
  const ChosenSharing always({.processors = 4, .rest = 0});
  const loop<std::int32_t> paths = paths_over_large_and_small_rounds();
  for (const int threads : {1, 2, 6}) {
    const context where = with_threads(threads);
    const std::string what = "by " + std::to_string(threads);
    check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what);
    check_full_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", full");
    auto part = paths;
    for (const index_t rounds : {50, 110}) {
      part.max_rounds = rounds;
      check_full_on(where, part, min_plus<std::int32_t>{}, {.improves = less{}},
                    what + ", " + std::to_string(rounds) + " rounds");
    }
  }
}

TEST(IterateOnCpu, StopsSharingRoundsWhenThatIsSlow) {
  using std::chrono::microseconds;
  const ChosenSharing impatient({.processors = 2, .patience = microseconds{0}, .rest = 1 << 30});
  const auto& rule = ChosenSharing::rule();
  const auto rests = [&] { return rule.rests(detail::on_cpu::round_sharing::clock::now()); };
  const auto paths = paths_over("grid:130");
  check_on(with_threads(1), paths, min_plus<std::int32_t>{}, {.improves = less{}}, "one thread");
  EXPECT_FALSE(rests());
  check_on(with_threads(2), paths, min_plus<std::int32_t>{}, {.improves = less{}}, "two threads");
  EXPECT_TRUE(rests());
}

// An entry of the frontier that is infinite has no bucket; the others are as without it. All rounds
// have 300 edges, so that threads share the last one, too.
TEST(IterateOnCpu, EndsWithAnInfiniteEntryInTheFrontier) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::uint32_t layers = 200, width = 150;
  // A long wait would end what goes on for ever.
  const ChosenSharing patient({.processors = 4, .patience = std::chrono::hours{1}, .rest = 0});
  std::vector<std::uint32_t> from, to;
  for (std::uint32_t v = 0; v < (layers - 1) * width; ++v)
    for (const std::uint32_t step : {0U, 1U}) {
      from.push_back(v);
      to.push_back((v / width + 1) * width + (v + step) % width);
    }
  constexpr index_t n = layers * width + 1;  // the last vertex has no edges
  for (const int threads : {1, 2}) {
    const context where = with_threads(threads);
    const auto a =
        matrix<double>::from_entries(where, n, n, from, to, std::vector<double>(from.size(), 1.0));
    const auto run = [&](bool infinite) {
      vector<double> w(where, n, infinity), frontier(where, n);
      for (index_t v = 0; v < width; ++v) w.set(v, 0), frontier.set(v, 0);
      if (infinite) frontier.set(n - 1, infinity);
      iterate_until(w, min_plus<double>{}, frontier, a, {.improves = less{}, .bucket_width = 4.0});
      return entries_of(w);
    };
    EXPECT_EQ(run(true), run(false)) << threads;
  }
}

// The second thread comes when the first one has begun to wait, unless that was not running.
TEST(SpinningBarrier, TellsLongWaits) {
  using namespace std::chrono_literals;
  const auto waits_long_for_another = [] {
    detail::on_cpu::spinning_barrier barrier(2, 1ms);
    std::atomic<bool> begun{false};
    std::thread other([&] {
      while (!begun) std::this_thread::yield();
      std::this_thread::sleep_for(20ms);
      barrier.wait();
    });
    begun = true;
    const bool long_wait = barrier.wait();
    other.join();
    return long_wait;
  };
  bool long_wait = waits_long_for_another();
  for (int times = 0; !long_wait && times < 50; ++times) long_wait = waits_long_for_another();
  EXPECT_TRUE(long_wait);
}

TEST(RoundSharing, RestsInProportionToALoss) {
  using namespace std::chrono_literals;
  detail::on_cpu::round_sharing rule({.processors = 2, .rest = 20});
  const detail::on_cpu::round_sharing::clock::time_point start{1h};
  EXPECT_FALSE(rule.rests(start));
  rule.note_loss(-4ms, start);
  EXPECT_FALSE(rule.rests(start));
  rule.note_loss(4ms, start);
  EXPECT_TRUE(rule.rests(start + 79ms));
  EXPECT_FALSE(rule.rests(start + 80ms));
  rule.note_loss(1ms, start + 1ms);  // ends earlier
  EXPECT_TRUE(rule.rests(start + 79ms));
  rule.note_loss(1ms, start + 70ms);
  EXPECT_TRUE(rule.rests(start + 89ms));
  EXPECT_FALSE(rule.rests(start + 90ms));
  rule.choose(rule.chosen());
  EXPECT_FALSE(rule.rests(start));
}

// Of samples of 16 rounds the least counts: in another one the thread was not running for a while.
TEST(RoundSharing, ComparesWithOneThread) {
  using namespace std::chrono_literals;
  detail::on_cpu::cost_of_one_thread cost;
  for (int round = 0; round < 15; ++round) cost.add(10us, 500);
  EXPECT_FALSE(cost.is_known());
  cost.add(10us, 500);
  ASSERT_TRUE(cost.is_known());
  EXPECT_EQ(cost.loss(130us, 5000), 30us);
  EXPECT_EQ(cost.loss(70us, 5000), -30us);
  for (int round = 0; round < 16; ++round) cost.add(round == 3 ? 4ms : 10us, 500);
  EXPECT_EQ(cost.loss(130us, 5000), 30us);
  for (int round = 0; round < 16; ++round) cost.add(5us, 500);
  EXPECT_EQ(cost.loss(130us, 5000), 80us);
}

}  // namespace
}  // namespace shared_rounds_test
}  // namespace tropic::testing
