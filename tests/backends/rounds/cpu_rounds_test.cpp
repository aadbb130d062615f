// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until on the CPU: the same for any number of threads, pushed, pulled and summed
// in order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/cpu/rounds/bucket_queue.hpp"
#include "backends/rounds/iterate_loops.hpp"
#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

// Rounds that several threads share, rows among them, and rounds that pull: the same for any number
// of threads.
TEST(IterateOnCpu, ManyEdges) {
  for (const int threads : {1, 2, 3, 7}) {
    context_options options;
    options.threads = threads;
    const context where = context::cpu(options);
    for (const char* spec : {"kron:11", "urand:12:9", "grid:90", "wide star"}) {
      const std::string what = std::string(spec) + " by " + std::to_string(threads);
      auto tree = loop_over<index_t>(spec, 3);
      tree.add = [](index_t x, index_t y) { return std::min(x, y); };
      tree.multiply = [](index_t k, index_t, index_t) { return k; };
      tree.w[1] = tree.frontier[1] = 1;
      check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what);
      auto counts = tree;  // of shortest paths: sums that no first product ends
      counts.add = [](index_t x, index_t y) { return arithmetic::add(x, y); };  // wraps
      counts.multiply = [](index_t, index_t x, index_t) { return x; };
      check_on(where, counts, plus_first<index_t>{}, {}, what + ", counts");
      tree.frontier[2] = tree.frontier[3] = 2;  // which w lacks
      tree.max_rounds = 2;
      check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what + ", two rounds");
      auto paths = loop_over<std::int32_t>(spec, 5);
      bound(paths);
      for (auto& x : paths.w) x = arithmetic::largest<std::int32_t>();
      paths.w[0] = paths.frontier[0] = 0;
      check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", paths");
      for (std::int32_t& x : paths.weight)
        if (x > 6) x *= 70;  // to buckets far away
      paths.bucket_width = 6;
      check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", buckets");
      check_full_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}},
                    what + ", buckets, full");
      // In calls of a few rounds, each from what the last one left.
      const auto a = matrix<std::int32_t>::from_entries(where, paths.n, paths.n, paths.from,
                                                        paths.to, paths.weight);
      vector<std::int32_t> w = make(where, paths.w), frontier = make(where, paths.frontier);
      index_t done = 0;
      while (frontier.nvals() > 0)
        done += iterate_until(w, min_plus<std::int32_t>{}, frontier, a,
                              {.improves = less{}, .max_rounds = 3, .bucket_width = 6});
      paths.run();
      EXPECT_EQ(done, paths.done) << what;
      EXPECT_EQ(entries_of(w), paths.w) << what;
    }
  }
}

// Rounds that change much have no list: where a sum is the identity, w does not show that it
// changed.
TEST(IterateOnCpu, FindsSumsThatAreTheIdentity) {
  for (const int threads : {1, 2, 3, 7}) {
    const context where = context::cpu({.threads = threads});
    for (const char* spec : {"kron:11", "urand:12:9", "wide star"}) {
      const std::string what = std::string(spec) + " by " + std::to_string(threads);
      auto sums = loop_over<std::int32_t>(spec, 3);
      for (std::size_t e = 0; e < sums.weight.size(); ++e) sums.weight[e] = e % 3 == 0 ? -1 : 1;
      sums.add = [](std::int32_t x, std::int32_t y) { return arithmetic::add(x, y); };
      sums.multiply = [](index_t, std::int32_t x, std::int32_t y) { return x * y; };
      sums.w[0] = sums.frontier[0] = 1;
      check_on(where, sums, plus_times<std::int32_t>{}, {}, what + ", sums");
      check_alone_on(where, sums, plus_times<std::int32_t>{}, {}, what + ", sums");
      auto least = loop_over<std::uint8_t>(spec, 3);
      least.add = [](std::uint8_t x, std::uint8_t y) { return std::min(x, y); };
      least.multiply = [](index_t, std::uint8_t x, std::uint8_t) { return x; };
      least.w[0] = least.frontier[0] = 255;
      check_on(where, least, semiring<minimum_monoid<std::uint8_t>, first>{}, {}, what);
    }
  }
}

// One that took no part in some buckets: what it takes then is in the bucket of the others, or
// after it.
TEST(BucketQueue, FollowsAnotherOne) {
  using detail::on_cpu::bucket_queue;
  using detail::on_cpu::bucket_queue_of;
  const std::vector<std::int32_t> w{0, 1000, 1003, 1021, 1024};
  bucket_queue::all queues;
  for (int n = 0; n < 2; ++n)
    queues.push_back(std::make_unique<bucket_queue_of<std::int32_t>>(10, w.data()));
  bucket_queue &first = *queues[0], &second = *queues[1];
  std::uint32_t positions[4];
  std::int32_t values[4];
  const auto take = [&](bucket_queue& from, std::size_t count) {
    from.take(positions, values);
    return std::vector<std::uint32_t>(positions, positions + count);
  };
  for (const std::uint32_t position : {0U, 1U}) {
    first.add(&position, 1);
    ASSERT_TRUE(first.look(0));
    ASSERT_EQ(first.start(queues, 0), 1U);
    EXPECT_EQ(take(first, 1), std::vector{position});
  }
  second.follow(first);
  const std::vector<std::uint32_t> of_first{3}, of_second{4, 2};
  first.add(of_first.data(), 1);
  second.add(of_second.data(), 2);
  for (const std::vector<std::uint32_t>& expected : {std::vector{2U}, std::vector{4U}}) {
    EXPECT_TRUE(first.look(0));
    EXPECT_TRUE(second.look(0));
    first.start(queues, 0);
    ASSERT_EQ(second.start(queues, 0), 1U);
    EXPECT_EQ(take(second, 1), expected);
  }
  EXPECT_EQ(first.start(queues, 0), 1U);
  EXPECT_FALSE(second.look(0));
}

// The matrix of a directed graph is pulled by columns once pushes have cost more than a transpose.
TEST(IterateOnCpu, PullsADirectedGraphWhenThatPays) {
  const context where = context::cpu();
  auto l = loop_over<index_t>("kron:11", 3);
  for (std::size_t e = 0; e < l.from.size(); ++e)
    if (l.from[e] > l.to[e] && l.from[e] % 3 == 0) l.to[e] = (l.to[e] + 1) % 2048;
  l.add = [](index_t x, index_t y) { return std::min(x, y); };
  l.multiply = [](index_t k, index_t, index_t) { return k; };
  l.w[1] = l.frontier[1] = 1;
  const auto a =
      matrix<index_t>::from_entries(where, l.n, l.n, l.from, l.to, l.weight, duplicates::first);
  l.run();
  for (int times = 0; times < 8; ++times) {
    vector<index_t> w(where, l.n), frontier(where, l.n);
    w.set(1, 1);
    frontier.set(1, 1);
    EXPECT_EQ(iterate_until(w, min_secondi<index_t, index_t>{}, frontier, a), l.done);
    EXPECT_EQ(entries_of(w), l.w) << "time " << times;
  }
  EXPECT_NE(a.base().derived->transpose, nullptr);
}

TROPIC_BINARY_OPERATOR(share_of, (1 + y) / x);

// Rounding shows the order of sums: the same for any number of threads, and as by one operation
// after the other.
TEST(IterateOnCpu, SumsInTheOrderOfTheFrontier) {
  for (const char* spec : {"kron:11", "kron:13", "urand:12:9", "grid:90", "wide star"}) {
    auto l = loop_over<double>(spec, 3);
    for (std::size_t e = 0; e < l.weight.size(); ++e)
      l.weight[e] = 0.1 * (1 + (l.from[e] + l.to[e]) % 9);
    l.add = [](double x, double y) { return x + y; };
    l.multiply = [](index_t, double x, double y) { return x * y; };
    l.w[1] = l.frontier[1] = 1;
    auto after = l;
    after.run();
    const auto expected = after.back(
        std::vector<double>(static_cast<std::size_t>(l.n), 0.0),
        [](double c, double y) { return (1 + y) / c; }, std::multiplies<>{});
    const std::string name = spec;
    const bool is_undirected = name != "wide star";
    for (const bool symmetric : {false, is_undirected})  // which can be pulled
      for (const int threads : {1, 2, 7}) {
        const context where = context::cpu({.threads = threads});
        const std::string what = std::string(spec) + " by " + std::to_string(threads);
        check_on(where, l, plus_times<double>{}, {}, what);
        auto a = matrix<double>::from_entries(where, l.n, l.n, l.from, l.to, l.weight);
        if (symmetric) a.assume_symmetric();
        vector<double> w = make(where, l.w), frontier = make(where, l.frontier);
        round_order rounds;
        iterate_until(w, plus_times<double>{}, frontier, a, {.order = &rounds});
        EXPECT_EQ(entries_of(w), after.w) << what;
        vector<double> x(where, l.n, 0.0);
        iterate_back(x, plus_times<double>{}, a, w, rounds, share_of{}, times{});
        EXPECT_EQ(x.dense(0), expected) << what;
      }
  }
}

}  // namespace
}  // namespace tropic::testing
