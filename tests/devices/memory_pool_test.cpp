// SPDX-License-Identifier: Apache-2.0

// The pool of device memory over a source that counts: blocks are reused, released when memory is
// short, and never lost.

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <tropic/error.hpp>

#include "backends/device/memory_pool.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// A device with that many bytes.
struct counting_source {
  std::size_t memory = 64 * mebibyte;
  std::size_t used = 0;
  std::uintptr_t next = 4096;
  std::map<void*, std::size_t> blocks;
  int allocations = 0, refusals = 0, settled = 0, wrong = 0;
  bool broken = false;

  memory_source source() {
    return {.allocate = [this](std::size_t bytes) -> void* {
              if (broken) throw device_error("broken");
              if (bytes > memory - used) return ++refusals, nullptr;
              ++allocations;
              used += bytes;
              void* result = reinterpret_cast<void*>(next += 4096);
              blocks[result] = bytes;
              return result;
            },
            .release =
                [this](void* block, std::size_t bytes) {
                  wrong += blocks.count(block) == 0 || blocks[block] != bytes;
                  used -= bytes;
                  blocks.erase(block);
                },
            .free_bytes = [this] { return memory - used; },
            .settle = [this] { ++settled; }};
  }
};

TEST(MemoryPool, BlockSizesWasteLittle) {
  std::size_t before = 0;
  for (std::size_t bytes = 1; bytes < 4096 * mebibyte; bytes += 1 + bytes / 37) {
    const std::size_t block = memory_pool::block_size(bytes);
    ASSERT_GE(block, bytes);
    ASSERT_LE(block, std::max<std::size_t>(256, bytes + bytes / 8)) << bytes;
    ASSERT_EQ(memory_pool::block_size(block), block) << bytes;
    ASSERT_GE(block, before);
    before = block;
  }
  EXPECT_EQ(memory_pool::block_size(1), 256u);
  EXPECT_EQ(memory_pool::block_size(257), 288u);
  EXPECT_EQ(memory_pool::block_size(300 * mebibyte + 1), 302 * mebibyte);
  const std::size_t absurd = ~std::size_t{0};
  EXPECT_EQ(memory_pool::block_size(absurd), absurd);
}

TEST(MemoryPool, AReleasedBlockIsGivenOutAgain) {
  counting_source device;
  memory_pool pool(device.source(), "device", 32 * mebibyte);
  void* first = pool.allocate(1000);
  void* second = pool.allocate(1000);
  EXPECT_NE(first, second);
  pool.deallocate(first);
  EXPECT_EQ(pool.now().kept, memory_pool::block_size(1000));
  EXPECT_EQ(pool.allocate(1001), first);  // of the same class
  pool.deallocate(second);
  EXPECT_NE(pool.allocate(100), second);  // would waste too much
  EXPECT_NE(pool.allocate(5000), second);
  EXPECT_EQ(pool.now().reused, 1u);
  EXPECT_EQ(pool.now().taken, 4u);
  EXPECT_EQ(device.allocations, 4);
}

TEST(MemoryPool, KeepsNoMoreThanItsLimit) {
  counting_source device;
  memory_pool pool(device.source(), "device", 4 * mebibyte);
  std::vector<void*> blocks;
  for (int n = 0; n < 6; ++n) blocks.push_back(pool.allocate(mebibyte));
  void* whole = pool.allocate(8 * mebibyte);
  for (void* block : blocks) pool.deallocate(block);
  pool.deallocate(whole);
  EXPECT_EQ(pool.now().kept, 4 * mebibyte);
  EXPECT_EQ(device.used, 4 * mebibyte);
  EXPECT_EQ(pool.now().used, 0u);
  EXPECT_EQ(pool.trim(), 4 * mebibyte);
  EXPECT_EQ(device.used, 0u);
  EXPECT_EQ(pool.trim(), 0u);
}

TEST(MemoryPool, GivesBackWhatItKeepsWhenMemoryIsShort) {
  counting_source device;
  memory_pool pool(device.source(), "device", 64 * mebibyte);
  std::vector<void*> blocks;
  for (int n = 0; n < 40; ++n) blocks.push_back(pool.allocate(mebibyte));
  for (void* block : blocks) pool.deallocate(block);
  EXPECT_EQ(device.settled, 0);
  void* large = pool.allocate(50 * mebibyte);  // does not fit beside the 40
  EXPECT_NE(large, nullptr);
  EXPECT_EQ(device.settled, 1);  // waited before releasing them
  EXPECT_EQ(pool.now().trimmed, 1u);
  EXPECT_EQ(pool.now().kept, 0u);
  pool.deallocate(large);
}

TEST(MemoryPool, OutOfMemorySaysWhatIsRequiredAndFreeAndNothingIsLost) {
  counting_source device;
  memory_pool pool(device.source(), "cuda:0 (Fake)", 64 * mebibyte);
  void* held = pool.allocate(10 * mebibyte);
  pool.deallocate(pool.allocate(20 * mebibyte));  // kept
  try {
    pool.allocate(1000 * mebibyte);
    FAIL() << "it fits";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, 1000 * mebibyte);
    EXPECT_EQ(e.available, 54 * mebibyte);  // kept blocks are available
    EXPECT_TRUE(std::string(e.what()).starts_with("cuda:0 (Fake): ")) << e.what();
  }
  EXPECT_EQ(pool.now().used, 10 * mebibyte);
  void* rest = pool.allocate(54 * mebibyte);
  pool.deallocate(rest);
  pool.deallocate(held);
  EXPECT_THROW(pool.allocate(~std::size_t{0}), out_of_memory);
}

TEST(MemoryPool, TheRoundingAloneIsNoReasonToFail) {
  counting_source device;
  device.memory = 1100;
  memory_pool pool(device.source(), "device", mebibyte);
  ASSERT_GT(memory_pool::block_size(1090), 1100u);
  void* exact = pool.allocate(1090);
  EXPECT_EQ(device.used, 1090u);
  pool.deallocate(exact);
  EXPECT_EQ(pool.allocate(1080), exact);
}

TEST(MemoryPool, WhatTheSourceThrowsPassesThrough) {
  counting_source device;
  memory_pool pool(device.source(), "device", 64 * mebibyte);
  void* kept = pool.allocate(100);
  pool.deallocate(kept);
  device.broken = true;
  EXPECT_THROW(pool.allocate(5000), device_error);
  EXPECT_EQ(pool.allocate(100), kept);
  device.broken = false;
  EXPECT_NE(pool.allocate(5000), nullptr);
}

TEST(MemoryPool, WithoutKeepingEveryBlockIsExactAndReleased) {
  counting_source device;
  memory_pool pool(device.source(), "device", 0);
  void* block = pool.allocate(1001);
  EXPECT_EQ(device.used, 1001u);
  pool.deallocate(block);
  EXPECT_EQ(device.used, 0u);
  EXPECT_EQ(device.settled, 1);
}

TEST(MemoryPool, KeepsAQuarterOfADeviceUnlessTurnedOff) {
  for (const char* set : {"", "on"}) {
    const environment_variable on("TROPIC_DEVICE_POOL", set);
    EXPECT_EQ(memory_pool::worth_keeping(64 * mebibyte), 16 * mebibyte);
  }
  const environment_variable off("TROPIC_DEVICE_POOL", "off");
  EXPECT_EQ(memory_pool::worth_keeping(64 * mebibyte), 0u);
}

TEST(MemoryPool, ADriversOwnCallsGetWhatIsKept) {
  counting_source device;
  memory_pool pool(device.source(), "device", 64 * mebibyte);
  const auto is_short = [](int status) { return status == 2; };
  int calls = 0;
  // Needs 60 MiB; exits with 2 if they are not available.
  const auto call = [&] { return ++calls, 60 * mebibyte > device.memory - device.used ? 2 : 0; };
  pool.deallocate(pool.allocate(10 * mebibyte));
  EXPECT_EQ(pool.with_room(call, is_short), 0);
  EXPECT_EQ(calls, 2);
  void* held = pool.allocate(10 * mebibyte);
  EXPECT_EQ(pool.with_room(call, is_short), 2);  // nothing is kept: one attempt
  EXPECT_EQ(calls, 3);
  pool.deallocate(held);
  EXPECT_EQ(pool.with_room([&] { return ++calls, 7; }, is_short), 7);  // not for lack of memory
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(pool.now().kept, 10 * mebibyte);
}

TEST(MemoryPool, ManyThreadsShareNoBlock) {
  counting_source device;
  {
    memory_pool pool(device.source(), "device", 8 * mebibyte);
    std::mutex mutex;
    std::set<void*> given;
    int twice = 0;
    const auto work = [&](unsigned seed) {
      std::mt19937 random(seed);
      std::vector<void*> held;
      for (int n = 0; n < 2000; ++n) {
        if (held.size() < 20 && random() % 2) {
          void* block = pool.allocate(1 + random() % 100000);
          const std::lock_guard lock(mutex);
          twice += !given.insert(block).second;
          held.push_back(block);
        } else if (!held.empty()) {
          {
            const std::lock_guard lock(mutex);
            given.erase(held.back());
          }
          pool.deallocate(held.back());
          held.pop_back();
        }
        if (n % 500 == 0) pool.trim();
      }
      for (void* block : held) {
        {
          const std::lock_guard lock(mutex);
          given.erase(block);
        }
        pool.deallocate(block);
      }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) threads.emplace_back(work, t);
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(twice, 0);
    EXPECT_EQ(pool.now().used, 0u);
    EXPECT_EQ(pool.now().kept, device.used);
    EXPECT_GT(pool.now().reused, 0u);
  }
  EXPECT_EQ(device.used, 0u);
  EXPECT_EQ(device.wrong, 0);
}

}  // namespace
}  // namespace tropic::testing
