// SPDX-License-Identifier: Apache-2.0

// The table of compiled programs: each is compiled once for any number of concurrent requests,
// different ones concurrently, and failures are retried.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <tropic/error.hpp>

#include "backends/device/program/program_table.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

// A barrier for `expected` threads; false for all that wait ten seconds in vain.
class meeting {
 public:
  explicit meeting(int expected) : missing_(expected) {}
  bool arrive() {
    std::unique_lock lock(mutex_);
    if (--missing_ == 0) all_here_.notify_all();
    return all_here_.wait_for(lock, std::chrono::seconds(10), [this] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int missing_;
};

std::unique_ptr<compiled_program> make() {
  return std::make_unique<compiled_program>();
}

TEST(ProgramTable, MakesEachOnceHoweverManyThreadsAsk) {
  program_table table;
  std::atomic<int> result{0};
  std::vector<const compiled_program*> found(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      found[t] = table.get(t % 2 == 0 ? "even" : "odd", [&] {
        ++result;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return make();
      });
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(result, 2);
  EXPECT_NE(found[0], found[1]);
  for (std::size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], found[t % 2]);
}

TEST(ProgramTable, ThreadsThatWantDifferentOnesMakeThemAtTheSameTime) {
  program_table table;
  meeting makers(2);
  std::atomic<int> met{0};
  std::vector<std::thread> threads;
  for (const char* key : {"one", "other"})
    threads.emplace_back([&, key] {
      table.get(key, [&] {
        met += makers.arrive();
        return make();
      });
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(met, 2);
}

TEST(ProgramTable, OneMayNeedAnotherToBeMade) {
  program_table table;
  const compiled_program* inner = nullptr;
  const compiled_program* outer = table.get("outer", [&] {
    inner = table.get("inner", make);
    return make();
  });
  EXPECT_NE(inner, nullptr);
  EXPECT_NE(inner, outer);
}

TEST(ProgramTable, WhatFailedIsTriedAgainAndANullIsKept) {
  program_table table;
  const auto fails = []() -> std::unique_ptr<compiled_program> { throw device_error("broken"); };
  EXPECT_THROW(table.get("a", fails), device_error);
  EXPECT_THROW(table.get("a", fails), device_error);
  const compiled_program* result = table.get("a", make);
  EXPECT_EQ(table.get("a", fails), result);
  int asked = 0;
  const auto none = [&] { return ++asked, std::unique_ptr<compiled_program>(); };
  EXPECT_EQ(table.get("fp64", none), nullptr);
  EXPECT_EQ(table.get("fp64", none), nullptr);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace tropic::testing
