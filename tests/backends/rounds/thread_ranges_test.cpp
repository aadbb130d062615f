// SPDX-License-Identifier: Apache-2.0

// Loops over the ranges of threads: each iteration once, in whatever order threads ask.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "backends/cpu/thread_ranges.hpp"

namespace tropic::testing {
namespace {

using detail::on_cpu::thread_ranges;

TEST(ThreadRanges, GiveEveryIterationOnce) {
  for (const int threads : {1, 2, 3, 7})
    for (const std::size_t count : {0u, 1u, 2u, 6u, 7u, 8u, 1000u}) {
      thread_ranges ranges(threads, count);
      std::vector<int> times(count);
      for (std::size_t n = 0; n < count; ++n) {  // some threads ask more often than others
        const std::size_t i = ranges.next(static_cast<int>(n * n % 5) % threads);
        ASSERT_LT(i, count) << threads << " threads, " << count << ": ends early";
        ++times[i];
      }
      EXPECT_EQ(times, std::vector<int>(count, 1)) << threads << " threads, " << count;
      for (int t = 0; t < threads; ++t) EXPECT_EQ(ranges.next(t), count);
    }
}

// A thread does its own range in ascending order, and then helps another from its end.
TEST(ThreadRanges, BeginWithTheirOwn) {
  thread_ranges ranges(3, 9);
  for (const std::size_t expected : {3u, 4u, 5u}) EXPECT_EQ(ranges.next(1), expected);
  EXPECT_EQ(ranges.next(2), 6u);
  for (const std::size_t expected : {8u, 7u}) EXPECT_EQ(ranges.next(1), expected);
  for (const std::size_t expected : {2u, 1u}) EXPECT_EQ(ranges.next(1), expected);
  EXPECT_EQ(ranges.next(0), 0u);
  for (const int thread : {0, 1, 2}) EXPECT_EQ(ranges.next(thread), 9u);
}

TEST(ThreadRanges, GiveEveryIterationOnceToThreadsThatRun) {
  constexpr std::size_t count = 100'000;
  for (int round = 0; round < 5; ++round) {
    thread_ranges ranges(4, count);
    std::vector<std::atomic<int>> times(count);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = ranges.next(t); i != count; i = ranges.next(t)) ++times[i];
      });
    for (std::thread& t : threads) t.join();
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(times[i], 1) << i;
  }
}

}  // namespace
}  // namespace tropic::testing
