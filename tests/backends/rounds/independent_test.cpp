// SPDX-License-Identifier: Apache-2.0

// Computations that threads execute at the same time behave as one for their caller: log, progress,
// exceptions and limits.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <tropic/detail/independent.hpp>
#include <tropic/error.hpp>

#include "containers/context_state.hpp"

namespace tropic::testing {
namespace {

using detail::independent_runs;
using detail::run_independently;

context_options with_threads(int threads) {
  context_options options;
  options.threads = threads;
  return options;
}

TEST(Independent, RunsAreAsManyAsThreadsAndMemoryAllow) {
  context_options options = with_threads(3);
  options.log = [](std::string_view) {};
  options.progress = [](std::string_view, double) {};
  EXPECT_EQ(independent_runs(context::cpu(options), 1000), 3);
  EXPECT_EQ(independent_runs(context::cpu(options), std::size_t{1} << 29), 2);
  EXPECT_EQ(independent_runs(context::cpu(options), std::size_t{1} << 31), 1);
  options.memory_limit = 2500;
  EXPECT_EQ(independent_runs(context::cpu(options), 1000), 2);
  options = with_threads(3);
  options.profile = true;
  EXPECT_EQ(independent_runs(context::cpu(options), 1000), 1);
}

TEST(Independent, RunsReportTheProgressOfTheCallersOne) {
  std::vector<std::string> steps;  // written by the calling thread alone
  context_options options = with_threads(3);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> by_others = 0;
  options.progress = [&](std::string_view step, double) {
    if (std::this_thread::get_id() == caller)
      steps.emplace_back(step);
    else
      ++by_others;
  };
  const context where = context::cpu(options);
  run_independently(where, 3, [&](index_t k) {
    for (int i = 0; i < 2; ++i) where.checkpoint("run " + std::to_string(k));
  });
  EXPECT_EQ(steps, (std::vector<std::string>{"run 0", "run 0"}));
  EXPECT_EQ(by_others, 0);
  where.checkpoint("afterwards");
  EXPECT_EQ(steps.back(), "afterwards");
}

TEST(Independent, RunsLogInTheirOrder) {
  std::vector<std::string> notices;
  context_options options = with_threads(3);
  options.log = [&](std::string_view notice) { notices.emplace_back(notice); };
  const context where = context::cpu(options);
  std::atomic<int> waiting = 3;
  run_independently(where, 3, [&](index_t k) {
    // The last of the runs logs first.
    while (waiting.load() != k + 1) std::this_thread::yield();
    where.state()->log("first of " + std::to_string(k));
    where.state()->log("second of " + std::to_string(k));
    --waiting;
  });
  EXPECT_EQ(notices, (std::vector<std::string>{"first of 0", "second of 0", "first of 1",
                                               "second of 1", "first of 2", "second of 2"}));
  where.state()->log("afterwards");
  EXPECT_EQ(notices.back(), "afterwards");
}

TEST(Independent, RunsEndWhenTheCallersOneThrows) {
  context_options options = with_threads(2);
  const context where = context::cpu(options);
  std::atomic<bool> is_begun = false;
  EXPECT_THROW(run_independently(where, 2,
                                 [&](index_t k) {
                                   if (k == 1) is_begun = true;
                                   while (!is_begun.load()) std::this_thread::yield();
                                   if (k == 0) throw usage_error("of the first");
                                   for (;;) where.checkpoint("waits");
                                 }),
               usage_error);
  EXPECT_NO_THROW(where.checkpoint("afterwards"));
}

TEST(Independent, RunsGoOnWhenAnotherThrows) {
  using namespace std::chrono_literals;
  const context where = context::cpu(with_threads(3));
  std::atomic<int> begun = 0, complete = 0;
  std::atomic<bool> has_thrown = false;
  try {
    run_independently(where, 3, [&](index_t k) {
      ++begun;
      while (begun.load() < 3) std::this_thread::yield();
      if (k == 1) {
        has_thrown = true;
        throw usage_error("of 1");
      }
      while (!has_thrown.load()) std::this_thread::yield();
      std::this_thread::sleep_for(50ms);  // until the exception is caught
      where.checkpoint("goes on");
      ++complete;
    });
    FAIL() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "of 1");
  }
  EXPECT_EQ(complete, 2);
}

TEST(Independent, TheFirstExceptionIsThrown) {
  const context where = context::cpu(with_threads(3));
  try {
    run_independently(where, 3, [&](index_t k) {
      if (k > 0) throw usage_error("of " + std::to_string(k));
    });
    FAIL() << "nothing was thrown";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "of 1");
  }
}

TEST(Independent, RunsEndWhenTheirContextIsCancelled) {
  context_options options = with_threads(2);
  const context where = context::cpu(options);
  std::atomic<int> ended = 0;
  EXPECT_THROW(run_independently(where, 2,
                                 [&](index_t k) {
                                   if (k == 1) options.cancel.cancel();
                                   try {
                                     for (;;) where.checkpoint("waits");
                                   } catch (const cancelled&) {
                                     ++ended;
                                     throw;
                                   }
                                 }),
               cancelled);
  EXPECT_GE(ended, 1);
}

}  // namespace
}  // namespace tropic::testing
